/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of reading, as pure functions over numbers, and the heap that keeps it. */
#ifndef XFSCK_PREFETCH_ORDER_H
#define XFSCK_PREFETCH_ORDER_H

#include "prefetch.h"

/*
 * A min-heap of items by offset.  The offset is kept beside the pointer, since a look at the items themselves would
 * miss the processor's cache.  For the same reason each entry has several children, which lie side by side: so there
 * are fewer levels.
 */
#define ORDER_CHILDREN 4

struct order_entry {
	uint64_t offset;
	struct sweep_item *item;
};

struct order_heap {
	struct order_entry *entries;
	size_t count;
	size_t room;
};

/* False: out of memory, the item was not taken. */
bool order_push(struct order_heap *heap, struct sweep_item *item);
/* The item with the lowest offset, or NULL. */
struct sweep_item *order_top(const struct order_heap *heap);
/* The offset of the top; the heap must not be empty. */
static inline uint64_t order_top_offset(const struct order_heap *heap)
{
	return heap->entries[0].offset;
}
/* Remove the top and return it; NULL: the heap is empty. */
struct sweep_item *order_pop(struct order_heap *heap);
void order_free(struct order_heap *heap);

struct order_rules {
	uint32_t merge_gap;   /* bytes: larger gaps are not read through */
	uint32_t gap_share;   /* all gaps together are at most 1/gap_share of the wanted bytes; 0: no such limit */
	uint32_t max_request; /* bytes */
	uint32_t align;	      /* of requests: power of two */
};

/* A request that is being put together: [start, end), aligned. Zeroed before the first one of a pass. */
struct order_run {
	uint64_t start;
	uint64_t end;
	/* bytes of this request and those before it in the pass */
	uint64_t wanted;
	uint64_t gaps;
};

/*
 * Begin a run with (the first part of) an item at offset; returns how many of its bytes, a multiple of unit, go into
 * it.
 */
uint32_t order_begin(const struct order_rules *rules, struct order_run *run, uint64_t offset, uint64_t length,
		     uint32_t unit);

/*
 * Extend the run by an item that starts at or behind the run's start.  Returns how many of its bytes go into the run; 0
 * if the gap before it is not worth reading through, or there is no room for one unit, or not for all of a short item.
 */
uint32_t order_extend(const struct order_rules *rules, struct order_run *run, uint64_t offset, uint64_t length,
		      uint32_t unit);

#endif
