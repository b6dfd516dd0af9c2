/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps sectors of a sparse device to bytes of the file that holds them: a sorted array of extents. If there are more
 * than memory allows, sorted runs go to a temporary file, are merged, and the result is read from another file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "extent_map.h"
#include "units.h"
#include "whole.h"

static uint64_t end_of(const struct map_extent *extent)
{
	return extent->addr + extent->len;
}

/* True if `next` continues `extent`, both on the device and in the file. */
static bool goes_on(const struct map_extent *extent, const struct map_extent *next)
{
	return end_of(extent) == next->addr && extent->at + (extent->len << SECTOR_LOG) == next->at;
}

/* ---- a file of extents ---- */

/* Appends extents as a run. 0 or a negative errno. */
static int file_add_run(struct map_file *file, const struct map_extent *extents, size_t count)
{
	int ret = 0;

	if (!file->open) {
		ret = temporary_open();
		if (ret < 0)
			return ret;
		*file = (struct map_file){ .open = true, .fd = ret };
	}
	ret = whole_write(file->fd, file->count * sizeof(*extents), extents, count * sizeof(*extents));
	file->count += ret ? 0 : count;
	return ret ? ret : array_add(file->runs, file->room, file->nruns, file->count);
}

static void file_close(struct map_file *file)
{
	free(file->runs);
	if (file->open)
		close(file->fd);
	*file = (struct map_file){ 0 };
}

/* ---- adding ---- */

static int by_address(const void *a, const void *b)
{
	const struct map_extent *one = a, *other = b;

	if (one->addr != other->addr)
		return one->addr < other->addr ? -1 : 1;
	return one->at < other->at ? -1 : one->at > other->at;
}

static void sort(struct extent_map *map)
{
	if (map->count)
		qsort(map->extents, map->count, sizeof(*map->extents), by_address);
}

static int add(struct extent_map *map, const struct map_extent *extent)
{
	struct map_extent *last = map->count ? &map->extents[map->count - 1] : NULL;

	if (last && goes_on(last, extent)) {
		last->len += extent->len;
		return 0;
	}
	return array_add(map->extents, map->room, map->count, *extent);
}

int extent_map_add(struct extent_map *map, const struct map_extent *extent)
{
	int ret = 0;

	if (map->most && map->count >= map->most) {
		sort(map);
		ret = file_add_run(&map->file, map->extents, map->count);
		map->count = 0;
	}
	return ret ? ret : add(map, extent);
}

/* ---- merging ---- */

/* A sorted run, loaded buffer by buffer. */
struct sorted_run {
	struct map_extent *buffer;
	size_t at, loaded;
	uint64_t next, end; /* position in the file, in extents */
};

struct merge {
	struct map_file file;
	struct sorted_run *runs, **heap; /* a heap: the run whose next extent has the lowest address is on top */
	size_t nruns, waiting, most;
};

/* Loads more of a run. True if there was more; *ret_error: 0 or a negative errno. */
static bool run_load(struct merge *merge, struct sorted_run *run, int *ret_error)
{
	const uint64_t left = run->end - run->next;

	run->at = 0;
	run->loaded = left < merge->most ? (size_t)left : merge->most;
	if (!run->loaded)
		return false;
	*ret_error = whole_read(merge->file.fd, run->next * sizeof(*run->buffer), run->buffer,
				run->loaded * sizeof(*run->buffer), -EIO);
	run->next += run->loaded;
	return !*ret_error;
}

static bool run_is_first(const struct sorted_run *run, const struct sorted_run *other)
{
	return by_address(&run->buffer[run->at], &other->buffer[other->at]) < 0;
}

/* Moves the run at i down the heap to its position. */
static void sift(struct merge *merge, size_t i)
{
	struct sorted_run *run = merge->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < merge->waiting && run_is_first(merge->heap[child + 1], merge->heap[child]))
			child++;
		if (child >= merge->waiting || run_is_first(run, merge->heap[child]))
			break;
		merge->heap[i] = merge->heap[child];
		i = child;
	}
	merge->heap[i] = run;
}

/*
 * Begins to merge the runs of the map's file and the sorted extents in memory, both of which *merge takes over. 0 or a
 * negative errno; call merge_end() in any case.
 */
