/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An extent map in memory, for menders that change it: what lies where in a fork. */
#ifndef XFSCK_REPAIR_MEND_MAP_H
#define XFSCK_REPAIR_MEND_MAP_H

#include "libxfs/bmap.h"

/* Empty: zeroed; free v. Functions that return an int return 0 or -ENOMEM. */
struct mend_map {
	struct bmap_record *v; /* by offset, none in the way of another, but for what is new and not sorted yet */
	size_t count, room;
};

static inline uint64_t mend_map_end(const struct bmap_record *extent)
{
	return extent->off.v + extent->len;
}

/* The part of an extent that lies in [from, to) of the file; the two meet. */
struct bmap_record mend_map_part(const struct bmap_record *extent, uint64_t from, uint64_t to);
/* The first of count extents, which are sorted and don't overlap, that ends behind a file block. */
size_t mend_map_behind(const struct bmap_record *extents, size_t count, uint64_t off);
uint64_t mend_map_blocks(const struct bmap_record *extents, size_t count);

/* Add an extent behind all others. */
int mend_map_add(struct mend_map *map, const struct bmap_record *extent);
/* Add what of an extent none of the first `sorted` of the map covers; the map is sorted again later. */
int mend_map_fill(struct mend_map *map, size_t sorted, const struct bmap_record *extent);
/* Fill what the map lacks with what another has. */
int mend_map_merge(struct mend_map *map, const struct mend_map *more);
/* Take what lies in [from, to) out of a sorted map, and add it to *cut, as it was. */
int mend_map_cut(struct mend_map *map, uint64_t from, uint64_t to, struct mend_map *cut);
void mend_map_sort(struct mend_map *map);
/* The same of an array: in the order of the file. */
void mend_extents_sort(struct bmap_record *extents, size_t count);
/* Extents that follow each other, in the file and on the device, become one. */
void mend_map_join(struct mend_map *map);

#endif
