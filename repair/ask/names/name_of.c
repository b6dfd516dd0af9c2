/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a line per path of an inode, or the reason why it has none. Phase names has already answered if no check was
 * needed; here the same search runs after a check.
 */
#include "name_search.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "query.h"
#include "ask/inventory.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/json_out.h"
#include "report/quote.h"
#include "run.h"

/* A path of variable length. */
struct found_path {
	enum path_kind kind;
	size_t len;
	uint8_t bytes[];
};

struct found_paths {
	struct found_path **all;
	size_t count, room;
	int error;
};

static void collect(void *ctx, const struct path *path)
{
	struct found_paths *paths = ctx;
	struct found_path *one = paths->error ? NULL : malloc(sizeof(*one) + path->len);

	if (!one) {
		paths->error = -ENOMEM;
		return;
	}
	one->kind = path->kind;
	one->len = path->len;
	memcpy(one->bytes, path->bytes, path->len);
	paths->error = array_add(paths->all, paths->room, paths->count, one);
	if (paths->error)
		free(one);
}

static void forget(struct found_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->all[i]);
	free(paths->all);
}

/* Orders paths by their bytes. */
static int path_order(const void *a, const void *b)
{
	const struct found_path *x = *(struct found_path *const *)a, *y = *(struct found_path *const *)b;
	const int order = memcmp(x->bytes, y->bytes, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static void print_path(FILE *out, uint64_t number, const struct found_path *path)
{
	const bool former = path->kind == PATH_FORMER;

	fprintf(out, "%" PRIu64 "\t%s", number, path->kind == PATH_METADATA ? "(metadata) " : former ? "(was " : "");
	quote_print(out, path->bytes, path->len);
	fputs(former ? ")\n" : "\n", out);
}

/* Reasons why an inode has no name, for JSON and as text. */
static const struct {
	const char *name, *words;
} states[] = {
	[NAME_IN_USE] = { "in_use", "in use, but nothing names it" },
	[NAME_IMPOSSIBLE] = { "impossible", "the file system has no place for an inode of this number" },
	[NAME_NO_INODE] = { "none", "no inode is there" },
	[NAME_FREE] = { "free", "a free inode" },
	[NAME_UNREAD] = { "unreadable", "in use, but it can't be read" },
};

/* Returns how many names of a file were left out for lack of memory, by its link count, possibly a wrong one. */
static uint64_t left_out(const struct named_inode *inode)
{
	return inode->needs_name && !inode->is_dir && inode->cut && inode->links > inode->names
		       ? inode->links - inode->names
		       : 0;
}

static void print(FILE *out, const struct named_inode *inode, const struct found_paths *paths)
{
	const bool removed = inode->state == NAME_IN_USE && inode->needs_name && !inode->links;
	const uint64_t more = left_out(inode);

	for (size_t i = 0; i < paths->count; i++)
		print_path(out, inode->ino.v, paths->all[i]);
	if (!paths->count)
		fprintf(out, "%" PRIu64 "\t(%s)\n", inode->ino.v,
			removed ? "in use, but removed while it was open" : states[inode->state].words);
	if (more)
		fprintf(out, "%" PRIu64 "\t(and %" PRIu64 " more, for which there was no memory)\n", inode->ino.v,
			more);
}

static void tell_json(struct report_json *json, const struct named_inode *inode, const struct found_paths *paths)
{
	json_t *line = json_out_line(json, "name"), *list = json_array();

	for (size_t i = 0; i < paths->count; i++) {
		const struct found_path *path = paths->all[i];
		json_t *one = json_object();

		json_out_set(json, one, "path", json_out_bytes((const char *)path->bytes, path->len));
		json_out_set(json, one, "path_kind", json_string(path_kind_name(path->kind)));
		if (json_array_append_new(list, one))
			json_out_starve(json);
	}
	json_out_set(json, line, "ino", json_out_number(inode->ino.v));
	json_out_set(json, line, "state", json_string(states[inode->state].name));
	json_out_set(json, line, "links",
		     inode->needs_name && inode->state == NAME_IN_USE ? json_out_number(inode->links) : json_null());
	json_out_set(json, line, "paths", list);
	json_out_set(json, line, "left_out", json_out_number(left_out(inode)));
	json_out_put(json, line);
}

int name_of_tell(struct repair *rc, const struct name_search *search, FILE *out)
{
	const struct numbers_asked *asked = &rc->run->names_asked;
	struct report_json *json = report_answer_json(rc->report);
	int ret = 0;

	for (size_t i = 0; i < asked->count && !ret; i++) {
		const struct named_inode inode = name_search_inode(search, asked->all[i]);
		struct found_paths paths = { 0 };

		if (inode.state == NAME_IN_USE)
			paths_each(name_search_paths(search), inode.ino, collect, &paths);
		if (paths.count)
			qsort(paths.all, paths.count, sizeof(*paths.all), path_order);
		ret = paths.error;
		if (!ret)
			print(out, &inode, &paths);
		if (!ret && json)
			tell_json(json, &inode, &paths);
		forget(&paths);
	}
	return ret;
}

/* ---- after a check ---- */

static int name_of_begin(struct repair *rc, void **ret_ctx)
{
	*ret_ctx = rc->run;
	return 0;
}

static int name_of_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct run *run = ctx;
	struct name_search *search;
	int ret = name_search_new(rc, run->names_asked.all, run->names_asked.count, true, &search);

	if (ret)
		return ret;
	ret = name_of_tell(rc, search, out);
	name_search_free(search);
	return ret;
}

static void name_of_end(void *ctx)
{
	(void)ctx;
}

const struct question question_name_of = { .begin = name_of_begin,
					   .sink = &(const struct sink_ops){ 0 },
					   .answer = name_of_answer,
					   .end = name_of_end,
					   .section = HTML_NAME_OF };
