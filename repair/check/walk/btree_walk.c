/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for a btree as a whole (ondisk 03, invariant 1).  Its number of blocks is bounded, so that the walk of a tree
 * with a loop ends.  The sibling pointers of all its blocks agree; they are summed up, so that blocks may arrive in any
 * order.
 */
#include "walk.h"
#include "walker.h"

/* Posts a block of an AG's btree. */

static void post(struct walker *w, struct btree_want *want)
{
	const struct geometry *geo = w->t->geo;
	const struct btree_expect *expect = &want->expect;

	walk_post(w, &want->want, WANT_BTREE, expect->agno, daddr_of(geo, expect->agno, expect->agbno), geo->block_size,
		  geo->block_size);
}

/* Delays a leaf of the inobt if too many chunks wait: an AG can have millions.  False: it must be posted now. */
static bool post_later(struct walker *w, struct btree_want *want)
{
	struct ag_state *ag = &w->t->ags[want->expect.agno.v];
	bool later;

	pthread_mutex_lock(&w->t->ags_lock);
	later = ag->chunks_waiting >= w->t->chunks_most &&
		!walk_grow(w, &ag->later, &ag->later_room, ag->nlater, sizeof(*ag->later));
	if (later)
		ag->later[ag->nlater++] = want;
	pthread_mutex_unlock(&w->t->ags_lock);
	return later;
}

void walk_btree_wanted(struct walker *w, const struct btree_expect *expect)
{
	struct btree_want *want = walk_want(w, sizeof(*want));

	if (!want)
		return;
	want->expect = *expect;
	/* the places of leaves and inodes must be known before the pass over the AG begins */
	want->want.item.early = expect->level > 0 || expect->kind == BT_INO || expect->kind == BT_REFC;
	if (expect->kind != BT_INO || expect->level > 0 || !post_later(w, want))
		post(w, want);
}

void walk_inobt_wait(struct walker *w, agno_t agno)
{
	pthread_mutex_lock(&w->t->ags_lock);
	w->t->ags[agno.v].chunks_waiting++;
	pthread_mutex_unlock(&w->t->ags_lock);
}

void walk_inobt_more(struct walker *w, agno_t agno, unsigned chunks)
{
	struct ag_state *ag = &w->t->ags[agno.v];
	struct btree_want *want = NULL;

	pthread_mutex_lock(&w->t->ags_lock);
	ag->chunks_waiting -= chunks;
	if (ag->later_next < ag->nlater && ag->chunks_waiting < w->t->chunks_most)
		want = ag->later[ag->later_next++];
	pthread_mutex_unlock(&w->t->ags_lock);
	if (want)
		post(w, want);
}

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

/* Pointers in a block with wrong keys may point anywhere, even to the tree's own root: only so many are followed. */
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
