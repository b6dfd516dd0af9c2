/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept for each btree while it is walked: its size, sums over sibling pointers, bounds on work. */
#ifndef XFSCK_REPAIR_BTREE_WALK_H
#define XFSCK_REPAIR_BTREE_WALK_H

#include "libxfs/btree.h"

struct walker;

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

#endif
