/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts directories by merging runs, as sets/spill.c does with records of any kind.  But there may be tens of millions,
 * nearly in order, so each is stored as the difference from the one before it.
 */
#include "dir_runs.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "parallel.h"
#include "sets/packed.h"
#include "sets/sort.h"
#include "whole.h"

#define LANE_MOST    (64u << 10) /* directories of a run, at most ... */
#define LANE_LEAST   (4u << 10)	 /* ... and at least, if memory is small */
#define PAIR_MOST    ((size_t)2 * PACKED_MOST)
#define BUFFER_MOST  (64u << 10) /* bytes of a run in the file that are read at a time */
#define BUFFER_LEAST (4u << 10)

_Static_assert(sizeof(struct dir_parent) == 2 * sizeof(uint64_t), "sorted as two numbers");

/* Directories in the order in which they were added. */
struct lane {
	struct dir_parent *dirs;
	size_t count, room;
	int error;
	uint8_t apart[64];
};

struct sorted_run {
	uint8_t *bytes;	       /* all of it, or a buffer of the run in the file; NULL: nothing is in memory */
	size_t at, have;       /* bytes: the place of the next directory, and the end of the buffer */
	uint64_t offset, left; /* in the file: the place of the next buffer, and the bytes left */
	size_t count;	       /* directories that have not been read yet */
	struct dir_parent last;
};

struct head {
	struct dir_parent dir; /* the next of a run */
	size_t run;
};

struct dir_runs {
	unsigned nlanes;
	struct lane *lanes;
	size_t limit, lane_most;
	pthread_mutex_t lock; /* protects the members below until everything has been added */
	struct sorted_run *runs;
	size_t nruns, runs_room;
	uint64_t count; /* directories in them */
	uint64_t used;	/* bytes of runs in memory */
	int fd;		/* of the temporary file; negative: none */
	uint64_t end;	/* of the file's contents */
	bool no_room;	/* the file could not be created or written: the rest stays in memory */
	/* for reading: */
	struct head *heap; /* of runs that have directories left; the least one is at the top */
	size_t nheap;
};

struct dir_runs *dir_runs_new(unsigned workers)
{
	struct dir_runs *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->lanes = calloc(workers, sizeof(*r->lanes));
	if (!r->lanes) {
		free(r);
		return NULL;
	}
	r->nlanes = workers;
	r->fd = -1;
	pthread_mutex_init(&r->lock, NULL);
	dir_runs_limit(r, SIZE_MAX);
	return r;
}

void dir_runs_free(struct dir_runs *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < r->nlanes; i++)
		free(r->lanes[i].dirs);
	for (size_t i = 0; i < r->nruns; i++)
		free(r->runs[i].bytes);
	if (r->fd >= 0)
		close(r->fd);
	pthread_mutex_destroy(&r->lock);
	free(r->heap);
	free(r->runs);
	free(r->lanes);
	free(r);
}

void dir_runs_limit(struct dir_runs *r, size_t bytes)
{
	const size_t most = bytes / 2 / r->nlanes / sizeof(struct dir_parent);

	r->limit = bytes;
	r->lane_most = most < LANE_LEAST ? LANE_LEAST : most > LANE_MOST ? LANE_MOST : most;
}

uint64_t dir_runs_spilled(const struct dir_runs *r)
{
	return r->end;
}

uint64_t dir_runs_count(struct dir_runs *r)
{
	uint64_t count;

	pthread_mutex_lock(&r->lock);
	count = r->count;
	pthread_mutex_unlock(&r->lock);
	return count;
}

/* ---- adding ---- */

/* Writes sorted directories one after the other.  Returns the bytes used. */
static size_t pack(const struct dir_parent *dirs, size_t count, uint8_t *bytes)
{
	struct dir_parent last = { 0 };
	uint8_t *at = bytes;

	for (size_t i = 0; i < count; i++) {
		at = packed_put(at, dirs[i].dir.v - last.dir.v);
		at = packed_put(at, packed_fold(dirs[i].parent.v - last.parent.v));
		last = dirs[i];
	}
	return (size_t)(at - bytes);
}

