/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the extents of a fork add up to, for those who ask how it is laid out (sink.h, `mapped`).  The leaves of a bmbt
 * come in any order: each has sums of its own, 80 bytes, which are joined in the order of the file when all have come.
 */
#ifndef XFSCK_REPAIR_MAP_SUMS_H
#define XFSCK_REPAIR_MAP_SUMS_H

#include <stddef.h>

#include "libxfs/bmap.h"

struct inflight;
struct walker;

/* Sums over extents that follow each other in a file.  Begin with { 0 }. */
struct map_sums {
	uint64_t extents;
	uint64_t runs;	 /* parts of the file that are mapped without a hole: extents that none ends at, plus joins */
	uint64_t jumps;	 /* written extents that do not lie behind the written one before them on the device */
	uint64_t blocks; /* of all extents, */
	uint64_t unwritten; /* of those that are unwritten, */
	uint64_t beyond;    /* and of those parts that lie beyond the end of the file */
	uint64_t off, end;  /* blocks [off, end) of the file, if there are extents */
	uint64_t first;	    /* the block number where the first written extent begins, ... */
	uint64_t behind;    /* ... and the one behind the last: if there are jumps */
};

/* Sums of the forks of an inode in flight that have a bmbt: one item for each leaf that has come. */
struct map_pieces {
	bool wanted;
	struct map_sums *v;
	size_t count, room;
};

/* Add an extent that lies behind all others.  size_blocks: the blocks up to the end of the file. */
void map_sums_add(struct map_sums *sums, const struct bmap_record *record, uint64_t size_blocks);
/* Add sums over extents that lie behind all others. */
void map_sums_join(struct map_sums *sums, const struct map_sums *next);

/* Tell the sink of a fork whose extents lie in the inode; also of one that can't be decoded, with empty sums. */
void map_tell(struct walker *w, const struct inflight *inflight, enum fork which, const struct map_sums *sums);
/* Keep the sums of a leaf; under the inode's lock. */
void map_pieces_add(struct walker *w, struct inflight *inflight, enum fork which, const struct map_sums *sums);
/* All leaves of the inode have come: tell the sink, and free what was kept. */
void map_pieces_settle(struct walker *w, struct inflight *inflight);

#endif
