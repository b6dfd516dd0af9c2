/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A group is the inodes with the same former directory, the same present one and the same reason; its first members are
 * listed. Groups beyond GROUPS_MOST are only counted, so that memory does not grow with the list.
 */
#include "text_findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libxfs/dinode.h"
#include "quote.h"
#include "words.h"

#define GROUPS_MOST 20u

struct folder {
	size_t len; /* 0: unknown */
	uint8_t *bytes;
};

struct group {
	struct folder was, is;
	const char *why;
	size_t first; /* in the list */
	uint64_t count;
};

struct printer {
	struct layout *layout;
	const struct reattachments *list;
	struct paths *before, *after;
	unsigned limit;
	struct group groups[GROUPS_MOST];
	size_t count;
	uint64_t others; /* not in a group */
};

/* Returns the length of the directory part of a path; only the root's includes its slash. 0: there is none. */
static size_t folder_length(const struct path *path)
{
	size_t len = path->len;

	while (len && path->bytes[len - 1] != '/')
		len--;
	return len > 1 ? len - 1 : len;
}

static bool is_folder(const struct folder *folder, const struct path *path)
{
	const size_t len = folder_length(path);

	return folder->len == len && !memcmp(folder->bytes, path->bytes, len);
}

/* Returns the group of an inode, adding it if necessary; NULL: too many groups, or out of memory. */
static struct group *group_of(struct printer *p, const struct path *was, const struct path *is, const char *why)
{
	const size_t was_len = folder_length(was), is_len = folder_length(is);
	struct group *g = p->groups;
	uint8_t *bytes;

	for (; g < p->groups + p->count; g++)
		if (g->why == why && is_folder(&g->was, was) && is_folder(&g->is, is))
			return g;
	bytes = p->count < GROUPS_MOST ? malloc(was_len + is_len + 1) : NULL;
	if (!bytes)
		return NULL;
	memcpy(bytes, was->bytes, was_len);
	memcpy(bytes + was_len, is->bytes, is_len);
	*g = (struct group){ { was_len, bytes }, { is_len, bytes + was_len }, why, 0, 0 };
	p->count++;
	return g;
}

static struct group *find_group(struct printer *p, const struct reattached *one, struct path *was, struct path *is)
{
	paths_find(p->before, one->ino, was);
	paths_find(p->after, one->ino, is);
	return group_of(p, was, is, reattached_why(one, was));
}

/* Prints "12 of "/home/alice", there again: from its parent pointer". */
static void print_group(struct printer *p, const struct group *g)
{
	struct words w = { 0 };
	FILE *out = layout_line(p->layout);

	words_add_number(&w, g->count);
	fputs(w.text, out);
	if (g->was.len) {
		fputs(" of ", out);
		quote_marked(out, g->was.bytes, g->was.len);
	}
	if (g->was.len == g->is.len && !memcmp(g->was.bytes, g->is.bytes, g->is.len)) {
		fputs(", there again", out);
	} else {
		fputs(", in ", out);
		quote_marked(out, g->is.bytes, g->is.len);
	}
	fprintf(out, ": %s", g->why);
	layout_end(p->layout, 0, 2, TINT_NONE);
}

static void put_what(FILE *out, const struct reattached_what *what)
{
	static const char *const types[FT_NR] = {
		[FT_UNKNOWN] = "of unknown type",
		[FT_REG] = "file",
		[FT_DIR] = "directory",
		[FT_CHR] = "device",
		[FT_BLK] = "device",
		[FT_FIFO] = "pipe",
		[FT_SOCK] = "socket",
		[FT_SYMLINK] = "link",
		[FT_WHITEOUT] = "whiteout",
	};
	const time_t seconds = (time_t)what->mtime;
	struct words w = { 0 };
	char date[32];
	struct tm tm;

	words_add(&w, "%s", what->ftype < FT_NR ? types[what->ftype] : types[FT_UNKNOWN]);
	if (what->ftype == FT_DIR) {
		words_add(&w, " of ");
		words_add_count(&w, what->children, "name", "names");
	} else if (what->ftype == FT_REG) {
		words_add(&w, " of ");
		words_add_count(&w, what->size, "byte", "bytes");
	}
	words_add(&w, ", owner %" PRIu32, what->uid);
	if (seconds && gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d", &tm))
		words_add(&w, ", changed %s", date);
	fputs(w.text, out);
}

static void print_one(struct printer *p, const struct reattached *one, const struct path *was, const struct path *is)
{
	const size_t folder = folder_length(is), start = folder > 1 ? folder + 1 : folder;
	FILE *out = layout_line(p->layout);

	quote_marked(out, is->bytes + start, is->len - start);
	fprintf(out, ", inode %" PRIu64 ": ", one->ino.v);
	put_what(out, &one->what);
	if (was->len && !(was->len == is->len && !memcmp(was->bytes, is->bytes, is->len))) {
		fputs("; it was ", out);
		quote_marked(out, was->bytes, was->len);
	}
	layout_end(p->layout, 3, 2, TINT_NONE);
}

/* Prints the first inodes of a group. */
static void print_members(struct printer *p, const struct group *g)
{
	struct words w = { 0 };
	struct path was, is;
	unsigned n = 0;

	for (size_t i = g->first; i < p->list->count && n < p->limit; i++) {
		if (find_group(p, &p->list->all[i], &was, &is) != g)
			continue;
		print_one(p, &p->list->all[i], &was, &is);
		n++;
	}
	if (g->count <= n)
		return;
	words_add_number(&w, g->count - n);
	fprintf(p->layout->out, "   and %s more\n", w.text);
}

void text_reattached(struct layout *layout, const struct reattachments *list, struct paths *before, struct paths *after,
		     unsigned limit)
{
	struct printer *p = calloc(1, sizeof(*p));
	struct words w = { 0 };
	struct path was, is;

	if (!p)
		return;
	*p = (struct printer){ .layout = layout, .list = list, .before = before, .after = after, .limit = limit };
	for (size_t i = 0; i < list->count; i++) {
		struct group *g = find_group(p, &list->all[i], &was, &is);

		p->others += !g;
		if (g && !g->count++)
			g->first = i;
	}
	for (size_t i = 0; i < p->count; i++) {
		print_group(p, &p->groups[i]);
		print_members(p, &p->groups[i]);
	}
	for (size_t i = 0; i < p->count; i++)
		free(p->groups[i].was.bytes);
	if (p->others) {
		words_add_number(&w, p->others);
		fprintf(layout->out, "and %s more, of other directories; --lines and --json list them\n", w.text);
	}
	free(p);
}
