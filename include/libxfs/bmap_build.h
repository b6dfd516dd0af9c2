/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds extent maps: packed records in the inode, or a bmbt with its root there (ondisk 05).  The caller provides
 * memory and blocks; nothing is read.
 */
#ifndef XFSCK_LIBXFS_BMAP_BUILD_H
#define XFSCK_LIBXFS_BMAP_BUILD_H

#include "disk/bmbt.h"
#include "libxfs/bmap.h"

struct bmbt_rec_disk bmap_record_put(const struct bmap_record *record);

/* The entry of a child in its parent. */
struct bmbt_child {
	fileoff_t first; /* lowest offset in it */
	fsbno_t block;
};

/* Capacity of a leaf in records, of a node in children, and of the root in a fork of fork_size bytes in children. */
uint32_t bmbt_leaf_room(const struct geometry *g);
uint32_t bmbt_node_room(const struct geometry *g);
uint32_t bmbt_root_room(uint32_t fork_size);

/* The addresses in the header of a block; NULL_FSBNO: no sibling. */
struct bmbt_place {
	xino_t owner;
	fsbno_t block, left, right;
};
/* Builds a leaf, or a node whose children are on level - 1.  Sets all block_size bytes; the LSN is 0. */
void bmbt_build_leaf(const struct geometry *g, uint8_t *block, const struct bmbt_place *place,
		     const struct bmap_record *records, uint32_t count);
void bmbt_build_node(const struct geometry *g, uint8_t *block, const struct bmbt_place *place, unsigned level,
		     const struct bmbt_child *children, uint32_t count);
/* Builds the root, whose children are on level - 1, and sets all fork_size bytes. */
void bmbt_build_root(uint8_t *fork, uint32_t fork_size, unsigned level, const struct bmbt_child *children,
		     uint32_t count);

#endif
