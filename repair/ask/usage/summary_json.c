/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes what --summary tells: a line "usage" for all files, each type, user, group, project and directory, and a line
 * "contents".
 */
#include <stdlib.h>

#include "ask/histogram_table.h"
#include "ask/ranked_paths.h"
#include "report/json_out.h"
#include "summary.h"

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
