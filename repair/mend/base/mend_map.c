/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes an extent map in memory (ondisk 05). */
#include "mend_map.h"

#include <errno.h>

#include "array.h"
#include "disk/bmbt.h"
#include "sets/sort.h"

int mend_map_add(struct mend_map *map, const struct bmap_record *extent)
{
	struct bmap_record rest = *extent;
	int ret = 0;

	while (rest.len > BMBT_LEN_MAX && !ret) {
		struct bmap_record part = rest;

		part.len = BMBT_LEN_MAX;
		ret = array_add(map->v, map->room, map->count, part);
		rest.off.v += BMBT_LEN_MAX;
		rest.start.v += BMBT_LEN_MAX;
		rest.len -= BMBT_LEN_MAX;
	}
	return ret ? ret : array_add(map->v, map->room, map->count, rest);
}

static int by_offset(const void *a, const void *b)
{
	const struct bmap_record *x = a, *y = b;

	return (x->off.v > y->off.v) - (x->off.v < y->off.v);
}

static uint64_t offset_number(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct bmap_record *)record)->off.v;
}

void mend_extents_sort(struct bmap_record *extents, size_t count)
{
	static const struct number_order in_file = { sizeof(*extents), offset_number, NULL, by_offset, NULL };

	number_sort(extents, count, &in_file);
}

void mend_map_sort(struct mend_map *map)
{
	mend_extents_sort(map->v, map->count);
}

struct bmap_record mend_map_part(const struct bmap_record *extent, uint64_t from, uint64_t to)
{
	struct bmap_record part = *extent;

	if (from > extent->off.v) {
		part.off.v = from;
		part.start.v += from - extent->off.v;
	}
	part.len = (uint32_t)((to < mend_map_end(extent) ? to : mend_map_end(extent)) - part.off.v);
	return part;
}

static bool ends_up_to(const void *element, const void *key)
{
	const struct bmap_record *extent = element;
	const uint64_t *off = key;

	return mend_map_end(extent) <= *off;
}

size_t mend_map_behind(const struct bmap_record *extents, size_t count, uint64_t off)
{
	return array_lower_bound(extents, count, sizeof(*extents), &off, ends_up_to);
}

int mend_map_fill(struct mend_map *map, size_t sorted, const struct bmap_record *extent)
{
	uint64_t at = extent->off.v, end = mend_map_end(extent);
	int ret = 0;

	for (size_t i = mend_map_behind(map->v, sorted, at); i < sorted && at < end && !ret; i++) {
		uint64_t from = map->v[i].off.v, to = mend_map_end(&map->v[i]);

		if (from >= end)
			break;
		if (from > at) {
			const struct bmap_record part = mend_map_part(extent, at, from);

			ret = mend_map_add(map, &part);
		}
		at = to;
	}
	if (at < end && !ret) {
		const struct bmap_record part = mend_map_part(extent, at, end);

		ret = mend_map_add(map, &part);
	}
	return ret;
}

int mend_map_merge(struct mend_map *map, const struct mend_map *more)
{
	size_t sorted = map->count;
	int ret = 0;

	for (size_t i = 0; i < more->count && !ret; i++)
		ret = mend_map_fill(map, sorted, &more->v[i]);
	mend_map_sort(map);
	return ret;
}

int mend_map_cut(struct mend_map *map, uint64_t from, uint64_t to, struct mend_map *cut)
{
	size_t first = mend_map_behind(map->v, map->count, from), kept = first;
	struct bmap_record behind = { 0 };

	for (size_t i = first; i < map->count; i++) {
		const struct bmap_record extent = map->v[i];
		struct bmap_record part;

		if (extent.off.v >= to || from >= to) {
			map->v[kept++] = extent;
			continue;
		}
		part = mend_map_part(&extent, from > extent.off.v ? from : extent.off.v, to);
		if (mend_map_add(cut, &part))
			return -ENOMEM;
		if (mend_map_end(&extent) > to)
			behind = mend_map_part(&extent, to, mend_map_end(&extent));
		if (extent.off.v < from)
			map->v[kept++] = mend_map_part(&extent, extent.off.v, from);
	}
	map->count = kept;
	if (!behind.len)
		return 0;
	if (mend_map_add(map, &behind))
		return -ENOMEM;
	mend_map_sort(map);
	return 0;
}

void mend_map_join(struct mend_map *map)
{
	size_t n = 0;

	for (size_t i = 0; i < map->count; i++) {
		struct bmap_record *last = n ? &map->v[n - 1] : NULL;
		const struct bmap_record *next = &map->v[i];

		if (last && mend_map_end(last) == next->off.v && last->start.v + last->len == next->start.v &&
		    last->unwritten == next->unwritten && last->len <= BMBT_LEN_MAX - next->len)
			last->len += next->len;
		else
			map->v[n++] = *next;
	}
	map->count = n;
}

uint64_t mend_map_blocks(const struct bmap_record *extents, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += extents[i].len;
	return sum;
}
