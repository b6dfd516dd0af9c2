/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An extent map in memory, for menders that change it. */
#ifndef XFSCK_REPAIR_MEND_MAP_H
#define XFSCK_REPAIR_MEND_MAP_H

#include "libxfs/bmap.h"

/* Start with { 0 }; the owner frees v. Functions that return an int return 0 or -ENOMEM. */
struct mend_map {
	struct bmap_record
		*v; /* by offset, apart from each other; extents that were added come last until it is sorted */
	size_t count, room;
};

static inline uint64_t mend_map_end(const struct bmap_record *extent)
{
	return extent->off.v + extent->len;
}

/* The part of an extent that lies in [from, to) of the file, which must not be empty. */
struct bmap_record mend_map_part(const struct bmap_record *extent, uint64_t from, uint64_t to);
/* The first of the extents, which are sorted and don't overlap, that ends behind file block `off`; count: none does. */
size_t mend_map_behind(const struct bmap_record *extents, size_t count, uint64_t off);
/* How many blocks the extents have together. */
uint64_t mend_map_blocks(const struct bmap_record *extents, size_t count);

/* Add an extent at the end, wherever it belongs; one that is longer than a record can say is added as several. */
int mend_map_add(struct mend_map *map, const struct bmap_record *extent);
/* Add the parts of an extent that the first `sorted` extents of the map don't cover; the caller sorts the map later. */
int mend_map_fill(struct mend_map *map, size_t sorted, const struct bmap_record *extent);
/* Fill the holes of a map with what another map has there. */
int mend_map_merge(struct mend_map *map, const struct mend_map *more);
/* Move what lies in [from, to) from a sorted map to *cut. */
int mend_map_cut(struct mend_map *map, uint64_t from, uint64_t to, struct mend_map *cut);
void mend_map_sort(struct mend_map *map);
/* The same for an array. */
void mend_extents_sort(struct bmap_record *extents, size_t count);
/* Join extents that follow each other in the file and on the device. */
void mend_map_join(struct mend_map *map);

#endif
