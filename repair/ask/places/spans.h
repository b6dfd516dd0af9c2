/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of requested ranges among very many numbers. Looking up a range usually takes a single table access. */
#ifndef XFSCK_REPAIR_SPANS_H
#define XFSCK_REPAIR_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t start, end;
};

/* Sorts ranges, and joins those that overlap or touch. Returns how many are left. */
size_t spans_join(struct span *v, size_t count);

/* Start with { 0 }. */
struct spans {
	struct span *v; /* ascending, not adjacent */
	size_t count;
	uint32_t *first; /* for each cell of 1 << cell_log numbers: the first span that ends after its start ... */
	uint64_t cells;	 /* ... plus one for the end of the last cell */
	unsigned cell_log;
};

/*
 * Takes over `count` ranges, fewer than 2^32, start < end, in any order, possibly overlapping. end: of all numbers that
 * will be looked up. 0 or -ENOMEM; call spans_free() in either case.
 */
int spans_settle(struct spans *spans, struct span *ranges, size_t count, uint64_t end);
void spans_free(struct spans *spans);

/* Returns the first span that ends after this number; spans->count: none. */
static inline size_t spans_from(const struct spans *spans, uint64_t start)
{
	const uint64_t cell = start >> spans->cell_log;
	size_t low, high;

	if (cell >= spans->cells)
		return spans->count;
	low = spans->first[cell];
	high = spans->first[cell + 1];
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (spans->v[middle].end <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* True if any number of [start, end) is in a span. */
static inline bool spans_touch(const struct spans *spans, uint64_t start, uint64_t end)
{
	const size_t i = spans_from(spans, start);

	return i < spans->count && spans->v[i].start < end;
}

#endif
