/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of one AG while it is walked. */
#ifndef XFSCK_REPAIR_AG_STATE_H
#define XFSCK_REPAIR_AG_STATE_H

#include "libxfs/ag.h"
#include "libxfs/btree.h"

struct btree_want;
struct walker;

/* The state of a btree of an AG or a fork while it is walked: its size, sums over sibling pointers, bounds on work. */
struct tree {
	uint64_t blocks;   /* blocks that parents point to, and the root if it is a block (not in an inode) */
	uint64_t limit;	   /* blocks it can have at most */
	uint64_t links;	   /* right-sibling pointers found */
	uint64_t siblings; /* sum over (block, right) minus (left, block): 0 if they agree */
	uint32_t suspects; /* children that were read although their keys were wrong */
	bool gap;	   /* some part could not be read or decoded, so counts and sums are incomplete */
	bool cut;	   /* of an AG: blocks below a lost one may be unreachable */
};

/* Adds the sibling pointers of a decoded block, whose address is `self`, to the sums of its tree. */
void tree_block_seen(struct walker *w, struct tree *tree, uint64_t self, const struct btree_block *block);
/*
 * Returns true, and counts the child, if it may be read: this bounds the work on trees with loops.  False gives the
 * tree a gap; the first time is reported.
 */
bool tree_may_descend(struct walker *w, struct tree *tree, bool keys_ok);
/* Reports sibling pointers that disagree, after the last block.  levels: number of block levels. */
void tree_settle(struct walker *w, const struct tree *tree, unsigned levels);

/* an inode without links and the next one on its list */
struct unlinked_inode {
	uint32_t agino;
	uint32_t next;
};

/* The state of one AG.  Only the worker that sweeps the AG accesses it, except for the part under a lock. */
struct ag_state {
	bool have_agf, have_agi, have_agfl;
	struct agf agf;
	struct agi agi;
	uint32_t headers_crc[AG_SECTORS]; /* checksums of the header sectors as read */
	struct tree tree[BT_AG_NR];
	uint64_t free_blocks;	      /* sum over the bnobt */
	uint32_t longest;	      /* blocks of its longest record */
	uint64_t inodes, free_inodes; /* sums over the inobt */
	bool too_many_inodes;	      /* INOBT_TOO_MANY has been reported */
	uint64_t staged;	      /* blocks staged for copy on write in the refcount btree */
	bool agi_logged;	      /* the AGI was lost: `agi` comes from the log */
	uint8_t apart[64];	      /* keeps the above off cache lines that any worker writes to */
	/* under traverse.ags_lock, since any worker may get inode chunks */
	size_t chunks_waiting;	   /* posted runs of inodes that have not been read yet */
	struct btree_want **later; /* leaves of the inobt that are posted only when fewer runs wait */
	size_t nlater, later_room, later_next;
	struct unlinked_inode *unlinked;
	size_t nunlinked, unlinked_room;
};

/* True if the whole tree could be walked, so that its sums can be compared with others. */
static inline bool ag_tree_whole(const struct ag_state *ag, enum btree_kind kind)
{
	return ag->tree[kind].blocks && !ag->tree[kind].gap;
}

/* Returns the right agf_btreeblks: blocks below the roots of bnobt, cntbt and rmapbt.  Needs ag_btreeblks_known(). */
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
 * Returns the AG's share of sb_fdblocks: free blocks, AGFL blocks, and blocks of the free-space and rmap btrees except
 * the roots.  Needs ag_fdblocks_known().
 */
static inline uint64_t ag_fdblocks(const struct geometry *geo, const struct ag_state *ag)
{
	return ag->free_blocks + ag->agf.flcount + ag_btreeblks(geo, ag);
}

#endif
