/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An external merge sort.  Records are stored one after the other, as a head and bytes.  To sort them, only pairs of
 * key and place are moved; records with the same key, which are few, are then sorted by comparing.
 */
#define _GNU_SOURCE 1 /* qsort_r() */

#include "spill.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "parallel.h"
#include "sort.h"
#include "whole.h"

#define LEAST_SHARE   (64u << 10)  /* minimum bytes of a lane */
#define FIRST_ROOM    (64u << 10)  /* bytes of a new lane */
#define BUFFER_MOST   (256u << 10) /* bytes of a run that are read at a time, at most ... */
#define BUFFER_LEAST  (68u << 10)  /* ... and at least: a record fits */
#define WRITE_AT_ONCE (1u << 20)

/* A record begins with key, sub and length, without padding. */
#define HEAD_BYTES 18u

struct pair {
	uint64_t key, place;
};

/* Records in the order in which they were added, until they are sorted. */
struct lane {
	uint8_t *bytes;
	size_t used, room, count;
	struct pair *order; /* after sorting; NULL before */
	int error;
	uint8_t apart[64];
};

/* A sorted sequence of records: of a lane, or in the file. */
struct sorted_run {
	const struct lane *lane; /* NULL: in the file */
	uint64_t offset, bytes;	 /* in the file */
	/* while it is read */
	size_t next;	 /* of a lane: index in its order */
	uint64_t read;	 /* bytes of the run that have been read from the file */
	uint8_t *buffer; /* of the file */
	size_t at, have; /* bytes of the buffer: the place of the next record, and their number */
	struct spill_record record;
};

struct spill {
	size_t limit, share;
	unsigned nlanes;
	struct lane *lanes;
	pthread_mutex_t lock; /* protects the members below until everything has been added */
	int fd;		      /* of the temporary file; negative: none */
	uint64_t end;	      /* of the file's contents */
	struct sorted_run *runs;
	size_t nruns, runs_room;
	/* while records are read */
	size_t *heap; /* runs that have records left; the one with the first record is at the top */
	size_t nheap;
	bool taken; /* the record at the top has been returned */
};

struct spill *spill_new(unsigned workers, size_t limit)
{
	struct spill *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->lanes = calloc(workers, sizeof(*s->lanes));
	if (!s->lanes) {
		free(s);
		return NULL;
	}
	s->fd = -1;
	s->nlanes = workers;
	s->limit = limit;
	s->share = limit / workers < LEAST_SHARE ? LEAST_SHARE : limit / workers;
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

static void stop_reading(struct spill *s)
{
	for (size_t i = 0; i < s->nruns; i++) {
		free(s->runs[i].buffer);
		s->runs[i].buffer = NULL;
	}
	free(s->heap);
	s->heap = NULL;
	s->nheap = 0;
}

void spill_free(struct spill *s)
{
	if (!s)
		return;
	stop_reading(s);
	for (unsigned i = 0; i < s->nlanes; i++) {
		free(s->lanes[i].bytes);
		free(s->lanes[i].order);
	}
	if (s->fd >= 0)
		close(s->fd);
	pthread_mutex_destroy(&s->lock);
	free(s->runs);
	free(s->lanes);
	free(s);
}

/* ---- records in memory ---- */

static struct spill_record record_at(const uint8_t *bytes)
{
	struct spill_record r;

