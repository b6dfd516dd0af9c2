/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilding an allocation group: from what its blocks are used for and which inodes it has, new btrees, free list and
 * headers, by bulk load (ondisk 02, 03; 12: S1 to S11, I1 to I3).  New blocks go to space that was free before and is
 * free now, so that what was there stays whole until the headers are written; only where there is too little, and only
 * for what can be derived again, the old trees' own blocks are taken.
 */
#ifndef XFSCK_REPAIR_MEND_AG_H
#define XFSCK_REPAIR_MEND_AG_H

#include "mend/collect/mend_evidence.h"

struct mend;
struct survey_ag;

/* What mend_ag() has made. */
struct ag_mended {
	struct agf agf;
	struct agi agi;
	uint64_t blocks;    /* how many the new trees have */
	uint64_t collision; /* after -EEXIST: the first block that is used twice and may not be */
};

/* Stages bytes to be written, by device_stage() in the end. write() returns 0 or a negative errno. */
struct ag_writer {
	int (*write)(void *ctx, const void *bytes, uint64_t offset, size_t len);
	void *ctx;
};

/* mend_write() as a callback. */
struct ag_writer mend_writer(struct mend *m);

/*
 * Write new trees, free list, AGF and, with chunks, AGI; the headers last.  0; -EEXIST: claims collide; -EINVAL: a
 * claim lies outside of the group; -ENOSPC: the new trees don't fit; -ENOMEM; or what the writer returned.  Nothing has
 * been written after the first three errors.  The claims are sorted; where there is an rmapbt, claims that are one
 * record of it are joined, and contents->nclaims is their number then.
 */
int mend_ag(const struct geometry *geo, struct ag_contents *contents, const struct ag_writer *writer,
	    struct ag_mended *ret_mended);

/*
 * The same in the blocks that the trees have: records are put, changed and removed, and the counters of the AGF follow.
 * 0, and contents->claims has those of the trees and of the free list, too; -EINVAL, -ENOSPC or -EEXIST: for that more
 * is wrong, and nothing has been written: mend_ag() can be called; -ENOMEM; or what mend_write() returned.
 */
int mend_ag_edit(struct mend *m, struct ag_contents *contents, struct ag_mended *ret_mended);
/*
 * The same of the inode trees and the AGI alone; of contents, agno and chunks count.  maps: of the group, with the
 * claims of all its blocks; -EINVAL also if there are none (NULL), or if something else claims blocks of the trees.
 */
int mend_ag_edit_inodes(struct mend *m, const struct ag_contents *contents, const struct survey_ag *maps);

/*
 * The inode trees and the AGI alone, where it is not yet known who owns which block.  mend_ag_inode_blocks(): how many
 * blocks the trees take; 0: one would be too high.  mend_ag_inode_trees(): write them to so many blocks of the group,
 * in ascending order, which the caller has found.
 */
uint32_t mend_ag_inode_blocks(const struct geometry *geo, const struct ag_contents *contents);
int mend_ag_inode_trees(const struct geometry *geo, const struct ag_contents *contents, uint64_t *blocks,
			const struct ag_writer *writer);

/* Write the AGF or the AGI only, over trees that stand. */
int mend_agf_header(const struct geometry *geo, agno_t agno, const struct agf *agf, const struct ag_writer *writer);
int mend_agi_header(const struct geometry *geo, agno_t agno, const struct agi *agi, const struct ag_writer *writer);

/* How many blocks of the group the superblock counts as free (ondisk 12, S6). */
static inline uint64_t agf_free_blocks(const struct agf *agf)
{
	return (uint64_t)agf->freeblks + agf->flcount + agf->btreeblks;
}

#endif