/* Writes a run to the file, under lock.  False: it must stay in memory. */
static bool write_run(struct dir_runs *r, struct sorted_run *run, size_t len)
{
	if (r->fd < 0 && !r->no_room)
		r->fd = temporary_open();
	if (r->fd < 0 || r->no_room || whole_write(r->fd, r->end, run->bytes, len)) {
		r->no_room = true;
		return false;
	}
	run->offset = r->end;
	run->left = len;
	r->end += len;
	free(run->bytes);
	run->bytes = NULL;
	run->have = 0;
	return true;
}

/* Adds a run, and takes over its bytes.  Returns 0, or -ENOMEM after freeing them. */
static int add_run(struct dir_runs *r, struct sorted_run run)
{
	const size_t len = run.have;
	int ret;

	pthread_mutex_lock(&r->lock);
	if (r->used + len <= r->limit || !write_run(r, &run, len))
		r->used += len;
	r->count += run.count;
	ret = array_add(r->runs, r->runs_room, r->nruns, run);
	pthread_mutex_unlock(&r->lock);
	if (ret)
		free(run.bytes);
	return ret;
}

/* Makes a run of a lane's directories, and empties the lane.  Sets lane->error. */
static void end_run(struct dir_runs *r, struct lane *lane)
{
	struct sorted_run run = { .count = lane->count };
	uint8_t *less;

	if (!lane->count || lane->error)
		return;
	run.bytes = malloc(lane->count * PAIR_MOST);
	if (!run.bytes) {
		lane->error = -ENOMEM;
		return;
	}
	sort_words(&lane->dirs[0].dir.v, lane->count, 2);
	run.have = pack(lane->dirs, lane->count, run.bytes);
	less = realloc(run.bytes, run.have);
	if (less)
		run.bytes = less;
	lane->error = add_run(r, run);
	lane->count = 0;
}

void dir_runs_add(struct dir_runs *r, unsigned worker, struct dir_parent dir)
{
	struct lane *lane = &r->lanes[worker];

	if (lane->count == r->lane_most)
		end_run(r, lane);
	if (!lane->error)
		lane->error = array_add(lane->dirs, lane->room, lane->count, dir);
}

/* ---- merging ---- */

static size_t buffer_room(const struct dir_runs *r)
{
	const size_t room = r->limit / 4 / r->nruns;

	return room < BUFFER_LEAST ? BUFFER_LEAST : room > BUFFER_MOST ? BUFFER_MOST : room;
}

/* Reads the whole of the next directory into memory, for a run in the file.  Returns 0 or a negative errno. */
static int fill(const struct dir_runs *r, struct sorted_run *run)
{
	size_t size;
	int ret;

	if (run->have - run->at >= PAIR_MOST || !run->left)
		return 0;
	if (!run->bytes)
		run->bytes = malloc(buffer_room(r) + PAIR_MOST);
	if (!run->bytes)
		return -ENOMEM;
	memmove(run->bytes, run->bytes + run->at, run->have - run->at);
	run->have -= run->at;
	run->at = 0;
	size = buffer_room(r) - run->have;
	if (size > run->left)
		size = (size_t)run->left;
	ret = whole_read(r->fd, run->offset, run->bytes + run->have, size, -EIO);
	run->have += size;
	run->offset += size;
	run->left -= size;
	return ret;
}

/* Reads the next directory of a run.  Returns 1, 0: none, or a negative errno. */
static int read_next(const struct dir_runs *r, struct sorted_run *run, struct dir_parent *ret_dir)
{
	const uint8_t *at;
	uint64_t further, folded;
	int ret = fill(r, run);

	if (ret)
		return ret;
	if (!run->count)
		return 0;
	at = packed_get(run->bytes + run->at, &further);
	at = packed_get(at, &folded);
	run->at = (size_t)(at - run->bytes);
	run->last.dir.v += further;
	run->last.parent.v += packed_unfold(folded);
	run->count--;
	*ret_dir = run->last;
	return 1;
}

