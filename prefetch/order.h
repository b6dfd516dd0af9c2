/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of reads: pure functions, and the heap that maintains it. */
#ifndef XFSCK_PREFETCH_ORDER_H
#define XFSCK_PREFETCH_ORDER_H

#include "prefetch.h"

/*
 * A min-heap of items by offset. Offsets are stored beside the pointers, since reading the items would miss the
 * processor's cache. For the same reason entries have several adjacent children, which means fewer levels.
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

/* Adds an item. False: out of memory. */
bool order_push(struct order_heap *heap, struct sweep_item *item);
/* Returns the item with the lowest offset, or NULL. */
struct sweep_item *order_top(const struct order_heap *heap);
/* Returns the offset of the top; the heap must not be empty. */
static inline uint64_t order_top_offset(const struct order_heap *heap)
{
	return heap->entries[0].offset;
}
/* Removes the top and returns it; NULL: the heap is empty. */
struct sweep_item *order_pop(struct order_heap *heap);
void order_free(struct order_heap *heap);

struct order_rules {
	uint32_t merge_gap;   /* bytes: the largest gap to read */
	uint32_t gap_share;   /* all gaps together are at most 1/gap_share of the wanted bytes; 0: no limit */
	uint32_t max_request; /* bytes */
	uint32_t align;	      /* of requests: power of two */
};

/* A request being built: [start, end), aligned. All zero before the first one of a pass. */
struct order_request {
	uint64_t start;
	uint64_t end;
	/* bytes of this request and earlier ones of the pass */
	uint64_t wanted;
	uint64_t gaps;
};

/* Begins a request with an item at offset, or its first part. Returns its bytes in the request, a multiple of unit. */
uint32_t order_begin(const struct order_rules *rules, struct order_request *request, uint64_t offset, uint64_t length,
		     uint32_t unit);

/*
 * Extends the request by an item that starts at or after the request's start. Returns its bytes in the request; 0 if
 * the gap before it is not worth reading, or there is no room for one unit, or for all of a short item.
 */
uint32_t order_extend(const struct order_rules *rules, struct order_request *request, uint64_t offset, uint64_t length,
		      uint32_t unit);

#endif
