/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bookkeeping that all btrees share while they are walked: size, siblings, bounds on work. */
#ifndef XFSCK_REPAIR_BTREE_WALK_H
#define XFSCK_REPAIR_BTREE_WALK_H

#include "libxfs/btree.h"
#include "place.h"

struct walker;

/* What the blocks of a tree are called. */
static inline enum object object_of_btree(enum btree_kind kind)
{
	static const enum object objects[BT_AG_NR] = {
		[BT_BNO] = OBJ_BNOBT,	[BT_CNT] = OBJ_CNTBT,	[BT_INO] = OBJ_INOBT,
		[BT_FINO] = OBJ_FINOBT, [BT_RMAP] = OBJ_RMAPBT, [BT_REFC] = OBJ_REFCBT,
	};

	return objects[kind];
}

/* One btree while it is walked: what only the whole tree can tell. */
struct tree {
	uint64_t blocks;   /* pointed to, the root of an AG tree included */
	uint64_t limit;	   /* blocks it can have at most */
	uint64_t links;	   /* right-sibling pointers seen */
	uint64_t siblings; /* sum over (block, right) minus (left, block): 0 if they agree */
	uint32_t suspects; /* children of blocks whose keys were wrong */
	bool gap;	   /* a part could not be gone into: counts mean nothing */
};

/* Book a decoded block of a tree: its siblings. */
void tree_block_seen(struct walker *w, struct tree *tree, uint64_t self, const struct btree_block *block);
/* Whether a child may be gone into: bounds the work on trees that loop. A refusal is reported once. */
bool tree_may_descend(struct walker *w, struct tree *tree, bool keys_ok);
/* After the last block: levels = levels of blocks in the tree. Reports siblings that disagree. */
void tree_settle(struct walker *w, const struct tree *tree, unsigned levels);

#endif