/* Does the same, and frees the run's memory at its end. */
static int advance(const struct dir_runs *r, struct sorted_run *run, struct dir_parent *ret_dir)
{
	const int ret = read_next(r, run, ret_dir);

	if (!ret) {
		free(run->bytes);
		run->bytes = NULL;
	}
	return ret;
}

static bool comes_before(const struct head *a, const struct head *b)
{
	return a->dir.dir.v != b->dir.dir.v ? a->dir.dir.v < b->dir.dir.v : a->dir.parent.v < b->dir.parent.v;
}

/* Moves a run down to its place in the heap. */
static void sink_down(struct dir_runs *r, size_t at)
{
	const struct head head = r->heap[at];

	for (size_t child; (child = 2 * at + 1) < r->nheap; at = child) {
		if (child + 1 < r->nheap && comes_before(&r->heap[child + 1], &r->heap[child]))
			child++;
		if (!comes_before(&r->heap[child], &head))
			break;
		r->heap[at] = r->heap[child];
	}
	r->heap[at] = head;
}

static void end_step(void *ctx, size_t i)
{
	struct dir_runs *r = ctx;

	end_run(r, &r->lanes[i]);
	free(r->lanes[i].dirs);
	r->lanes[i].dirs = NULL;
	r->lanes[i].room = 0;
}

int dir_runs_settle(struct dir_runs *r)
{
	int ret = 0;

	parallel_each(r->nlanes, r->nlanes, end_step, r);
	for (unsigned i = 0; i < r->nlanes && !ret; i++)
		ret = r->lanes[i].error;
	r->heap = ret ? NULL : calloc(r->nruns + 1, sizeof(*r->heap));
	if (!r->heap)
		return ret ? ret : -ENOMEM;
	for (size_t i = 0; i < r->nruns; i++) {
		ret = advance(r, &r->runs[i], &r->heap[r->nheap].dir);
		if (ret < 0)
			return ret;
		if (ret)
			r->heap[r->nheap++].run = i;
	}
	for (size_t i = r->nheap / 2; i-- > 0;)
		sink_down(r, i);
	return 0;
}

int dir_runs_next(struct dir_runs *r, struct dir_parent *ret_dir)
{
	int ret;

	if (!r->nheap)
		return 0;
	*ret_dir = r->heap[0].dir;
	ret = advance(r, &r->runs[r->heap[0].run], &r->heap[0].dir);
	if (ret < 0)
		return ret;
	if (!ret)
		r->heap[0] = r->heap[--r->nheap];
	if (r->nheap)
		sink_down(r, 0);
	return 1;
}

/* ---- reading everything that was added so far ---- */

size_t dir_runs_total(const struct dir_runs *r)
{
	size_t count = 0;

	for (unsigned i = 0; i < r->nlanes; i++)
		count += r->lanes[i].count;
	for (size_t i = 0; i < r->nruns; i++)
		count += r->runs[i].count;
	return count;
}

/* Calls put() for all directories of a run, which stays unchanged.  Returns 0 or a negative errno. */
static int each_of_run(const struct dir_runs *r, const struct sorted_run *run, void (*put)(void *, struct dir_parent),
		       void *ctx)
{
	struct sorted_run cursor = *run;
	struct dir_parent dir = { 0 };
	int ret;

	while ((ret = read_next(r, &cursor, &dir)) > 0)
		put(ctx, dir);
	if (!run->bytes)
		free(cursor.bytes);
	return ret;
}

int dir_runs_each(const struct dir_runs *r, void (*put)(void *ctx, struct dir_parent dir), void *ctx)
{
	int ret = 0;

	for (unsigned i = 0; i < r->nlanes && !ret; i++) {
		for (size_t n = 0; n < r->lanes[i].count; n++)
			put(ctx, r->lanes[i].dirs[n]);
		ret = r->lanes[i].error;
	}
	for (size_t i = 0; i < r->nruns && !ret; i++)
		ret = each_of_run(r, &r->runs[i], put, ctx);
	return ret;
}
