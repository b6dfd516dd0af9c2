/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records.h"

#include <err.h>
#include <stdlib.h>

void records_add(struct records *records, const struct record *record)
{
	if (records->count == records->room) {
		records->room = records->room ? 2 * records->room : 64;
		records->v = realloc(records->v, records->room * sizeof(*records->v));
		if (!records->v)
			err(2, "records");
	}
	records->v[records->count++] = *record;
}

void records_free(struct records *records)
{
	free(records->v);
	*records = (struct records){ 0 };
}

static int by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_start(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int order = by_number(x->start, y->start);

	order = order ? order : by_number(x->owner, y->owner);
	return order ? order : by_number(x->offset, y->offset);
}

static int by_length(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	const int order = by_number(x->len, y->len);

	return order ? order : by_number(x->start, y->start);
}

void records_sort(struct records *records, enum btree_kind kind)
{
	if (records->count)
		qsort(records->v, records->count, sizeof(*records->v), kind == BT_CNT ? by_length : by_start);
}

static void add_run(struct sequence *sequence, const struct record *v, uint64_t count, uint32_t each)
{
	if (!count)
		return;
	if (sequence->nruns == RUNS_MAX)
		errx(2, "free extents of a cell have too many lengths");
	sequence->runs[sequence->nruns++] = (struct run){ sequence->total, count, v, each };
	sequence->total += count;
}

/* Number of records, from the first on, with the same length. */
static size_t same_length(const struct records *records, size_t from)
{
	size_t i = from;

	while (i < records->count && records->v[i].len == records->v[from].len)
		i++;
	return i - from;
}

/* Adds the single records from *done on that are no longer than len. */
static void add_up_to(struct sequence *sequence, const struct records *once, size_t *done, uint32_t len)
{
	size_t i = *done;

	while (i < once->count && once->v[i].len <= len)
		i++;
	add_run(sequence, once->v + *done, i - *done, 0);
	*done = i;
}

/* Sorts by length; among equals, records before the cells come first, and those after them last. */
static void by_lengths(struct sequence *sequence, const struct records *before, const struct records *cell,
		       const struct cells *cells, const struct records *behind)
{
	size_t first = 0, last = 0;

	for (size_t i = 0; i < cell->count;) {
		const size_t same = same_length(cell, i);
		const uint32_t len = cell->v[i].len;

		add_up_to(sequence, before, &first, len - 1);
		add_up_to(sequence, behind, &last, len - 1);
		add_up_to(sequence, before, &first, len);
		add_run(sequence, cell->v + i, same * cells->count, (uint32_t)same);
		add_up_to(sequence, behind, &last, len);
		i += same;
	}
	while (first < before->count || last < behind->count) {
		const uint32_t a = first < before->count ? before->v[first].len : UINT32_MAX;
		const uint32_t b = last < behind->count ? behind->v[last].len : UINT32_MAX;

		if (a <= b)
			add_up_to(sequence, before, &first, a);
		else
			add_up_to(sequence, behind, &last, b);
	}
}

void sequence_make(struct sequence *sequence, enum btree_kind kind, const struct records *before,
		   const struct records *cell, const struct cells *cells, const struct records *behind)
{
	*sequence = (struct sequence){ .runs = calloc(RUNS_MAX, sizeof(struct run)) };
	if (!sequence->runs)
		err(2, "records");
	if (kind == BT_CNT) {
		by_lengths(sequence, before, cell, cells, behind);
		return;
	}
	add_run(sequence, before->v, before->count, 0);
	add_run(sequence, cell->v, cell->count * cells->count, (uint32_t)cell->count);
	add_run(sequence, behind->v, behind->count, 0);
}

void sequence_free(struct sequence *sequence)
{
	free(sequence->runs);
	*sequence = (struct sequence){ 0 };
}

void cursor_set(struct cursor *cursor, uint64_t index)
{
	const struct sequence *sequence = cursor->sequence;
	uint32_t low = 0, high = sequence->nruns;

	while (high - low > 1) {
		const uint32_t middle = (low + high) / 2;

		if (sequence->runs[middle].first <= index)
			low = middle;
		else
			high = middle;
	}
	cursor->run = low;
	index -= low < sequence->nruns ? sequence->runs[low].first : 0;
	if (low < sequence->nruns && sequence->runs[low].each) {
		cursor->cell = index / sequence->runs[low].each;
		cursor->slot = (uint32_t)(index % sequence->runs[low].each);
	} else {
		cursor->cell = 0;
		cursor->slot = (uint32_t)index;
	}
}

/* Moves a record of a cell to this cell's place. */
static void move(const struct cursor *cursor, struct record *record)
{
	const uint32_t base = cursor->cells->base + (uint32_t)cursor->cell * cursor->cells->length;
	const bool inodes = cursor->kind == BT_INO || cursor->kind == BT_FINO;

	record->start += inodes ? base << cursor->geo->inopb_log : base;
	if (record->whose == WHOSE_HUGE)
		record->offset +=
			((uint64_t)cursor->agno.v * cursor->cells->count + cursor->cell) * cursor->cells->huge;
	if (record->whose == WHOSE_CELL)
		record->owner += fsbno_of(cursor->geo, cursor->agno, (agbno_t){ base }).v << cursor->geo->inopb_log;
}

struct record cursor_next(struct cursor *cursor)
{
	const struct run *run = &cursor->sequence->runs[cursor->run];
	struct record record = run->v[cursor->slot++];

	if (run->each) {
		move(cursor, &record);
		if (cursor->slot == run->each) {
			cursor->slot = 0;
			cursor->cell++;
		}
	}
	if (record.whose == WHOSE_GROUP)
		record.owner += ino_of(cursor->geo, cursor->agno, (agino_t){ 0 }).v;
	if (run->each ? cursor->cell == cursor->cells->count : cursor->slot == run->count) {
		cursor->run++;
		cursor->slot = 0;
		cursor->cell = 0;
	}
	return record;
}
