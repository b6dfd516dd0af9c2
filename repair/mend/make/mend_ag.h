/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds an AG's btrees, free list and headers by bulk load, from the claims on its blocks and its inode chunks
 * (ondisk 02, 03; 12: S1 to S11, I1 to I3).  New blocks are taken from space that was free before and is free now, so
 * that the old state stays whole until the headers are written.  Only if that is too little are blocks of the old
 * btrees used, and only for what can be derived again.
 */
#ifndef XFSCK_REPAIR_MEND_AG_H
#define XFSCK_REPAIR_MEND_AG_H

#include "mend/collect/mend_evidence.h"

struct mend;
struct survey_ag;

/* The result of mend_ag(). */
struct ag_mended {
	struct agf agf;
	struct agi agi;
	uint64_t blocks;    /* number of blocks of the new btrees */
	uint64_t collision; /* after -EEXIST: the first block with claims that may not overlap */
};

/* Stages bytes; device_stage() does so in the end. write() returns 0 or a negative errno. */
struct ag_writer {
	int (*write)(void *ctx, const void *bytes, uint64_t offset, size_t len);
	void *ctx;
};

/* Returns mend_write() as a writer. */
struct ag_writer mend_writer(struct mend *m);

/*
 * Writes new btrees, free list, AGF and, with chunks, AGI; the headers last.  0; -EEXIST: claims collide; -EINVAL: a
 * claim lies outside of the AG; -ENOSPC: the new btrees don't fit; -ENOMEM; or the writer's error.  After the first
 * three errors, nothing has been written.  The claims are sorted; with an rmapbt, claims that form one rmapbt record
 * are joined, and contents->nclaims is reduced.
 */
int mend_ag(const struct geometry *geo, struct ag_contents *contents, const struct ag_writer *writer,
	    struct ag_mended *ret_mended);

/*
 * Likewise in the existing blocks of the btrees: inserts, changes and removes records, and adjusts the counters of the
 * AGF.  0, and contents->claims includes the btrees and the free list; -EINVAL, -ENOSPC or -EEXIST: too much is wrong,
 * nothing has been written, call mend_ag(); -ENOMEM; or the error of mend_write().
 */
int mend_ag_edit(struct mend *m, struct ag_contents *contents, struct ag_mended *ret_mended);
/*
 * Likewise for the inode btrees and AGI only; uses contents->agno and chunks.  maps: of the AG, with the claims on all
 * blocks.  -EINVAL also if maps is NULL or something else claims blocks of these btrees.
 */
int mend_ag_edit_inodes(struct mend *m, const struct ag_contents *contents, const struct survey_ag *maps);

/*
 * For the inode btrees and AGI only, while the owners of blocks are not yet known.  mend_ag_inode_blocks() returns how
 * many blocks the btrees take; 0: one would be too high.  mend_ag_inode_trees() writes them to that many blocks of the
 * AG, in ascending order, which the caller has found.
 */
uint32_t mend_ag_inode_blocks(const struct geometry *geo, const struct ag_contents *contents);
int mend_ag_inode_trees(const struct geometry *geo, const struct ag_contents *contents, uint64_t *blocks,
			const struct ag_writer *writer);

/* These write only the AGF or AGI, for existing btrees. */
int mend_agf_header(const struct geometry *geo, agno_t agno, const struct agf *agf, const struct ag_writer *writer);
int mend_agi_header(const struct geometry *geo, agno_t agno, const struct agi *agi, const struct ag_writer *writer);

/* Returns how many blocks of the AG the superblock counts as free (ondisk 12, S6). */
static inline uint64_t agf_free_blocks(const struct agf *agf)
{
	return (uint64_t)agf->freeblks + agf->flcount + agf->btreeblks;
}

#endif
