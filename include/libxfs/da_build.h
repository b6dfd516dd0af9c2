/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building the nodes of hash trees (ondisk 06), of directories and of attributes: place->fork tells which, and with it
 * how large a block is.  All bytes of it are set, with a checksum, dated with no LSN.
 */
#ifndef XFSCK_LIBXFS_DA_BUILD_H
#define XFSCK_LIBXFS_DA_BUILD_H

#include "libxfs/da.h"

struct da_child {
	uint32_t hash; /* the last in it */
	dablk_t dablk;
};

/* The children of a node, in the order of their hashes. */
struct da_children {
	const struct da_child *v;
	size_t count;
};

/* Children that a node has room for. */
size_t da_build_node_room(const struct geometry *g, enum fork fork);
/* Build a node of this level; 1: its children are leaves. */
void da_build_node(const struct geometry *g, uint8_t *block, const struct da_expect *place, unsigned level,
		   struct da_children children, struct da_siblings siblings);

#endif
