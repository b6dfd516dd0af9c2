/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting a btree of an AG right in its own blocks: records are put, changed and removed in their leaves, and the keys
 * of the nodes above follow.  The tree keeps its blocks, so nothing else changes with it.
 */
#ifndef XFSCK_REPAIR_TREE_EDIT_H
#define XFSCK_REPAIR_TREE_EDIT_H

#include "libxfs/btree_build.h"

struct mend;

#define TREE_EDIT_MAX 64u /* blocks of a tree that are changed at most: beyond that it is better built anew */

/* A block of the tree. */
struct tree_block {
	struct btree_expect at;	 /* what its parent knows of it */
	struct btree_child keys; /* what its parent is to have of it */
	uint32_t children;	 /* of a node: how many ... */
	uint32_t records;	 /* of a leaf: how many it is to have */
	uint64_t first;		 /* ... and the number of the first of them */
	uint8_t *bytes;		 /* of nodes, and of what changes; NULL: not read, or as it was */
	bool changed;		 /* bytes are to be staged */
};

struct tree_level {
	struct tree_block *v; /* from the left */
	size_t count, room;
};

/* Start with { 0 }, and free it in any case. */
struct tree_edit {
	struct mend *m;
	enum btree_kind kind;
	agno_t agno;
	uint32_t levels;
	struct tree_level level[BTREE_LEVELS_MAX]; /* the leaves first */
	size_t blocks;				   /* of all levels */
	unsigned changed;			   /* atomic while leaves are made */
};

/*
 * Read the nodes of a tree.  0; -EINVAL: it is not sound enough to be edited; -ENOMEM.
 */
int tree_edit_open(struct tree_edit *edit, struct mend *m, enum btree_kind kind, agno_t agno, agbno_t root,
		   uint32_t levels);
/*
 * Find what has to change so that the tree has just these records, which are in order, and each of which is asked for
 * twice, in any order and by any thread.  0; -EINVAL: a leaf is no block of this tree; -ENOSPC: they do not fit into
 * the leaves, or too much would change; -ENOMEM.
 */
int tree_edit_make(struct tree_edit *edit, btree_source *source, void *ctx, uint64_t records);
/* Stage what changes. 0 or negative errno. */
int tree_edit_stage(const struct tree_edit *edit);
void tree_edit_free(struct tree_edit *edit);

#endif
