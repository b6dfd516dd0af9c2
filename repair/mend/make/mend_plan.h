/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of an AG's new btrees: shared by mend_ag.c, mend_blocks.c and mend_write.c. */
#ifndef XFSCK_REPAIR_MEND_PLAN_H
#define XFSCK_REPAIR_MEND_PLAN_H

#include "libxfs/btree_build.h"
#include "mend_ag.h"
#include "mend_records.h"

struct extent {
	uint32_t start, len;
};

struct extents {
	struct extent *v;
	size_t count;
};

struct mend_plan {
	const struct geometry *geo;
	const struct ag_contents *contents;
	struct ag_records records; /* without the blocks of the new btrees */
	struct extents fresh;	   /* blocks that were free and still are */
	struct extents spare;	   /* blocks of old space btrees, used if those don't suffice */
	enum btree_slack slack;
	size_t nfinobt;	  /* number of finobt records: chunks with free inodes */
	bool inodes_only; /* the space btrees stay as they are */

	/* set in passes: see mend_ag.c */
	uint64_t *blocks; /* allocated, ascending, for: refcountbt, inobt, finobt, bnobt, cntbt, rmapbt, free list */
	uint32_t nblocks, room;
	struct btree_shape shape[BT_AG_NR];
	struct agf agf;
	struct agi agi;
};

/* True if the btree is to be built. */
static inline bool mend_plan_has(const struct mend_plan *p, enum btree_kind kind)
{
	if (p->inodes_only && kind != BT_INO && kind != BT_FINO)
		return false;
	switch (kind) {
	case BT_INO:
		return p->contents->chunks;
	case BT_FINO:
		return p->contents->chunks && p->geo->finobt;
	case BT_RMAP:
		return p->geo->rmapbt;
	case BT_REFC:
		return p->geo->reflink;
	default:
		return true;
	}
}

/* Returns how many blocks the new inode btrees have. */
static inline uint32_t mend_plan_inode_blocks(const struct mend_plan *p)
{
	return p->shape[BT_INO].blocks + p->shape[BT_FINO].blocks;
}

/* mend_blocks.c: sets plan->fresh and plan->spare. 0 or -ENOMEM. */
int mend_blocks_find(struct mend_plan *plan);
/*
 * Sets plan->blocks to `need` blocks, or to all blocks if there are fewer: from the first extent that holds all, else
 * from the longest ones; spare blocks last.  The same number always gives the same blocks.  0 or -ENOMEM.
 */
int mend_blocks_choose(struct mend_plan *plan, uint32_t need);
/*
 * Computes what stays free without the allocated blocks; sets freeblks and longest in plan->agf.  ret_free: room for
 * the records (records.nfree plus one per allocated block), or NULL.  Returns the number of records.
 */
size_t mend_blocks_free_left(struct mend_plan *plan, struct alloc_record *ret_free);
/* Returns the number of runs of consecutive blocks in plan->blocks[from, to). */
uint32_t mend_blocks_runs(const struct mend_plan *plan, uint32_t from, uint32_t to);

/* mend_write.c: writes the btrees, the free list and the headers. 0, -ENOMEM or the writer's error. */
int mend_write_all(struct mend_plan *plan, const struct ag_writer *writer);
/* Likewise the inode btrees and AGI only. */
int mend_write_inodes(struct mend_plan *plan, const struct ag_writer *writer);

/* Returns a copy of free extents in cntbt order, for the caller to free; NULL: no memory. */
struct alloc_record *alloc_by_size(const struct alloc_record *records, size_t count);
/* Sets the AGI's inode counts. */
void mend_count_inodes(const struct ag_contents *contents, struct agi *agi);

#endif
