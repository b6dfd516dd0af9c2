/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A layer of the overlay. A hash table finds groups of 64 KiB; a group has the slots of its 16 pages, and a bit for
 * each staged sector. This takes 6 bytes per 4 KiB if much is staged, 100 if little is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"

#define FIRST_GROUPS 32u

static size_t bytes_of(uint32_t groups, uint32_t table_size)
{
	return groups * sizeof(struct layer_group) + table_size * sizeof(uint32_t);
}

void layer_clear(struct layer *layer, struct pages *pages)
{
	for (uint32_t i = 0; i < layer->count; i++) {
		for (unsigned page = 0; page < GROUP_PAGES; page++) {
			if (layer->groups[i].slots[page] != NO_SLOT)
				pages_free(pages, layer->groups[i].slots[page]);
		}
	}
	pages_discharge(pages, bytes_of(layer->capacity, layer->table_size));
	free(layer->groups);
	free(layer->table);
	*layer = (struct layer){ 0 };
}

/* Returns the slot of a group in the table, or the empty slot for it. */
static uint32_t *table_at(const struct layer *layer, uint64_t number)
{
	uint32_t mask = layer->table_size - 1;
	uint32_t at = (uint32_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;

	while (layer->table[at] && layer->groups[layer->table[at] - 1].number != number)
		at = (at + 1) & mask;
	return &layer->table[at];
}

struct layer_group *layer_find(const struct layer *layer, uint64_t number)
{
	uint32_t index = layer->table_size ? *table_at(layer, number) : 0;

	return index ? &layer->groups[index - 1] : NULL;
}

/* Makes room for one more group. 0 or -ENOMEM. */
static int make_room(struct layer *layer, struct pages *pages)
{
	uint32_t capacity = layer->capacity ? 2 * layer->capacity : FIRST_GROUPS;
	struct layer_group *groups;
	uint32_t *table;

	if (layer->groups && layer->count < layer->capacity)
		return 0;
	if (capacity > UINT32_MAX / 4)
		return -ENOMEM;
	groups = reallocarray(layer->groups, capacity, sizeof(*groups));
	if (!groups)
		return -ENOMEM;
	layer->groups = groups;
	table = calloc((size_t)2 * capacity, sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(layer->table);
	pages_discharge(pages, bytes_of(layer->capacity, layer->table_size));
	layer->capacity = capacity;
	layer->table = table;
	layer->table_size = 2 * capacity;
	pages_charge(pages, bytes_of(layer->capacity, layer->table_size));
	for (uint32_t i = 0; i < layer->count; i++)
		*table_at(layer, groups[i].number) = i + 1;
	return 0;
}

static int find_or_add(struct layer *layer, struct pages *pages, uint64_t number, struct layer_group **ret_group)
{
	struct layer_group *group = layer_find(layer, number);
	int ret;

	if (!group) {
		ret = make_room(layer, pages);
		if (ret)
			return ret;
		group = &layer->groups[layer->count];
		*group = (struct layer_group){ .number = number };
		for (unsigned page = 0; page < GROUP_PAGES; page++)
			group->slots[page] = NO_SLOT;
		*table_at(layer, number) = ++layer->count;
	}
	*ret_group = group;
	return 0;
}

/* The part of a range that is in one page. */
struct slice {
	uint64_t group;
	unsigned page;	/* in the group */
	uint32_t start; /* bytes in the page */
	uint32_t len;	/* bytes */
};

static struct slice slice_at(uint64_t offset, uint64_t len)
{
	struct slice slice = { .group = offset >> GROUP_LOG,
			       .page = (unsigned)(offset >> STORE_PAGE_LOG) % GROUP_PAGES,
			       .start = (uint32_t)offset % STORE_PAGE };
	uint32_t room = STORE_PAGE - slice.start;

	slice.len = len < room ? (uint32_t)len : room;
	return slice;
}

/* Returns the sectors that a slice touches, a bit each. */
static uint8_t sectors_of(const struct slice *slice)
{
	unsigned first = slice->start / SECTOR_SIZE;
	unsigned end = (slice->start + slice->len + SECTOR_SIZE - 1) / SECTOR_SIZE;

	return (uint8_t)((1u << end) - (1u << first));
}

int layer_reserve(struct layer *layer, struct pages *pages, uint64_t offset, uint64_t len)
{
	struct slice slice;

	for (; len; offset += slice.len, len -= slice.len) {
		struct layer_group *group;
		int ret;

		slice = slice_at(offset, len);
		ret = find_or_add(layer, pages, slice.group, &group);
		if (!ret && group->slots[slice.page] == NO_SLOT)
			ret = pages_alloc(pages, &group->slots[slice.page]);
		if (ret)
			return ret;
	}
	return 0;
}

int layer_put(struct layer *layer, struct pages *pages, const uint8_t *bytes, uint64_t offset, uint64_t len)
{
	struct slice slice;

	for (; len; offset += slice.len, bytes += slice.len, len -= slice.len) {
		struct layer_group *group;
		uint8_t sectors;
		int ret;

		slice = slice_at(offset, len);
		group = layer_find(layer, slice.group);
		ret = pages_write(pages, group->slots[slice.page], slice.start, bytes, slice.len);
		if (ret)
			return ret;
		sectors = sectors_of(&slice);
		layer->sectors += (unsigned)__builtin_popcount(sectors & ~(unsigned)group->staged[slice.page]);
		group->staged[slice.page] |= sectors;
	}
	return 0;
}

/* Finds the next run of staged sectors, from *start on; both ends are bytes in the page. False: there is none. */
static bool next_run(uint8_t staged, uint32_t *start, uint32_t *ret_end)
{
	unsigned first = *start / SECTOR_SIZE, end;

	while (first < PAGE_SECTORS && !(staged >> first & 1))
		first++;
	for (end = first; end < PAGE_SECTORS && staged >> end & 1; end++)
		;
	*start = first * SECTOR_SIZE;
	*ret_end = end * SECTOR_SIZE;
	return first < end;
}

/* Copies the staged sectors of a slice into its bytes. 0 or negative errno. */
static int get_slice(const struct layer_group *group, const struct pages *pages, const struct slice *slice,
		     uint8_t *bytes)
{
	uint8_t staged = group->staged[slice->page] & sectors_of(slice);
	uint32_t slice_end = slice->start + slice->len, at = slice->start, end;

	for (; next_run(staged, &at, &end); at = end) {
		uint32_t stop = end < slice_end ? end : slice_end;
		int ret = pages_read(pages, group->slots[slice->page], at, bytes + (at - slice->start), stop - at);

		if (ret)
			return ret;
	}
	return 0;
}

int layer_get(const struct layer *layer, const struct pages *pages, uint8_t *bytes, uint64_t offset, uint64_t len)
{
	while (len) {
		uint64_t in_group = GROUP_BYTES - offset % GROUP_BYTES;
		const struct layer_group *group = layer_find(layer, offset >> GROUP_LOG);
		uint64_t n = len < in_group ? len : in_group;
		struct slice slice;

		for (uint64_t done = 0; group && done < n; done += slice.len) {
			int ret;

			slice = slice_at(offset + done, n - done);
			ret = get_slice(group, pages, &slice, bytes + done);
			if (ret)
				return ret;
		}
		offset += n;
		bytes += n;
		len -= n;
	}
	return 0;
}

uint8_t layer_staged(const struct layer *layer, uint64_t page)
{
	const struct layer_group *group = layer_find(layer, page / GROUP_PAGES);

	return group ? group->staged[page % GROUP_PAGES] : 0;
}