	memcpy(&r.key, bytes, sizeof(r.key));
	memcpy(&r.sub, bytes + 8, sizeof(r.sub));
	memcpy(&r.len, bytes + 16, sizeof(r.len));
	r.bytes = bytes + HEAD_BYTES;
	return r;
}

static int compare(const struct spill_record *a, const struct spill_record *b)
{
	int order = number_order(a->key, b->key);

	if (!order)
		order = number_order(a->sub, b->sub);
	if (!order)
		order = memcmp(a->bytes, b->bytes, a->len < b->len ? a->len : b->len);
	return order ? order : (a->len > b->len) - (a->len < b->len);
}

static int compare_pairs(const void *a, const void *b, void *bytes)
{
	const struct spill_record left = record_at((const uint8_t *)bytes + ((const struct pair *)a)->place),
				  right = record_at((const uint8_t *)bytes + ((const struct pair *)b)->place);

	return compare(&left, &right);
}

/* Sets lane->order, and lane->error. */
static void sort_lane(struct lane *lane)
{
	size_t at = 0;

	if (!lane->count || lane->error)
		return;
	lane->order = malloc(lane->count * sizeof(*lane->order));
	if (!lane->order) {
		lane->error = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < lane->count; i++) {
		const struct spill_record r = record_at(lane->bytes + at);

		lane->order[i] = (struct pair){ r.key, at };
		at += HEAD_BYTES + r.len;
	}
	sort_words(&lane->order[0].key, lane->count, 2);
	for (size_t i = 0, end; i < lane->count; i = end) {
		for (end = i + 1; end < lane->count && lane->order[end].key == lane->order[i].key; end++)
			;
		if (end - i > 1)
			qsort_r(&lane->order[i], end - i, sizeof(*lane->order), compare_pairs, lane->bytes);
	}
}

/* ---- runs in the file ---- */

/* Reserves room for a run in the file, and creates the file if needed.  Returns 0 or a negative errno. */
static int begin_run(struct spill *s, uint64_t bytes, uint64_t *ret_offset)
{
	int ret = 0;

	pthread_mutex_lock(&s->lock);
	if (s->fd < 0)
		s->fd = temporary_open();
	if (s->fd < 0)
		ret = s->fd;
	if (!ret)
		ret = array_grow(&s->runs, &s->runs_room, s->nruns, sizeof(*s->runs));
	if (!ret) {
		*ret_offset = s->end;
		s->runs[s->nruns++] = (struct sorted_run){ .offset = s->end, .bytes = bytes };
		s->end += bytes;
	}
	pthread_mutex_unlock(&s->lock);
	return ret;
}

/* Writes the records of a lane in order, and empties the lane.  Sets lane->error. */
static void write_lane(struct spill *s, struct lane *lane)
{
	uint8_t *out = malloc(WRITE_AT_ONCE);
	size_t filled = 0;
	uint64_t offset = 0;

	sort_lane(lane);
	if (!lane->error)
		lane->error = out ? begin_run(s, lane->used, &offset) : -ENOMEM;
	for (size_t i = 0; i < lane->count && !lane->error; i++) {
		const uint8_t *bytes = lane->bytes + lane->order[i].place;
		const size_t size = HEAD_BYTES + record_at(bytes).len;

		if (filled + size > WRITE_AT_ONCE) {
			lane->error = whole_write(s->fd, offset, out, filled);
			offset += filled;
			filled = 0;
		}
		memcpy(out + filled, bytes, size);
		filled += size;
	}
	if (!lane->error)
		lane->error = whole_write(s->fd, offset, out, filled);
	free(out);
	free(lane->order);
	lane->order = NULL;
	lane->used = lane->count = 0;
}

static bool make_room(struct lane *lane, size_t more)
{
	size_t room = lane->room ? lane->room : FIRST_ROOM;
	uint8_t *bytes;

	if (lane->used + more <= lane->room)
		return true;
	while (room < lane->used + more)
		room *= 2;
	bytes = realloc(lane->bytes, room);
	if (!bytes) {
		lane->error = -ENOMEM;
		return false;
	}
	lane->bytes = bytes;
	lane->room = room;
	return true;
}

void spill_add(struct spill *s, unsigned worker, const struct spill_record *r)
{
	struct lane *lane = &s->lanes[worker];
	const size_t size = HEAD_BYTES + (size_t)r->len;

	if (!lane->error && lane->count && lane->used + size + (lane->count + 1) * sizeof(struct pair) > s->share)
		write_lane(s, lane);
	if (lane->error || !make_room(lane, size))
		return;
	memcpy(lane->bytes + lane->used, &r->key, sizeof(r->key));
	memcpy(lane->bytes + lane->used + 8, &r->sub, sizeof(r->sub));
	memcpy(lane->bytes + lane->used + 16, &r->len, sizeof(r->len));
	if (r->len)
		memcpy(lane->bytes + lane->used + HEAD_BYTES, r->bytes, r->len);
	lane->used += size;
	lane->count++;
}

static void sort_step(void *ctx, size_t i)
{
	struct spill *s = ctx;

	sort_lane(&s->lanes[i]);
}

int spill_settle(struct spill *s)
{
	int ret = 0;

	parallel_each(s->nlanes, s->nlanes, sort_step, s);
	for (unsigned i = 0; i < s->nlanes; i++) {
		if (!ret)
			ret = s->lanes[i].error;
		if (!ret && s->lanes[i].count)
			ret = array_add(s->runs, s->runs_room, s->nruns, (struct sorted_run){ .lane = &s->lanes[i] });
	}
	return ret ? ret : spill_rewind(s);
}

/* ---- merging ---- */

/* Reads the whole of the next record into the buffer, if there is one.  Returns 0 or a negative errno. */
static int fill(const struct spill *s, struct sorted_run *run, size_t room)
{
	size_t size;
	int ret;

	if (run->have - run->at >= HEAD_BYTES &&
	    run->have - run->at >= HEAD_BYTES + record_at(run->buffer + run->at).len)
		return 0;
	memmove(run->buffer, run->buffer + run->at, run->have - run->at);
	run->have -= run->at;
	run->at = 0;
	size = room - run->have;
	if (size > run->bytes - run->read)
		size = (size_t)(run->bytes - run->read);
	ret = whole_read(s->fd, run->offset + run->read, run->buffer + run->have, size, -EIO);
	run->have += size;
	run->read += size;
	return ret;
}

static size_t buffer_room(const struct spill *s)
{
	const size_t room = s->limit / (s->nruns + 1);

	return room < BUFFER_LEAST ? BUFFER_LEAST : room > BUFFER_MOST ? BUFFER_MOST : room;
}

/* Goes to the next record of a run.  Returns 1, 0: none, or a negative errno. */
static int advance(const struct spill *s, struct sorted_run *run)
{
	int ret;

	if (run->lane) {
		if (run->next == run->lane->count)
			return 0;
		run->record = record_at(run->lane->bytes + run->lane->order[run->next++].place);
		return 1;
	}
	if (!run->buffer)
		run->buffer = malloc(buffer_room(s));
	if (!run->buffer)
		return -ENOMEM;
	ret = fill(s, run, buffer_room(s));
	if (ret)
		return ret;
	if (run->at == run->have)
		return 0;
	run->record = record_at(run->buffer + run->at);
	run->at += HEAD_BYTES + run->record.len;
	return 1;
}

/* True if the record of a run comes before that of another; if they are equal, the earlier run is first. */
static bool comes_before(const struct spill *s, size_t a, size_t b)
{
	const int order = compare(&s->runs[a].record, &s->runs[b].record);

	return order ? order < 0 : a < b;
}

/* Moves a run down to its place in the heap. */
static void sink_down(struct spill *s, size_t at)
{
	const size_t run = s->heap[at];

	for (size_t child; (child = 2 * at + 1) < s->nheap; at = child) {
		if (child + 1 < s->nheap && comes_before(s, s->heap[child + 1], s->heap[child]))
			child++;
		if (comes_before(s, run, s->heap[child]))
			break;
		s->heap[at] = s->heap[child];
	}
	s->heap[at] = run;
}

int spill_rewind(struct spill *s)
{
	stop_reading(s);
	s->taken = false;
	s->heap = calloc(s->nruns + 1, sizeof(*s->heap));
	if (!s->heap)
		return -ENOMEM;
	for (size_t i = 0; i < s->nruns; i++) {
		int ret;

		s->runs[i].next = s->runs[i].at = s->runs[i].have = 0;
		s->runs[i].read = 0;
		ret = advance(s, &s->runs[i]);
		if (ret < 0)
			return ret;
		if (ret)
			s->heap[s->nheap++] = i;
	}
	for (size_t i = s->nheap / 2; i-- > 0;)
		sink_down(s, i);
	return 0;
}

int spill_next(struct spill *s, struct spill_record *ret_record)
{
	if (s->taken) {
		const int ret = advance(s, &s->runs[s->heap[0]]);

		if (ret < 0)
			return ret;
		if (!ret)
			s->heap[0] = s->heap[--s->nheap];
		if (s->nheap)
			sink_down(s, 0);
	}
	s->taken = s->nheap > 0;
	if (!s->taken)
		return 0;
	*ret_record = s->runs[s->heap[0]].record;
	return 1;
}
