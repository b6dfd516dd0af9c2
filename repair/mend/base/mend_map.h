/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An extent map in memory that menders can change. */
#ifndef XFSCK_REPAIR_MEND_MAP_H
#define XFSCK_REPAIR_MEND_MAP_H

#include "libxfs/bmap.h"

/* Start with { 0 }; the owner frees v. Functions that return an int return 0 or -ENOMEM. */
struct mend_map {
	struct bmap_record *v; /* by offset, disjoint; added ones are last until sorted */
	size_t count, room;
};

static inline uint64_t mend_map_end(const struct bmap_record *extent)
{
	return extent->off.v + extent->len;
}

/* Returns the part of an extent within [from, to) of the file, which must not be empty. */
struct bmap_record mend_map_part(const struct bmap_record *extent, uint64_t from, uint64_t to);
/* Returns the index of the first extent, of these sorted disjoint ones, that ends after file block `off`, or count. */
size_t mend_map_behind(const struct bmap_record *extents, size_t count, uint64_t off);
/* Returns the total number of blocks. */
uint64_t mend_map_blocks(const struct bmap_record *extents, size_t count);

/* Appends an extent without regard to order. One that is too long for a record is split. */
int mend_map_add(struct mend_map *map, const struct bmap_record *extent);
/* Appends those parts of an extent that the first `sorted` ones don't cover. The caller sorts the map later. */
int mend_map_fill(struct mend_map *map, size_t sorted, const struct bmap_record *extent);
/* Fills the holes of a map from another map, and sorts it. */
int mend_map_merge(struct mend_map *map, const struct mend_map *more);
/* Moves [from, to) of a sorted map to *cut. */
int mend_map_cut(struct mend_map *map, uint64_t from, uint64_t to, struct mend_map *cut);
void mend_map_sort(struct mend_map *map);
/* Sorts an array of extents by file offset. */
void mend_extents_sort(struct bmap_record *extents, size_t count);
/* Joins extents that are contiguous in the file and on the device and have the same unwritten flag. */
void mend_map_join(struct mend_map *map);

#endif
