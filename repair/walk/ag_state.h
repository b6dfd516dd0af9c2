/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is learnt of one AG while it is walked. */
#ifndef XFSCK_REPAIR_AG_STATE_H
#define XFSCK_REPAIR_AG_STATE_H

#include "walk/btree_walk.h"
#include "libxfs/ag.h"

/* a range of blocks that refcounts allow to be shared */
struct shared_range {
	uint32_t start;
	uint32_t end;
};

/* an inode without links and the next one on its list */
struct unlinked_inode {
	uint32_t agino;
	uint32_t next;
};

struct btree_want;

/*
 * What is learnt of one AG.  But for `shared`, which is complete before inodes are looked at, and the part that has a
 * lock, only the worker that sweeps the AG touches it.
 */
struct ag_state {
	bool have_agf, have_agi, have_agfl;
	struct agf agf;
	struct agi agi;
	struct tree tree[BT_AG_NR];
	uint64_t free_blocks;	      /* sum over the bnobt */
	uint32_t longest;	      /* of its records */
	uint64_t inodes, free_inodes; /* sums over the inobt */
	bool too_many_inodes;	      /* said once */
	uint8_t apart[64];	      /* what workers look at for each extent shares no cache line with what changes */
	struct shared_range *shared;  /* by start, once all are known */
	size_t nshared, shared_room;
	uint64_t *shared_map;	/* a bit per 1 << shared_log blocks: set if any of them is shared; NULL: none is */
	uint32_t *shared_first; /* for each word of the map, the first range that reaches into it or lies behind it */
	unsigned shared_log;
	uint8_t apart_too[64];
	uint64_t staged; /* blocks that the refcount btree stages for copy on write */
	/* under traverse.ags_lock: chunks of inodes may come to any worker */
	size_t chunks_waiting;	   /* to be read */
	struct btree_want **later; /* leaves of the inobt that are not posted while there are too many of those */
	size_t nlater, later_room, later_next;
	struct unlinked_inode *unlinked;
	size_t nunlinked, unlinked_room;
};

/* The tree could be walked whole: its sums mean something. */
static inline bool ag_tree_whole(const struct ag_state *ag, enum btree_kind kind)
{
	return ag->tree[kind].blocks && !ag->tree[kind].gap;
}

/* Blocks below the roots of the trees whose growth is counted in agf_btreeblks; those must have been whole. */
static inline uint64_t ag_btreeblks(const struct geometry *geo, const struct ag_state *ag)
{
	return ag->tree[BT_BNO].blocks - 1 + ag->tree[BT_CNT].blocks - 1 +
	       (geo->rmapbt ? ag->tree[BT_RMAP].blocks - 1 : 0);
}

static inline bool ag_btreeblks_known(const struct geometry *geo, const struct ag_state *ag)
{
	return ag_tree_whole(ag, BT_BNO) && ag_tree_whole(ag, BT_CNT) && (!geo->rmapbt || ag_tree_whole(ag, BT_RMAP));
}

/* Blocks that the superblock counts as free: also those in the free list, and in trees that can give them back. */
static inline bool ag_fdblocks_known(const struct geometry *geo, const struct ag_state *ag)
{
	return ag->have_agf && ag_btreeblks_known(geo, ag);
}

static inline uint64_t ag_fdblocks(const struct geometry *geo, const struct ag_state *ag)
{
	return ag->free_blocks + ag->agf.flcount + ag_btreeblks(geo, ag);
}

#endif
