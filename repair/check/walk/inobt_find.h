/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up one inode in an inobt, without walking the whole tree. */
#ifndef XFSCK_REPAIR_INOBT_FIND_H
#define XFSCK_REPAIR_INOBT_FIND_H

#include "ag_state.h"
#include "cache.h"

/* What the inobt says of an inode. */
enum inode_use {
	INODE_UNKNOWN, /* the tree can't be followed to where its record would be */
	INODE_NONE,    /* there is no such inode */
	INODE_FREE,
	INODE_IN_USE,
};

/* The leaf that was read last: what lies near in the same tree is looked up without reading it again. */
struct inobt_leaf {
	uint8_t *block; /* free() it at the end; NULL: none was read yet */
	bool known;
	struct btree_expect expect;
	uint64_t low, high; /* records of inodes [low, high) of the AG are in it, if there are any */
};

/*
 * Descend from the root that the AG's header names.  leaf: of earlier calls for a tree that has not changed since;
 * zeroed before the first.  0, -ENOMEM, or -EIO where a block can't be read.
 */
int inobt_find(const struct geometry *geo, struct device *device, const struct ag_state *ag, agno_t agno, agino_t agino,
	       struct inobt_leaf *leaf, enum inode_use *ret);

#endif
