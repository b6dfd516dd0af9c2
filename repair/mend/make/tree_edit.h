/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits a btree of an AG in place: changes, inserts and removes records in the leaves, and updates the keys of the
 * nodes above.  The btree keeps its blocks, so nothing else changes.
 */
#ifndef XFSCK_REPAIR_TREE_EDIT_H
#define XFSCK_REPAIR_TREE_EDIT_H

#include "libxfs/btree_build.h"

struct mend;

#define TREE_EDIT_MAX 64u /* maximum number of blocks to change; beyond that, rebuilding is better */

/* A block of the tree. */
struct tree_block {
	struct btree_expect at;	 /* what its parent says of it */
	struct btree_child keys; /* its new keys for its parent */
	uint32_t children;	 /* of a node: number of children */
	uint32_t records;	 /* of a leaf: new number of records */
	uint64_t first;		 /* and the number of the first of them */
	uint8_t *bytes;		 /* of nodes and changed blocks; NULL: not read, or unchanged */
	bool changed;		 /* stage bytes */
};

struct tree_level {
	struct tree_block *v; /* from left to right */
	size_t count, room;
};

/* Start with { 0 }; free it in any case. */
struct tree_edit {
	struct mend *m;
	enum btree_kind kind;
	agno_t agno;
	uint32_t levels;
	struct tree_level level[BTREE_LEVELS_MAX]; /* leaves first */
	size_t blocks;				   /* in all levels */
	unsigned changed;			   /* atomic while leaves are made */
};

/* Reads the nodes of a btree. 0; -EINVAL: too damaged to be edited; -ENOMEM. */
int tree_edit_open(struct tree_edit *edit, struct mend *m, enum btree_kind kind, agno_t agno, agbno_t root,
		   uint32_t levels);
/*
 * Computes the changes that give the btree exactly these records, which are in order.  Each record is requested twice,
 * in any order, by any thread.  0; -EINVAL: a leaf is not a block of this btree; -ENOSPC: they don't fit into the
 * leaves, or too much would change; -ENOMEM.
 */
int tree_edit_make(struct tree_edit *edit, btree_source *source, void *ctx, uint64_t records);
/* Stages the changes. 0 or negative errno. */
int tree_edit_stage(const struct tree_edit *edit);
void tree_edit_free(struct tree_edit *edit);

#endif
