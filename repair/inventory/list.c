/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --list: all files, in the order of their inode numbers, each under its names in the order of their directories. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "list_filter.h"
#include "list_lines.h"
#include "options.h"
#include "questions.h"
#include "repair.h"
#include "run.h"

/* A path that is being made from that of a directory, which is the same for many files that follow each other. */
struct where {
	struct path_bytes path;
	xino_t dir;
	size_t dir_len; /* of its path; SIZE_MAX: none has been made */
};

static bool list_asked(const struct query *query)
{
	return query->list != LIST_NONE;
}

static bool is_wanted(const void *ctx, const struct file_record *record)
{
	return list_wants_file(ctx, record);
}

/* True if targets of symbolic links are printed. */
static bool prints_targets(const struct query *query)
{
	bool any = !query->nfields;

	for (unsigned i = 0; i < query->nfields; i++)
		any |= query->fields[i] == LIST_FIELD_target;
	return query->list == LIST_TEXT || (any && query->list != LIST_PATHS0);
}

static int list_begin(struct repair *rc, void **ret_ctx)
{
	const struct query *query = &rc->run->options->query;
	const struct files_options options = { prints_targets(query), is_wanted, &query->filter };

	*ret_ctx = files_new(rc, &options);
	return *ret_ctx ? 0 : -ENOMEM;
}

/* Set the path to that of a name. 0 or -ENOMEM. */
static int make_path(const struct files *files, const struct file_name *name, struct where *where)
{
	int ret = 0;

	if (name->dir.v == NULL_INO) {
		where->path.len = 0;
		where->dir_len = SIZE_MAX;
		return path_bytes_add(&where->path, NULL, 0);
	}
	if (where->dir_len == SIZE_MAX || where->dir.v != name->dir.v) {
		ret = path_table_path(files_paths(files), name->dir, &where->path);
		where->dir = name->dir;
		where->dir_len = where->path.len;
	}
	where->path.len = where->dir_len;
	return ret ? ret : path_bytes_add(&where->path, name->name, name->len);
}

/* Print the lines of one file. 0 or negative errno. */
static int print_file(struct files *files, const struct query *query, const struct geometry *geo,
		      const struct file *file, struct where *where, FILE *out)
{
	struct file_name name;
	int ret;

	while ((ret = files_next_name(files, &name)) > 0) {
		ret = make_path(files, &name, where);
		if (ret)
			return ret;
		if (!list_wants_path(&query->filter, &name, &where->path))
			continue;
		list_line(out, query, geo, file, &where->path);
		if (query->one_name)
			return 0;
	}
	return ret;
}

static int list_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct query *query = &rc->run->options->query;
	struct files *files = ctx;
	struct where where = { .dir_len = SIZE_MAX };
	struct file file;
	int ret = files_settle(files, &rc->dirs);

	if (!ret)
		list_heading(out, query);
	while (!ret && !ferror(out)) {
		ret = files_next(files, &file);
		if (ret <= 0)
			break;
		ret = print_file(files, query, &rc->geo, &file, &where, out);
	}
	free(where.path.bytes);
	return ret;
}

static void list_end(void *ctx)
{
	files_free(ctx);
}

const struct question question_list = { .asked = list_asked,
					.begin = list_begin,
					.sink = &files_sink,
					.answer = list_answer,
					.end = list_end,
					.contents = true };
