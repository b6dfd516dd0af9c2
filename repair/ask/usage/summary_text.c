/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what --summary tells. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "ask/histogram_table.h"
#include "ask/ranked_paths.h"
#include "ask/table.h"
#include "report/json_out.h"
#include "report/words.h"
#include "summary.h"

/*
 * Writes what --summary tells: a line "usage" for all files, each type, user, group, project and directory, and a line
 * "contents".
 */

static void set_usage(struct report_json *json, json_t *object, const struct usage *usage)
{
	json_out_set(json, object, "files", json_out_number(usage->files));
	json_out_set(json, object, "size", json_out_number(usage->apparent));
	json_out_set(json, object, "used", json_out_number(usage->used));
}

/* Begin a line about what is used by `by`. */
static json_t *usage_line(struct report_json *json, const char *by, const struct usage *usage)
{
	json_t *line = json_out_line(json, "usage");

	json_out_set(json, line, "by", json_string(by));
	set_usage(json, line, usage);
	return line;
}

static void put_owners(struct report_json *json, const struct summary *summary)
{
	for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++) {
		const struct usage_table *owners = &summary->owners[kind];

		for (size_t i = 0; i < owners->count; i++) {
			json_t *line = usage_line(json, summary_owner_name(kind), &owners->v[i].usage);

			json_out_set(json, line, "id", json_out_number(owners->v[i].id));
			json_out_put(json, line);
		}
	}
}

/* 0 or negative errno. */
static int put_trees(struct report_json *json, const struct summary *summary, const struct files *files)
{
	struct byte_buffer path = { 0 };
	struct ranking trees;
	int ret = summary_trees(summary, &trees);

	for (size_t i = 0; i < trees.count && !ret; i++) {
		const struct ranked *item = &trees.v[i];
		const size_t dir = path_table_find(files_paths(files), (xino_t){ item->id });
		json_t *line;

		ret = path_table_path(files_paths(files), (xino_t){ item->id }, &path);
		if (ret)
			break;
		line = usage_line(
			json, "directory",
			&(struct usage){ item->fact[TOP_FILES], item->fact[TOP_APPARENT], item->fact[TOP_USED] });
		json_out_set(json, line, "ino", json_out_number(item->id));
		json_out_set(json, line, "path",
			     json_out_bytes(path.len ? (const char *)path.bytes : "/", path.len ? path.len : 1));
		json_out_set(json, line, "depth", json_out_number(summary->tree.depth[dir]));
		json_out_put(json, line);
	}
	free(path.bytes);
	ranking_free(&trees);
	return ret;
}

static json_t *ages_array(struct report_json *json, const struct summary *summary)
{
	json_t *array = json_array();

	for (unsigned age = 0; age < AGE_NR; age++) {
		json_t *object;

		if (!summary->ages[age].files)
			continue;
		object = json_object();
		json_out_set(json, object, "modified", json_string(summary_age_text(age)));
		set_usage(json, object, &summary->ages[age]);
		json_out_append(json, array, object);
	}
	return array;
}

static json_t *stored_object(struct report_json *json, const struct summary *summary)
{
	json_t *object = json_object();

	for (enum stored how = 0; how < STORED_NR; how++) {
		json_t *sums = json_object();

		json_out_set(json, sums, "files", json_out_number(summary->stored[how].files));
		json_out_set(json, sums, "bytes", json_out_number(summary->stored[how].bytes));
		json_out_set(json, object, summary_stored_key(how), sums);
	}
	return object;
}

static json_t *ranked_array(struct report_json *json, const struct ranking *ranking, bool directories,
			    struct paths *paths)
{
	json_t *array = json_array();

	for (size_t i = 0; i < ranking->count; i++) {
		const struct ranked *item = &ranking->v[i];
		json_t *object = json_object();

		ranked_path_json(json, object, paths, item->id);
		json_out_set(json, object, "size", json_out_number(item->fact[TOP_APPARENT]));
		json_out_set(json, object, "used", json_out_number(item->fact[TOP_USED]));
		if (directories)
			json_out_set(json, object, "names", json_out_number(item->fact[TOP_NAMES]));
		json_out_append(json, array, object);
	}
	return array;
}

