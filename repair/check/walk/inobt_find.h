/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up one inode in an inobt, without walking the whole tree. */
#ifndef XFSCK_REPAIR_INOBT_FIND_H
#define XFSCK_REPAIR_INOBT_FIND_H

#include "ag_state.h"
#include "cache.h"

/* The state of an inode in the inobt. */
enum inode_use {
	INODE_UNKNOWN, /* the tree can't be followed to the place of its record */
	INODE_NONE,    /* there is no such inode */
	INODE_FREE,
	INODE_IN_USE,
};

/* The leaf that was read last: neighbouring inodes of the same tree are looked up in it. */
struct inobt_leaf {
	uint8_t *block; /* the caller frees it at the end; NULL: none was read yet */
	bool known;
	struct btree_expect expect;
	uint64_t low, high; /* it has all records of inodes [low, high) of the AG */
};

/*
 * Looks up an inode, from the root in the AG's header.  leaf: of earlier calls for a tree that has not changed since;
 * zeroed before the first.  Returns 0, -ENOMEM, or -EIO if a block is unreadable.
 */
int inobt_find(const struct geometry *geo, struct device *device, const struct ag_state *ag, agno_t agno, agino_t agino,
	       struct inobt_leaf *leaf, enum inode_use *ret);

#endif
