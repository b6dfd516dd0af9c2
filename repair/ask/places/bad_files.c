/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts what is known of bad blocks together by file, and sorts the files by path. */
#include "bad_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "names/paths.h"
#include "who_told.h"
#include "sets/ordered.h"

static int path_order(const void *a, const void *b)
{
	const struct bad_hit_file *x = a, *y = b;
	const size_t common = x->path_len < y->path_len ? x->path_len : y->path_len;
	int order = (x->path == NULL) - (y->path == NULL);

	if (!order && x->path && y->path && common)
		order = memcmp(x->path, y->path, common);
	if (!order)
		order = (x->path_len > y->path_len) - (x->path_len < y->path_len);
	return order ? order : (x->ino.v > y->ino.v) - (x->ino.v < y->ino.v);
}

/* Keep a copy of a file's path, if it has one. */
static int take_path(struct bad_hit_file *file, struct paths *paths)
{
	struct path path;

	paths_find(paths, file->ino, &path);
	if (!path.len)
		return 0;
	file->path = malloc(path.len);
	if (!file->path)
		return -ENOMEM;
	memcpy(file->path, path.bytes, path.len);
	file->path_len = path.len;
	return 0;
}

int bad_files_collect(struct bad_files *files, const struct owners *owners)
{
	size_t room = 0, hits_room = 0;
	int ret = 0;

	*files = (struct bad_files){ 0 };
	for (size_t i = 0; i < owners->count && !ret; i++)
		if (hit_is_file(&owners->v[i]))
			ret = array_add(files->hits, hits_room, files->nhits, owners->v[i]);
	ordered_sort(files->hits, files->nhits,
		     MEMBERS(MEMBER(files->hits, owner), MEMBER(files->hits, part), MEMBER(files->hits, offset),
			     MEMBER(files->hits, start)));
	for (size_t i = 0, n; i < files->nhits && !ret; i += n) {
		struct bad_hit_file file = { .ino = { files->hits[i].owner }, .first = i };

		n = file.count = ordered_run(&files->hits[i], files->nhits - i, MEMBER(files->hits, owner));
		ret = take_path(&file, owners->holders.paths);
		if (!ret && array_add(files->v, room, files->count, file)) {
			free(file.path);
			ret = -ENOMEM;
		}
	}
	if (files->count)
		qsort(files->v, files->count, sizeof(*files->v), path_order);
	return ret;
}

void bad_files_free(struct bad_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->v[i].path);
	free(files->v);
	free(files->hits);
	*files = (struct bad_files){ 0 };
}

/* ---- the parts of a file ---- */

struct telling {
	void (*tell)(void *ctx, const struct bad_part *part);
	void *ctx;
	struct bad_part last; /* it is told when it is known not to go on */
	bool any, untried;
};

static void end_part(struct telling *t)
{
	if (t->any)
		t->tell(t->ctx, &t->last);
	t->any = false;
}

static bool goes_on(const struct telling *t, const struct who *who)
{
	const struct who *last = &t->last.who;

	return t->any && who_is_in_fork(who->kind) && last->kind == who->kind && last->unwritten == who->unwritten &&
	       who_is_behind_end(last) == who_is_behind_end(who) && t->last.untried == t->untried &&
	       last->offset + (last->end - last->start) == who->offset;
}

static void add_part(void *ctx, const struct who *who)
{
	struct telling *t = ctx;

	if (goes_on(t, who)) {
		t->last.who.end += who->end - who->start; /* it need not lie there: the length is what counts */
		return;
	}
	end_part(t);
	t->last = (struct bad_part){ *who, t->untried };
	t->any = true;
}

void bad_files_each(const struct owners *owners, const struct bad_ranges *ranges, const struct bad_files *files,
		    const struct bad_hit_file *file, void (*tell)(void *ctx, const struct bad_part *part), void *ctx)
{
	const unsigned log = owners->geo->block_log;
	struct telling t = { .tell = tell, .ctx = ctx };

	for (size_t i = file->first; i < file->first + file->count; i++) {
		const struct hit *hit = &files->hits[i];
		const uint64_t start = hit->start << log, end = hit->end << log;

		for (size_t r = bad_ranges_from(ranges, start); r < ranges->count && ranges->v[r].start < end; r++) {
			t.untried = ranges->v[r].untried;
			owners_tell_hit(owners, hit, ranges->v[r].start, ranges->v[r].end, add_part, &t);
		}
	}
	end_part(&t);
}
