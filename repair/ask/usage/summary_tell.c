/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the answer of --summary. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "ask/table.h"
#include "report/json_out.h"
#include "report/words.h"
#include "summary.h"

/* JSON has a line "usage" for all files, each type, user, group, project and directory, and a line "contents". */

static void usage_cells(struct table *table, const struct usage *usage)
{
	table_number(table, usage->files);
	table_bytes(table, usage->apparent);
	table_bytes(table, usage->used);
}

static int tell_types(const struct summary *summary, const struct answer *to)
{
	struct table *table = table_new(to, "=by|<Files=id|number=files|size=size|used=used", SIZE_MAX);

	for (enum summary_type type = 0; type < TYPE_NR; type++) {
		table_text(table, "type");
		table_text(table, "%s", summary_type_name(type));
		usage_cells(table, &summary->by_type[type]);
		if (!summary->by_type[type].files)
			table_hide(table);
	}
	table_text(table, "all");
	table_label(table, "all");
	usage_cells(table, &summary->all);
	return table_end_lines(table, to, "usage");
}

/* Prints owners, heaviest first: all in JSON, the top ones as text. */
static int tell_owners(const struct summary *summary, enum owner_kind kind, const struct answer *to)
{
	static const char *const columns[] = { [OWNER_USERS] = "=by|User=id|files=files|size=size|+used=used",
					       [OWNER_GROUPS] = "=by|Group=id|files=files|size=size|+used=used",
					       [OWNER_PROJECTS] = "=by|Project=id|files=files|size=size|+used=used" };
	const struct usage_table *owners = &summary->owners[kind];
	struct ranking most = { .most = SIZE_MAX };
	struct table *table = table_new(to, columns[kind], summary->largest.most);
	int ret = 0;

	for (size_t i = 0; i < owners->count && !ret; i++)
		ret = ranking_add(
			&most, &(struct ranked){ .rank = owners->v[i].usage.used,
						 .id = owners->v[i].id,
						 .fact = { owners->v[i].usage.files, owners->v[i].usage.apparent } });
	ranking_sort(&most);
	for (size_t i = 0; i < most.count; i++) {
		table_text(table, "%s", summary_owner_name(kind));
		table_id(table, most.v[i].id);
		usage_cells(table, &(struct usage){ most.v[i].fact[0], most.v[i].fact[1], most.v[i].rank });
	}
	ranking_free(&most);
	answer_space(to);
	return table_end_lines(table, to, "usage") ? -ENOMEM : ret;
}

static int tell_trees(const struct summary *summary, const struct files *files, const struct answer *to)
{
	struct table *table =
		table_new(to, "=by|files=files|size=size|+used=used|=ino|=depth|<Directory=path", SIZE_MAX);
	struct byte_buffer path = { 0 };
	struct ranking trees;
	int ret = summary_trees(summary, &trees);

	for (size_t i = 0; i < trees.count && !ret; i++) {
		const struct ranked *item = &trees.v[i];

		ret = path_table_path(files_paths(files), (xino_t){ item->id }, &path);
		if (ret)
			break;
		table_text(table, "directory");
		usage_cells(table,
			    &(struct usage){ item->fact[TOP_FILES], item->fact[TOP_APPARENT], item->fact[TOP_USED] });
		table_id(table, item->id);
		table_number(table, summary->tree.depth[path_table_find(files_paths(files), (xino_t){ item->id })]);
		table_name(table, path.len ? path.bytes : (const uint8_t *)"/", path.len ? path.len : 1);
	}
	free(path.bytes);
	ranking_free(&trees);
	answer_space(to);
	return table_end_lines(table, to, "usage") ? -ENOMEM : ret;
}

static int tell_sizes(const struct summary *summary, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to, "Size of a regular file=from|<|=to|+files=files|+used=used", SIZE_MAX);

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++) {
		struct words end = { 0 };

		if (!summary->sizes.of[i].count)
			continue;
		if (i > 0 && i < 64) {
			words_add(&end, "to less than ");
			words_add_bytes(&end, histogram_to(i) + 1);
		}
		table_bytes(table, histogram_from(i));
		table_text(table, "%s", end.text);
		table_number(table, histogram_to(i));
		table_number(table, summary->sizes.of[i].count);
		table_bytes(table, summary->sizes.of[i].sum);
	}
	answer_space(to);
	return table_end(table, to, line, "by_size");
}

static int tell_ages(const struct summary *summary, const struct answer *to, json_t *line)
{
	struct table *table =
		table_new(to, "<Modified before now=modified|+files=files|size=size|+used=used", SIZE_MAX);

	for (unsigned age = 0; age < AGE_NR; age++) {
		if (!summary->ages[age].files)
			continue;
		table_text(table, "%s", summary_age_text(age));
		usage_cells(table, &summary->ages[age]);
	}
	answer_space(to);
	return table_end(table, to, line, "by_age");
}