static void put_contents(struct report_json *json, const struct summary *summary, struct paths *paths)
{
	const uint8_t log = summary->geo->block_log;
	json_t *line = json_out_line(json, "contents");

	json_out_set(json, line, "by_size", histogram_array(json, &summary->sizes, "files", "used"));
	json_out_set(json, line, "by_age", ages_array(json, summary));
	json_out_set(json, line, "stored", stored_object(json, summary));
	json_out_set(json, line, "shared", json_out_number(summary->shared_blocks << log));
	json_out_set(json, line, "saved", json_out_number(summary->saved_blocks << log));
	json_out_set(json, line, "nameless", json_out_number(summary->nameless));
	json_out_set(json, line, "largest_files", ranked_array(json, &summary->largest, false, paths));
	json_out_set(json, line, "largest_directories", ranked_array(json, &summary->fullest, true, paths));
	json_out_set(json, line, "longest_directories", ranked_array(json, &summary->longest, true, paths));
	json_out_put(json, line);
}

int summary_json(struct report_json *json, const struct summary *summary, const struct files *files,
		 struct paths *paths)
{
	int ret;

	json_out_put(json, usage_line(json, "all", &summary->all));
	for (enum summary_type type = 0; type < TYPE_NR; type++) {
		json_t *line = usage_line(json, "type", &summary->by_type[type]);

		json_out_set(json, line, "id", json_string(summary_type_name(type)));
		json_out_put(json, line);
	}
	put_owners(json, summary);
	ret = put_trees(json, summary, files);
	if (!ret)
		put_contents(json, summary, paths);
	return ret;
}

static void usage_cells(struct table *table, const struct usage *usage)
{
	table_number(table, usage->files);
	table_bytes(table, usage->apparent);
	table_bytes(table, usage->used);
}

static int print_types(const struct summary *summary, const struct answer *to)
{
	struct table *table = table_new("<Files|number|size|used");

	for (enum summary_type type = 0; type < TYPE_NR; type++) {
		if (!summary->by_type[type].files)
			continue;
		table_text(table, "%s", summary_type_name(type));
		usage_cells(table, &summary->by_type[type]);
	}
	table_text(table, "all");
	usage_cells(table, &summary->all);
	return table_end(table, to);
}

/* Print those who have most. */
static int print_owners(const struct summary *summary, enum owner_kind kind, const struct answer *to)
{
	static const char *const headings[] = { [OWNER_USERS] = "User|files|size|+used",
						[OWNER_GROUPS] = "Group|files|size|+used",
						[OWNER_PROJECTS] = "Project|files|size|+used" };
	const struct usage_table *owners = &summary->owners[kind];
	struct ranking most = { .most = summary->largest.most };
	struct table *table = table_new(headings[kind]);
	struct words words = { 0 };
	int ret = 0;

	for (size_t i = 0; i < owners->count && !ret; i++)
		ret = ranking_add(
			&most, &(struct ranked){ .rank = owners->v[i].usage.used,
						 .id = owners->v[i].id,
						 .fact = { owners->v[i].usage.files, owners->v[i].usage.apparent } });
	ranking_sort(&most);
	for (size_t i = 0; i < most.count; i++) {
		table_text(table, "%" PRIu64, most.v[i].id);
		usage_cells(table, &(struct usage){ most.v[i].fact[0], most.v[i].fact[1], most.v[i].rank });
	}
	answer_space(to);
	if (table_end(table, to))
		ret = -ENOMEM;
	if (owners->count > most.count) {
		words_add_number(&words, owners->count - most.count);
		answer_say(to, "... and %s more", words.text);
	}
	ranking_free(&most);
	return ret;
}

