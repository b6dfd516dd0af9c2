/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold for a btree as a whole (ondisk 03, invariant 1).  Its number of blocks is bounded, so that the walk of
 * a tree with a loop ends.  The sibling pointers of all its blocks agree; these are summed up, so that blocks may come
 * in any order.
 */
#include "walker.h"

void tree_block_seen(struct walker *w, struct tree *tree, uint64_t self, const struct btree_block *block)
{
	const struct hash_key *key = w->t->sink.key;

	w->totals.metadata_blocks++;
	if (block->right != NULL_FSBNO) {
		tree->links++;
		tree->siblings += hash2(key, self, block->right);
	}
	if (block->left != NULL_FSBNO)
		tree->siblings -= hash2(key, block->left, self);
}

/* Pointers in a block with wrong keys may lead anywhere, even to the tree's own root: only so many are followed. */
#define MAX_SUSPECTS 4096

bool tree_may_descend(struct walker *w, struct tree *tree, bool keys_ok)
{
	if (tree->blocks < tree->limit && (keys_ok || tree->suspects < MAX_SUSPECTS)) {
		tree->suspects += !keys_ok;
		tree->blocks++;
		return true;
	}
	if (!tree->gap)
		walk_problem(w, F_BTREE_TOO_LARGE, NO_INDEX, tree->blocks, tree->limit);
	tree->gap = true;
	walk_incomplete(w);
	return false;
}

void tree_settle(struct walker *w, const struct tree *tree, unsigned levels)
{
	if (tree->gap || !tree->blocks)
		return;
	if (tree->siblings || tree->links != tree->blocks - levels)
		walk_problem(w, F_BTREE_SIBLINGS, NO_INDEX, tree->links, tree->blocks - levels);
}
