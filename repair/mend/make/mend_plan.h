/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan for an allocation group's new trees: what mend_ag.c, mend_blocks.c and mend_write.c share. */
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
	struct ag_records records; /* without the new trees' own blocks */
	struct extents fresh;	   /* blocks that were free and still are */
	struct extents spare;	   /* blocks of old space trees, to be taken if those don't suffice */
	enum btree_slack slack;
	size_t nfinobt;	  /* chunks with free inodes: records of the finobt */
	bool inodes_only; /* the space trees are left as they are */

	/* settled in rounds: see mend_ag.c */
	uint64_t *blocks; /* taken, ascending, for: refcountbt, inobt, finobt, bnobt, cntbt, rmapbt, free list */
	uint32_t nblocks, room;
	struct btree_shape shape[BT_AG_NR];
	struct agf agf;
	struct agi agi;
};

/* True if the tree is to be built. */
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

/* Blocks of the new inode trees. */
static inline uint32_t mend_plan_inode_blocks(const struct mend_plan *p)
{
	return p->shape[BT_INO].blocks + p->shape[BT_FINO].blocks;
}

/* mend_blocks.c: set plan->fresh and plan->spare. 0 or -ENOMEM. */
int mend_blocks_find(struct mend_plan *plan);
/*
 * Set plan->blocks to `need` blocks, or to all there are if these are less: from the first extent where all fit, else
 * from the longest ones, spare blocks last.  The same number always gives the same blocks. 0 or -ENOMEM.
 */
int mend_blocks_choose(struct mend_plan *plan, uint32_t need);
/*
 * What is free without the blocks that were taken.  Sets freeblks and longest in plan->agf.  ret_free: room for the
 * records (records.nfree and one for each block taken), or NULL.  Returns how many records there are.
 */
size_t mend_blocks_free_left(struct mend_plan *plan, struct alloc_record *ret_free);
/* How many runs of consecutive blocks there are among plan->blocks[from, to). */
uint32_t mend_blocks_runs(const struct mend_plan *plan, uint32_t from, uint32_t to);

/* mend_write.c: write the trees, the free list and the headers. 0, -ENOMEM, or what the writer returned. */
int mend_write_all(struct mend_plan *plan, const struct ag_writer *writer);
/* Write the inode trees and the AGI alone. Likewise. */
int mend_write_inodes(struct mend_plan *plan, const struct ag_writer *writer);

/* A copy of free extents as the cntbt has them, for the caller to free; NULL: no memory. */
struct alloc_record *alloc_by_size(const struct alloc_record *records, size_t count);
/* Set the AGI's counts of inodes. */
void mend_count_inodes(const struct ag_contents *contents, struct agi *agi);

#endif