/* Prints how files are stored; JSON has these as members of an object. */
static int tell_stored(const struct summary *summary, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to, "<Stored|files|bytes", SIZE_MAX);
	json_t *object = to->json ? json_object() : NULL;

	for (enum stored how = 0; how < STORED_NR; how++) {
		const struct stored_sums *sums = &summary->stored[how];

		if (to->json)
			json_out_set(to->json, object, summary_stored_key(how),
				     json_pack("{s:o, s:o}", "files", json_out_number(sums->files), "bytes",
					       json_out_number(sums->bytes)));
		if (!sums->files)
			continue;
		table_text(table, "%s", summary_stored_text(how));
		table_number(table, sums->files);
		table_bytes(table, sums->bytes);
	}
	if (to->json)
		json_out_set(to->json, line, "stored", object);
	answer_space(to);
	return table_end(table, to, NULL, NULL);
}

static void print_shared(const struct summary *summary, const struct answer *to)
{
	struct words words = { 0 };

	if (!summary->shared_blocks)
		return;
	words_add_bytes(&words, summary->shared_blocks << summary->geo->block_log);
	words_add(&words, " are shared between files, which saves ");
	words_add_bytes(&words, summary->saved_blocks << summary->geo->block_log);
	answer_space(to);
	answer_say(to, "%s.", words.text);
}

static int tell_largest(const struct summary *summary, struct paths *paths, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to, "size=size|used=used|inode=ino|<Largest files=path", SIZE_MAX);

	for (size_t i = 0; i < summary->largest.count; i++) {
		const struct ranked *item = &summary->largest.v[i];

		table_bytes(table, item->fact[TOP_APPARENT]);
		table_bytes(table, item->fact[TOP_USED]);
		table_id(table, item->id);
		table_path(table, paths, item->id);
	}
	if (summary->largest.count)
		answer_space(to);
	return table_end(table, to, line, "largest_files");
}

#define DIRECTORY_COLUMNS "names=names|size of files=size|used=used|inode=ino|<"

static int tell_directories(const struct ranking *ranking, const char *columns, struct paths *paths,
			    const struct answer *to, json_t *line, const char *name)
{
	struct table *table = table_new(to, columns, SIZE_MAX);

	for (size_t i = 0; i < ranking->count; i++) {
		const struct ranked *item = &ranking->v[i];

		table_number(table, item->fact[TOP_NAMES]);
		table_bytes(table, item->fact[TOP_APPARENT]);
		table_bytes(table, item->fact[TOP_USED]);
		table_id(table, item->id);
		table_path(table, paths, item->id);
	}
	if (ranking->count)
		answer_space(to);
	return table_end(table, to, line, name);
}

static int tell_contents(const struct summary *summary, struct paths *paths, const struct answer *to, json_t *line)
{
	int ret = tell_sizes(summary, to, line);

	if (!ret)
		ret = tell_ages(summary, to, line);
	if (!ret)
		ret = tell_stored(summary, to, line);
	if (!ret)
		print_shared(summary, to);
	if (!ret)
		ret = tell_largest(summary, paths, to, line);
	if (!ret)
		ret = tell_directories(&summary->fullest,
				       DIRECTORY_COLUMNS "Largest directories, without those in them=path", paths, to,
				       line, "largest_directories");
	if (!ret)
		ret = tell_directories(&summary->longest, DIRECTORY_COLUMNS "Directories with most names=path", paths,
				       to, line, "longest_directories");
	return ret;
}

static json_t *contents_line(struct report_json *json, const struct summary *summary)
{
	const uint8_t log = summary->geo->block_log;
	json_t *line = json_out_line(json, "contents");

	json_out_set(json, line, "shared", json_out_number(summary->shared_blocks << log));
	json_out_set(json, line, "saved", json_out_number(summary->saved_blocks << log));
	json_out_set(json, line, "nameless", json_out_number(summary->nameless));
	return line;
}

int summary_tell(const struct summary *summary, const struct files *files, struct paths *paths, const struct answer *to)
{
	int ret = tell_types(summary, to);
	json_t *line;

	for (enum owner_kind kind = 0; kind < OWNER_KINDS && !ret; kind++)
		ret = tell_owners(summary, kind, to);
	if (!ret)
		ret = tell_trees(summary, files, to);
	if (ret)
		return ret;
	if (summary->nameless)
		answer_say(to, "... and %" PRIu64 " that no directory names", summary->nameless);
	line = to->json ? contents_line(to->json, summary) : NULL;
	ret = tell_contents(summary, paths, to, line);
	if (to->json)
		json_out_put(to->json, line);
	return ret;
}