static int merge_begin(struct merge *merge, struct extent_map *map)
{
	const size_t inner = map->file.nruns;
	int ret = 0;

	*merge = (struct merge){ .file = map->file, .nruns = inner + 1 };
	map->file = (struct map_file){ 0 };
	merge->most = inner ? map->most / inner : 0;
	if (merge->most < MAP_BLOCK)
		merge->most = MAP_BLOCK;
	merge->runs = calloc(merge->nruns, sizeof(*merge->runs));
	merge->heap = calloc(merge->nruns, sizeof(*merge->heap));
	if (!merge->runs || !merge->heap)
		return -ENOMEM;
	/* the last run is in memory */
	merge->runs[inner] = (struct sorted_run){ .buffer = map->extents, .loaded = map->count };
	map->extents = NULL;
	map->count = map->room = 0;
	for (size_t i = 0; i < merge->nruns && !ret; i++) {
		struct sorted_run *run = &merge->runs[i];

		if (i < inner) {
			run->next = i ? merge->file.runs[i - 1] : 0;
			run->end = merge->file.runs[i];
			run->buffer = calloc(merge->most, sizeof(*run->buffer));
			if (!run->buffer)
				return -ENOMEM;
			run_load(merge, run, &ret);
		}
		if (run->loaded)
			merge->heap[merge->waiting++] = run;
	}
	for (size_t i = merge->waiting / 2; i-- > 0 && !ret;)
		sift(merge, i);
	return ret;
}

/* True if there is another extent; *ret_error: 0 or a negative errno. */
static bool merge_next(struct merge *merge, struct map_extent *ret_extent, int *ret_error)
{
	struct sorted_run *run = merge->waiting ? merge->heap[0] : NULL;

	if (!run)
		return false;
	*ret_extent = run->buffer[run->at++];
	if (run->at == run->loaded && !run_load(merge, run, ret_error))
		merge->heap[0] = merge->heap[--merge->waiting];
	if (merge->waiting)
		sift(merge, 0);
	return !*ret_error;
}

static void merge_end(struct merge *merge)
{
	for (size_t i = 0; merge->runs && i < merge->nruns; i++)
		free(merge->runs[i].buffer);
	free(merge->runs);
	free(merge->heap);
	file_close(&merge->file);
}

/* ---- overlaps ---- */

/*
 * Extents that reach the current sector and are on top there or later. They are in file order, so the last one is on
 * top, and each is shorter than those below it. n of them take about n^2 / 2 sectors of the file, so there are few.
 */
struct cover {
	struct map_extent *stack;
	size_t count, room;
};

static bool is_earlier(const void *element, const void *key)
{
	return ((const struct map_extent *)element)->at < *(const uint64_t *)key;
}

static int cover_add(struct cover *cover, const struct map_extent *extent)
{
	const size_t above = array_lower_bound(cover->stack, cover->count, sizeof(*extent), &extent->at, is_earlier);
	size_t below = above;

	if (above < cover->count && end_of(&cover->stack[above]) >= end_of(extent))
		return 0;
	while (below && end_of(&cover->stack[below - 1]) <= end_of(extent))
		below--;
	if (array_grow(&cover->stack, &cover->room, cover->count, sizeof(*extent)))
		return -ENOMEM;
	memmove(&cover->stack[below + 1], &cover->stack[above], (cover->count - above) * sizeof(*extent));
	cover->stack[below] = *extent;
	cover->count = cover->count - (above - below) + 1;
	return 0;
}

/* ---- the settled map ---- */

/* Appends the settled extents in memory to the map's file. 0 or a negative errno. */
static int flush(struct extent_map *map)
{
	const uint64_t before = map->file.count;
	int ret = file_add_run(&map->file, map->extents, map->count);

	for (size_t i = 0; i < map->count && !ret; i++) {
		const bool ends_block = (before + i + 1) % MAP_BLOCK == 0;

		if (ends_block)
			ret = array_add(map->ends, map->ends_room, map->nends, end_of(&map->extents[i]));
	}
	map->count = 0;
	return ret;
}