static int print_trees(const struct summary *summary, const struct files *files, const struct answer *to)
{
	struct table *table = table_new("files|size|+used|<Directory");
	struct byte_buffer path = { 0 };
	struct ranking trees;
	int ret = summary_trees(summary, &trees);

	for (size_t i = 0; i < trees.count && !ret; i++) {
		const struct ranked *item = &trees.v[i];

		ret = path_table_path(files_paths(files), (xino_t){ item->id }, &path);
		if (ret)
			break;
		usage_cells(table,
			    &(struct usage){ item->fact[TOP_FILES], item->fact[TOP_APPARENT], item->fact[TOP_USED] });
		table_name(table, path.len ? path.bytes : (const uint8_t *)"/", path.len ? path.len : 1);
	}
	free(path.bytes);
	ranking_free(&trees);
	answer_space(to);
	return table_end(table, to) ? -ENOMEM : ret;
}

static int print_sizes(const struct summary *summary, const struct answer *to)
{
	struct table *table = table_new("Size of a regular file|<|+files|+used");

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
		table_number(table, summary->sizes.of[i].count);
		table_bytes(table, summary->sizes.of[i].sum);
	}
	answer_space(to);
	return table_end(table, to);
}

static int print_ages(const struct summary *summary, const struct answer *to)
{
	struct table *table = table_new("<Modified before now|+files|size|+used");

	for (unsigned age = 0; age < AGE_NR; age++) {
		if (!summary->ages[age].files)
			continue;
		table_text(table, "%s", summary_age_text(age));
		usage_cells(table, &summary->ages[age]);
	}
	answer_space(to);
	return table_end(table, to);
}

static int print_stored(const struct summary *summary, const struct answer *to)
{
	struct table *table = table_new("<Stored|files|bytes");

	for (enum stored how = 0; how < STORED_NR; how++) {
		if (!summary->stored[how].files)
			continue;
		table_text(table, "%s", summary_stored_text(how));
		table_number(table, summary->stored[how].files);
		table_bytes(table, summary->stored[how].bytes);
	}
	answer_space(to);
	return table_end(table, to);
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

static int print_largest(const struct summary *summary, struct paths *paths, const struct answer *to)
{
	struct table *table = table_new("size|used|inode|<Largest files");

	for (size_t i = 0; i < summary->largest.count; i++) {
		const struct ranked *item = &summary->largest.v[i];

		table_bytes(table, item->fact[TOP_APPARENT]);
		table_bytes(table, item->fact[TOP_USED]);
		table_text(table, "%" PRIu64, item->id);
		ranked_path_cell(table, paths, item->id);
	}
	if (summary->largest.count)
		answer_space(to);
	return table_end(table, to);
}

static int print_directories(const struct ranking *ranking, const char *headings, struct paths *paths,
			     const struct answer *to)
{
	struct table *table = table_new(headings);

	for (size_t i = 0; i < ranking->count; i++) {
		const struct ranked *item = &ranking->v[i];

		table_number(table, item->fact[TOP_NAMES]);
		table_bytes(table, item->fact[TOP_APPARENT]);
		table_bytes(table, item->fact[TOP_USED]);
		table_text(table, "%" PRIu64, item->id);
		ranked_path_cell(table, paths, item->id);
	}
	if (ranking->count)
		answer_space(to);
	return table_end(table, to);
}

int summary_text(const struct summary *summary, const struct files *files, struct paths *paths, const struct answer *to)
{
	int ret = print_types(summary, to);

	for (enum owner_kind kind = 0; kind < OWNER_KINDS && !ret; kind++)
		ret = print_owners(summary, kind, to);
	if (!ret)
		ret = print_trees(summary, files, to);
	if (!ret && summary->nameless)
		answer_say(to, "... and %" PRIu64 " that no directory names", summary->nameless);
	if (!ret)
		ret = print_sizes(summary, to);
	if (!ret)
		ret = print_ages(summary, to);
	if (!ret)
		ret = print_stored(summary, to);
	if (!ret)
		print_shared(summary, to);
	if (!ret)
		ret = print_largest(summary, paths, to);
	if (!ret)
		ret = print_directories(&summary->fullest,
					"names|size of files|used|inode|<Largest directories, without those in them",
					paths, to);
	if (!ret)
		ret = print_directories(&summary->longest,
					"names|size of files|used|inode|<Directories with most names", paths, to);
	return ret;
}
