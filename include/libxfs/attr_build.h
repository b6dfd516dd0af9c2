/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds attribute forks from their attributes (ondisk 07): the short form, leaves, and value blocks, with checksums
 * and without an LSN; da_build.h builds the nodes above leaves.  The caller provides memory and block addresses;
 * nothing is read.
 */
#ifndef XFSCK_LIBXFS_ATTR_BUILD_H
#define XFSCK_LIBXFS_ATTR_BUILD_H

#include "libxfs/da.h"

struct attr_item {
	uint8_t flags; /* ATTR_ROOT, ATTR_SECURE or ATTR_PARENT, or none of them */
	uint8_t namelen;
	const uint8_t *name;
	const uint8_t *value;
	uint32_t valuelen;
	uint32_t hash;	  /* of the name; for parent pointers, of name and parent */
	dablk_t valueblk; /* first block of the value in the fork, if it is remote */
};

/* Compares by hash, for qsort(). */
int attr_item_order(const void *a, const void *b);

/* Size of the short form in bytes; 0: too many attributes, or too large ones. */
uint32_t attr_build_sf_size(const struct attr_item *items, size_t count);
/* Builds the short form, of that size. */
void attr_build_sf(uint8_t *fork, const struct attr_item *items, size_t count);

/* True if the value is remote when the attribute is in a leaf; and the number of blocks of a remote value. */
bool attr_build_is_remote(const struct geometry *g, const struct attr_item *item);
uint32_t attr_build_value_blocks(const struct geometry *g, const struct attr_item *item);

/* The number of items, from the first on, that fit into one leaf: at least one. */
size_t attr_build_leaf_fit(const struct geometry *g, const struct attr_item *items, size_t count);
/* Builds a leaf of sorted items, at least one, which must fit. */
void attr_build_leaf(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct attr_item *items, size_t count, struct da_siblings siblings);

/* Builds the value block with the bytes of the value from `offset` on. */
void attr_build_value(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		      const struct attr_item *item, uint32_t offset);

#endif
