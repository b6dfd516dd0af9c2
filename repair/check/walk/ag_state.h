/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is learnt of one AG while it is walked. */
#ifndef XFSCK_REPAIR_AG_STATE_H
#define XFSCK_REPAIR_AG_STATE_H

#include "libxfs/ag.h"
#include "libxfs/btree.h"

struct btree_want;
struct walker;

/* What is kept for each btree while it is walked: its size, sums over sibling pointers, bounds on work. */

/* A btree of an AG, or the btree of a fork, while it is walked: what must hold for the tree as a whole. */
struct tree {
	uint64_t blocks;   /* that parents point to, and the root if it is a block (not in an inode) */
	uint64_t limit;	   /* blocks it can have at most */
	uint64_t links;	   /* right-sibling pointers seen */
	uint64_t siblings; /* sum over (block, right) minus (left, block): 0 if they agree */
	uint32_t suspects; /* children that were gone into although keys were wrong */
	bool gap;	   /* some part could not be read or decoded, so counts and sums are incomplete */
	bool cut;	   /* of an AG: it may have blocks that nothing leads to, as those above them are lost */
};

/* Add the sibling pointers of a decoded block, whose address is `self`, to the tree's sums. */
void tree_block_seen(struct walker *w, struct tree *tree, uint64_t self, const struct btree_block *block);
/*
 * Whether a child may be gone into, which is then counted: bounds the work on trees that loop.  A refusal makes the
 * tree have a gap; the first is reported.
 */
bool tree_may_descend(struct walker *w, struct tree *tree, bool keys_ok);
/* After the last block: report sibling pointers that disagree.  levels: how many levels of blocks the tree has. */
void tree_settle(struct walker *w, const struct tree *tree, unsigned levels);

/* an inode without links and the next one on its list */
struct unlinked_inode {
	uint32_t agino;
	uint32_t next;
};

/* What is learnt of one AG.  Only the worker that sweeps the AG touches it, but for the part under a lock. */
struct ag_state {
	bool have_agf, have_agi, have_agfl;
	struct agf agf;
	struct agi agi;
	uint32_t headers_crc[AG_SECTORS]; /* of their sectors as they were read */
	struct tree tree[BT_AG_NR];
	uint64_t free_blocks;	      /* sum over the bnobt */
	uint32_t longest;	      /* blocks of its longest record */
	uint64_t inodes, free_inodes; /* sums over the inobt */
	bool too_many_inodes;	      /* INOBT_TOO_MANY has been reported */
	uint64_t staged;	      /* blocks that the refcount btree stages for copy on write */
	bool agi_logged;	      /* the AGI was lost: `agi` has what the log has of it */
	uint8_t apart[64];	      /* keeps the above off the cache lines that any worker writes to */
	/* under traverse.ags_lock, since chunks of inodes may come to any worker */
	size_t chunks_waiting;	   /* runs of inodes that have been posted and not been read yet */
	struct btree_want **later; /* leaves of the inobt that are posted only when fewer of these wait */
	size_t nlater, later_room, later_next;
	struct unlinked_inode *unlinked;
	size_t nunlinked, unlinked_room;
};

/* Whether the whole tree could be walked, so that its sums can be compared with others. */
static inline bool ag_tree_whole(const struct ag_state *ag, enum btree_kind kind)
{
	return ag->tree[kind].blocks && !ag->tree[kind].gap;
}

/* What agf_btreeblks must be: blocks below the roots of bnobt, cntbt and rmapbt.  Only if ag_btreeblks_known(). */
static inline uint64_t ag_btreeblks(const struct geometry *geo, const struct ag_state *ag)
{
	return ag->tree[BT_BNO].blocks - 1 + ag->tree[BT_CNT].blocks - 1 +
	       (geo->rmapbt ? ag->tree[BT_RMAP].blocks - 1 : 0);
}

static inline bool ag_btreeblks_known(const struct geometry *geo, const struct ag_state *ag)
{
	return ag_tree_whole(ag, BT_BNO) && ag_tree_whole(ag, BT_CNT) && (!geo->rmapbt || ag_tree_whole(ag, BT_RMAP));
}

static inline bool ag_fdblocks_known(const struct geometry *geo, const struct ag_state *ag)
{
	return ag->have_agf && ag_btreeblks_known(geo, ag);
}

/*
 * The AG's share of sb_fdblocks: free blocks, those of the AGFL, and those of btrees that free space can give back.
 * Only if ag_fdblocks_known().
 */
static inline uint64_t ag_fdblocks(const struct geometry *geo, const struct ag_state *ag)
{
	return ag->free_blocks + ag->agf.flcount + ag_btreeblks(geo, ag);
}

#endif