static int emit(struct extent_map *map, const struct map_extent *extent)
{
	int ret = 0;

	/* keep the last extent in memory, since the next may continue it */
	if (map->most && map->count >= map->most && !goes_on(&map->extents[map->count - 1], extent))
		ret = flush(map);
	map->end = end_of(extent);
	return ret ? ret : add(map, extent);
}

/* Walks through sorted extents by address, and adds the topmost one at each address to the map. */
static int settle(struct merge *from, struct extent_map *to)
{
	struct cover cover = { 0 };
	struct map_extent next = { 0 };
	uint64_t sector = 0;
	int ret = 0;
	bool more = merge_next(from, &next, &ret);

	while (!ret && (more || cover.count)) {
		const struct map_extent *top;
		uint64_t end;

		if (!cover.count)
			sector = next.addr;
		while (more && next.addr <= sector && !ret) {
			ret = cover_add(&cover, &next);
			more = !ret && merge_next(from, &next, &ret);
		}
		while (cover.count && end_of(&cover.stack[cover.count - 1]) <= sector)
			cover.count--;
		if (!cover.count || ret)
			continue;
		top = &cover.stack[cover.count - 1];
		end = more && next.addr < end_of(top) ? next.addr : end_of(top);
		ret = emit(to, &(struct map_extent){ sector, end - sector,
						     top->at + ((sector - top->addr) << SECTOR_LOG) });
		sector = end;
	}
	free(cover.stack);
	return ret;
}

int extent_map_settle(struct extent_map *map)
{
	struct merge merge;
	int ret;

	sort(map);
	ret = merge_begin(&merge, map);
	if (!ret)
		ret = settle(&merge, map);
	merge_end(&merge);
	if (ret || !map->file.open)
		return ret;
	ret = flush(map);
	free(map->extents);
	map->extents = NULL;
	map->room = 0;
	return ret;
}

void extent_map_free(struct extent_map *map)
{
	free(map->extents);
	free(map->ends);
	file_close(&map->file);
	*map = (struct extent_map){ .most = map->most };
}

/* ---- looking ---- */

static bool ends_before(const void *element, const void *key)
{
	return end_of(element) <= *(const uint64_t *)key;
}

static bool is_before(const void *element, const void *key)
{
	return *(const uint64_t *)element <= *(const uint64_t *)key;
}

/* Loads the block with the next extent. */
static void load(struct map_walk *walk)
{
	const struct map_file *file = &walk->map->file;
	uint64_t left;

	walk->first = walk->next - walk->next % MAP_BLOCK;
	left = file->count - walk->first;
	walk->loaded = left < MAP_BLOCK ? left : MAP_BLOCK;
	walk->error = whole_read(file->fd, walk->first * sizeof(*walk->block), walk->block,
				 walk->loaded * sizeof(*walk->block), -EIO);
	if (walk->error)
		walk->loaded = 0;
}

void extent_map_from(const struct extent_map *map, uint64_t sector, struct map_walk *ret_walk)
{
	ret_walk->map = map;
	ret_walk->first = ret_walk->loaded = 0;
	ret_walk->error = 0;
	if (!map->file.open) {
		ret_walk->next =
			array_lower_bound(map->extents, map->count, sizeof(*map->extents), &sector, ends_before);
		return;
	}
	ret_walk->next = array_lower_bound(map->ends, map->nends, sizeof(*map->ends), &sector, is_before) * MAP_BLOCK;
	if (ret_walk->next >= map->file.count)
		return;
	load(ret_walk);
	ret_walk->next +=
		array_lower_bound(ret_walk->block, ret_walk->loaded, sizeof(*ret_walk->block), &sector, ends_before);
}

bool extent_map_next(struct map_walk *walk, struct map_extent *ret_extent)
{
	const struct extent_map *map = walk->map;

	if (!map->file.open) {
		if (walk->next >= map->count)
			return false;
		*ret_extent = map->extents[walk->next++];
		return true;
	}
	if (walk->error || walk->next >= map->file.count)
		return false;
	if (walk->next - walk->first >= walk->loaded)
		load(walk);
	if (!walk->error)
		*ret_extent = walk->block[walk->next++ - walk->first];
	return !walk->error;
}
