/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilding an allocation group: from what its blocks are used for and which inodes it has, new btrees, free list and
 * headers, by bulk load (ondisk 02, 03; 12: S1 to S11, I1 to I3).  New blocks go to space that was free before and is
 * free now, so that what was there stays whole until the headers are written; only where there is too little, and only
 * for what can be derived again, the old trees' own blocks are taken.
 */
#ifndef XFSCK_REPAIR_MEND_AG_H
#define XFSCK_REPAIR_MEND_AG_H

#include "locate/evidence.h"
#include "libxfs/ag.h"

/* What a group holds, as it shall be. All arrays are the caller's; 48 bytes a claim and as much again while it works.
 */
struct ag_contents {
	agno_t agno;
	/*
	 * Who uses which blocks (of struct use: start, len, owner, offset, flags), in any order, and by start in the
	 * end: headers, log, inode chunks, files, extents staged for copy on write (OWNER_COW), inode trees that stay;
	 * not the group's other trees, nor the free list. Overlaps are shared blocks: only written extents of data
	 * forks may.  The caller's.
	 */
	struct use *claims;
	size_t nclaims;
	/* Blocks of the others and the free list as they were, likewise (OWNER_AG, OWNER_INOBT, OWNER_REFC). */
	const struct use *old;
	size_t nold;
	/* Inode trees: NULL leaves them as they are, and `claims` must hold their blocks. Else the records, by start.
	 */
	const struct inobt_record *chunks;
	size_t nchunks;
	/* the AGI as it was: its hints and unlinked lists are kept, and all the rest if the trees are */
	struct agi agi;
};

/* What has become of it. */
struct ag_mended {
	struct agf agf;
	struct agi agi;
	uint64_t blocks;    /* of the new trees */
	uint64_t collision; /* -EEXIST: the first block that is used twice and may not be */
};

/* Takes what is to be written: device_stage() in the end. 0 or negative errno. */
struct ag_writer {
	int (*write)(void *ctx, const void *bytes, uint64_t offset, size_t len);
	void *ctx;
};

/*
 * Write new trees, free list, AGF and, with chunks, AGI; the headers last.  0; -EEXIST: claims collide; -EINVAL: a
 * claim lies outside of the group; -ENOSPC: the new trees don't fit; -ENOMEM; what the writer returned.
 * Nothing has been written if it is one of the first three.  The claims are sorted, and joined where the rmapbt has
 * them as one.
 */
int mend_ag(const struct geometry *geo, struct ag_contents *contents, const struct ag_writer *writer,
	    struct ag_mended *ret_mended);

/*
 * The inode trees and the AGI alone, where it is not yet known who owns which block: how many blocks that takes (0:
 * more than there can be), and writing them, in ascending order, to blocks of the group that the caller has found.
 */
uint32_t mend_ag_inode_blocks(const struct geometry *geo, const struct ag_contents *contents);
int mend_ag_inode_trees(const struct geometry *geo, const struct ag_contents *contents, uint64_t *blocks,
			const struct ag_writer *writer);

/* Write the AGI only, over trees that stand. */
int mend_agi_header(const struct geometry *geo, agno_t agno, const struct agi *agi, const struct ag_writer *writer);

/* A free block's part in a group: what the superblock counts as free of it (ondisk 12, S6). */
static inline uint64_t agf_free_blocks(const struct agf *agf)
{
	return (uint64_t)agf->freeblks + agf->flcount + agf->btreeblks;
}

#endif
