/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds bytes of a sparse device in the file that holds them: a sorted array of extents. */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "extent_map.h"
#include "units.h"

static uint64_t end_of(const struct map_extent *extent)
{
	return extent->addr + extent->len;
}

/* Whether `next` goes on where `extent` ends, both on the device and in the file. */
static bool goes_on(const struct map_extent *extent, const struct map_extent *next)
{
	return end_of(extent) == next->addr && extent->at + (extent->len << SECTOR_LOG) == next->at;
}

int extent_map_add(struct extent_map *map, const struct map_extent *extent)
{
	struct map_extent *last = map->count ? &map->extents[map->count - 1] : NULL;

	if (last && goes_on(last, extent)) {
		last->len += extent->len;
		return 0;
	}
	return array_add(map->extents, map->room, map->count, *extent);
}

static int by_address(const void *a, const void *b)
{
	const struct map_extent *one = a, *other = b;

	if (one->addr != other->addr)
		return one->addr < other->addr ? -1 : 1;
	return one->at < other->at ? -1 : one->at > other->at;
}

static bool any_overlap(const struct extent_map *map)
{
	for (size_t i = 1; i < map->count; i++)
		if (end_of(&map->extents[i - 1]) > map->extents[i].addr)
			return true;
	return false;
}

/* Extents that reach some sector, as a heap: the last of the file is on top. */
struct heap {
	const struct map_extent **top;
	size_t count;
};

static void heap_push(struct heap *heap, const struct map_extent *extent)
{
	size_t i = heap->count++;

	for (; i && heap->top[(i - 1) / 2]->at < extent->at; i = (i - 1) / 2)
		heap->top[i] = heap->top[(i - 1) / 2];
	heap->top[i] = extent;
}

static void heap_pop(struct heap *heap)
{
	const struct map_extent *last = heap->top[--heap->count];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap->count && heap->top[child + 1]->at > heap->top[child]->at)
			child++;
		if (child >= heap->count || heap->top[child]->at <= last->at)
			break;
		heap->top[i] = heap->top[child];
		i = child;
	}
	heap->top[i] = last;
}

/* Go along the addresses of sorted extents, and add to `to` what the topmost one has there. 0 or -ENOMEM. */
static int cover(const struct extent_map *from, struct heap *heap, struct extent_map *to)
{
	uint64_t sector = 0;
	size_t i = 0;
	int ret = 0;

	while (!ret && (i < from->count || heap->count)) {
		uint64_t end;

		if (!heap->count)
			sector = from->extents[i].addr;
		for (; i < from->count && from->extents[i].addr <= sector; i++)
			heap_push(heap, &from->extents[i]);
		while (heap->count && end_of(heap->top[0]) <= sector)
			heap_pop(heap);
		if (!heap->count)
			continue;
		end = end_of(heap->top[0]);
		if (i < from->count && from->extents[i].addr < end)
			end = from->extents[i].addr;
		ret = extent_map_add(
			to, &(struct map_extent){ sector, end - sector,
						  heap->top[0]->at + ((sector - heap->top[0]->addr) << SECTOR_LOG) });
		sector = end;
	}
	return ret;
}

int extent_map_settle(struct extent_map *map)
{
	struct extent_map settled = { 0 };
	struct heap heap = { 0 };
	int ret;

	if (map->count)
		qsort(map->extents, map->count, sizeof(*map->extents), by_address);
	if (!any_overlap(map))
		return 0;
	heap.top = calloc(map->count, sizeof(const struct map_extent *));
	ret = heap.top ? cover(map, &heap, &settled) : -ENOMEM;
	free(heap.top);
	if (ret) {
		extent_map_free(&settled);
		return ret;
	}
	extent_map_free(map);
	*map = settled;
	return 0;
}

void extent_map_free(struct extent_map *map)
{
	free(map->extents);
	*map = (struct extent_map){ 0 };
}

static bool ends_before(const void *element, const void *key)
{
	return end_of(element) <= *(const uint64_t *)key;
}

const struct map_extent *extent_map_from(const struct extent_map *map, uint64_t sector)
{
	const size_t i = array_lower_bound(map->extents, map->count, sizeof(*map->extents), &sector, ends_before);

	return i < map->count ? &map->extents[i] : NULL;
}

const struct map_extent *extent_map_next(const struct extent_map *map, const struct map_extent *extent)
{
	return extent + 1 < map->extents + map->count ? extent + 1 : NULL;
}

uint64_t extent_map_end(const struct extent_map *map)
{
	return map->count ? end_of(&map->extents[map->count - 1]) : 0;
}
