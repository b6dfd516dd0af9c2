/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash tree (da nodes and leaves) of a directory or attribute fork as a whole (ondisk 06, invariant 4; 07,
 * invariant 2).  Its blocks arrive in any order, so the entries of nodes and the headers of their children are summed
 * up, level by level, and must agree.  The order of hashes across leaves is checked when all have arrived.
 */

#include "inflight.h"
#include "sets/ordered.h"

/* Returns the hash of a child block and its last hash: added for the node's entry, subtracted for the block itself. */
static uint64_t child_hash(const struct walker *w, dablk_t child, uint32_t last_hash)
{
	return hash2(w->t->sink.key, child.v, last_hash);
}

static void block_seen(struct walker *w, struct da_tree *da, dablk_t self, dablk_t forw, dablk_t back)
{
	const struct hash_key *key = w->t->sink.key;

	w->totals.metadata_blocks++;
	da->blocks++;
	if (forw.v) {
		da->links++;
		da->siblings += hash2(key, self.v, forw.v);
	}
	if (back.v)
		da->siblings -= hash2(key, back.v, self.v);
}

void da_tree_leaf(struct walker *w, struct da_tree *da, const struct da_leaf_seen *leaf)
{
	block_seen(w, da, leaf->self, leaf->forw, leaf->back);
	if (leaf->root) {
		da->root_seen = true;
		da->root_level = 0;
	} else if (leaf->count) {
		da->children[0] -= child_hash(w, leaf->self, leaf->last_hash);
	}
	if (!leaf->count) {
		da->empty_leaf = true;
		return;
	}
	walk_add(w, da->leaves, da->room, da->nleaves,
		 (struct da_leaf){ leaf->self.v, leaf->back.v, leaf->first_hash, leaf->last_hash });
}

static void node_seen(struct walker *w, struct da_tree *da, dablk_t self, bool root, const struct da_node *node)
{
	block_seen(w, da, self, node->forw, node->back);
	if (root) {
		da->root_seen = true;
		da->root_level = node->level;
	} else {
		da->children[node->level] -= child_hash(w, self, node->last_hash);
	}
}

/* Reports leaves whose first hash is less than the last hash of the leaf before.  Sets da_tree.hash_repeats. */
static void check_leaf_order(struct walker *w, struct da_tree *da)
{
	ordered_sort(da->leaves, da->nleaves, MEMBERS(MEMBER(da->leaves, dablk)));
	for (size_t i = 0; i < da->nleaves; i++) {
		const struct da_leaf *leaf = &da->leaves[i], *before;
		size_t at;

		if (!leaf->back)
			continue;
		at = ordered_find(da->leaves, da->nleaves, MEMBER(da->leaves, dablk), leaf->back);
		before = at < da->nleaves ? &da->leaves[at] : NULL;
		da->hash_repeats |= !before || leaf->first_hash == before->last_hash;
		if (before && leaf->first_hash < before->last_hash) {
			w->place.fileoff.v = leaf->dablk;
			walk_problem(w, F_DA_LEAF_ORDER, NO_INDEX, leaf->first_hash, before->last_hash);
			w->place.fileoff.v = NO_FILEOFF;
		}
	}
}

void da_tree_settle(struct walker *w, struct da_tree *da)
{
	if (!da->root_seen) {
		walk_problem(w, F_DA_NO_ROOT, NO_INDEX, da->blocks, 0);
		da->hash_repeats = true;
		return;
	}
	for (unsigned level = 0; level < DA_LEVELS && !da->empty_leaf; level++)
		if (da->children[level])
			walk_problem(w, F_DA_CHILDREN, NO_INDEX, level, 0);
	if (da->siblings || da->links != da->blocks - (da->root_level + 1)) {
		walk_problem(w, F_DA_SIBLINGS, NO_INDEX, da->links, da->blocks - (da->root_level + 1));
		da->hash_repeats = true;
	} else {
		check_leaf_order(w, da);
	}
}

struct children {
	struct walker *w;
	uint64_t sum;
};

static void da_child_found(void *ctx, dablk_t before, uint32_t hash)
{
	struct children *children = ctx;

	children->sum += child_hash(children->w, before, hash);
}

void da_tree_node(struct walker *w, struct inflight *inflight, struct da_tree *da, const uint8_t *bytes, uint32_t len,
		  const struct da_expect *expect, bool root)
{
	struct children children = { .w = w };
	struct da_node node;
	bool ok, locked;

	ok = da_node_decode(&w->check, bytes, len, expect, da_child_found, &children, &node) && node.level > 0;
	locked = inflight_lock(inflight);
	if (ok) {
		node_seen(w, da, expect->dablk, root, &node);
		da->children[node.level - 1] += children.sum;
	} else {
		inflight_gap(w, inflight);
	}
	inflight_unlock(inflight, locked);
}
