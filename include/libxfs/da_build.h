/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds da nodes (ondisk 06) of directories or attributes: place->fork decides, and with it the block size.  Sets all
 * bytes, with a checksum and without an LSN.
 */
#ifndef XFSCK_LIBXFS_DA_BUILD_H
#define XFSCK_LIBXFS_DA_BUILD_H

#include "libxfs/da.h"

struct da_child {
	uint32_t hash; /* the highest in it */
	dablk_t dablk;
};

/* The children of a node, sorted by hash. */
struct da_children {
	const struct da_child *v;
	size_t count;
};

/* Capacity of a node in children. */
size_t da_build_node_room(const struct geometry *g, enum fork fork);
/* Builds a node of this level; 1: its children are leaves. */
void da_build_node(const struct geometry *g, uint8_t *block, const struct da_expect *place, unsigned level,
		   struct da_children children, struct da_siblings siblings);

#endif
