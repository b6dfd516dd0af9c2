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

/* Descend from the root that the AG's header names. 0, -ENOMEM, or -EIO where a block can't be read. */
int inobt_find(const struct geometry *geo, struct device *device, const struct ag_state *ag, agno_t agno, agino_t agino,
	       enum inode_use *ret);

#endif
