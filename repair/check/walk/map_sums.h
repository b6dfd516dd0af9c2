/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Totals of the extents of a fork, for questions about its layout (sink.h, `mapped`).  The leaves of a bmbt arrive in
 * any order: each has its own totals, 80 bytes, which are joined in the order of the file when all have arrived.
 */
#ifndef XFSCK_REPAIR_MAP_SUMS_H
#define XFSCK_REPAIR_MAP_SUMS_H

#include <stddef.h>

#include "libxfs/bmap.h"

struct inflight;
struct walker;

/* Totals of consecutive extents of a file.  Start with { 0 }. */
struct map_sums {
	uint64_t extents;
	uint64_t ranges;    /* parts of the file that are mapped without a hole */
	uint64_t jumps;	    /* written extents that don't follow the previous written one on the device */
	uint64_t blocks;    /* in all extents */
	uint64_t unwritten; /* in unwritten extents */
	uint64_t beyond;    /* beyond the end of the file */
	uint64_t off, end;  /* blocks [off, end) of the file, from the first extent to the last */
	uint64_t first;	    /* if there are jumps: the block where the first written extent begins ... */
	uint64_t behind;    /* ... and the block behind the last written extent */
};

/* Totals for a fork with a bmbt of an inode in flight: one item for each leaf that has arrived. */
struct map_leaves {
	bool wanted;
	struct map_sums *v;
	size_t count, room;
};

/* Adds an extent behind all others.  size_blocks: the blocks up to the end of the file. */
void map_sums_add(struct map_sums *sums, const struct bmap_record *record, uint64_t size_blocks);
/* Adds totals of extents behind all others. */
void map_sums_join(struct map_sums *sums, const struct map_sums *next);

/* Passes the totals of a complete fork to the sink; they are empty if it is corrupt. */
void map_tell(struct walker *w, const struct inflight *inflight, enum fork which, const struct map_sums *sums);
/* Keeps the totals of a leaf; under the inode's lock. */
void map_leaves_add(struct walker *w, struct inflight *inflight, enum fork which, const struct map_sums *sums);
/* Joins the totals of all leaves of the inode, passes them to the sink, and frees them. */
void map_leaves_settle(struct walker *w, struct inflight *inflight);

#endif
