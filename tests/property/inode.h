/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about inodes for excuses. */
#ifndef PROPERTY_INODE_H
#define PROPERTY_INODE_H

#include "catalog.h"
#include "disk/inode.h"

/* Extent count of the data or the attribute fork. */
uint64_t inode_extents(const struct dinode_disk *inode, bool attr);

/* The largest extent size hint, in blocks. */
uint64_t inode_hint_max(const struct image *image);

/* True if some extent in the inode is shared. */
bool inode_shares_blocks(const struct catalog *catalog, const struct object *object);

#endif
