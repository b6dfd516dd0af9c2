/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides what to read next: the heap of items in disk order, and the rule for items to share a request. Pure functions
 * without I/O and threads, so they can be tested with arrays.
 */
#include "order.h"

#include <stdlib.h>

#include "array.h"

bool order_push(struct order_heap *heap, struct sweep_item *item)
{
	const struct order_entry entry = { item->offset, item };
	size_t i;

	if (array_grow(&heap->entries, &heap->room, heap->count, sizeof(*heap->entries)))
		return false;
	for (i = heap->count++; i > 0; i = (i - 1) / ORDER_CHILDREN) {
		const struct order_entry *parent = &heap->entries[(i - 1) / ORDER_CHILDREN];

		if (parent->offset <= entry.offset)
			break;
		heap->entries[i] = *parent;
	}
	heap->entries[i] = entry;
	return true;
}

struct sweep_item *order_top(const struct order_heap *heap)
{
	return heap->count ? heap->entries[0].item : NULL;
}

struct sweep_item *order_pop(struct order_heap *heap)
{
	struct sweep_item *top = order_top(heap);
	struct order_entry last;
	size_t i = 0;

	if (!top)
		return NULL;
	last = heap->entries[--heap->count];
	for (;;) {
		size_t first = ORDER_CHILDREN * i + 1, child = first;

		if (first >= heap->count)
			break;
		for (size_t other = first + 1; other < first + ORDER_CHILDREN && other < heap->count; other++)
			if (heap->entries[other].offset < heap->entries[child].offset)
				child = other;
		if (last.offset <= heap->entries[child].offset)
			break;
		heap->entries[i] = heap->entries[child];
		i = child;
	}
	if (heap->count)
		heap->entries[i] = last;
	return top;
}

void order_free(struct order_heap *heap)
{
	free(heap->entries);
	*heap = (struct order_heap){ 0 };
}

static uint64_t round_down(uint64_t v, uint32_t align)
{
	return v & ~(uint64_t)(align - 1);
}

static uint64_t round_up(uint64_t v, uint32_t align)
{
	return round_down(v + align - 1, align);
}

/* Returns the bytes of an item's whole units that end before limit. */
static uint32_t units_before(uint64_t offset, uint64_t length, uint32_t unit, uint64_t limit)
{
	uint64_t room;

	if (offset + unit > limit)
		return 0;
	room = (limit - offset) / unit * unit;
	return (uint32_t)(room < length ? room : length);
}

uint32_t order_begin(const struct order_rules *rules, struct order_request *request, uint64_t offset, uint64_t length,
		     uint32_t unit)
{
	uint32_t taken;

	request->start = round_down(offset, rules->align);
	taken = units_before(offset, length, unit, request->start + rules->max_request);
	if (!taken)
		taken = unit; /* one unit is read even if it is larger than a request should be */
	request->end = round_up(offset + taken, rules->align);
	request->wanted += request->end - request->start;
	return taken;
}

static bool worth_reading(const struct order_rules *rules, const struct order_request *request, uint64_t gap,
			  uint32_t taken)
{
	uint64_t gaps = request->gaps + gap, wanted = request->wanted + taken;

	return gap == 0 || (gap <= rules->merge_gap && (!rules->gap_share || gaps <= wanted / rules->gap_share));
}

uint32_t order_extend(const struct order_rules *rules, struct order_request *request, uint64_t offset, uint64_t length,
		      uint32_t unit)
{
	uint64_t gap = offset > request->end ? offset - request->end : 0;
	uint64_t before = request->end;
	uint32_t taken;

	if (offset < request->start)
		return 0;
	taken = units_before(offset, length, unit, request->start + rules->max_request);
	/* a short item is not split, since only requests of whole items can be given to another worker */
	if (taken < length && length <= rules->max_request / 4)
		return 0;
	if (!taken || !worth_reading(rules, request, gap, taken))
		return 0;
	if (offset + taken > request->end)
		request->end = round_up(offset + taken, rules->align);
	request->gaps += gap;
	request->wanted += request->end - before - gap;
	return taken;
}
