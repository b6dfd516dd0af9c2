/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of an attribute fork, and which are leaves. Mapped blocks are numbered in file order. */
#ifndef XFSCK_REPAIR_MEND_ATTR_BLOCKS_H
#define XFSCK_REPAIR_MEND_ATTR_BLOCKS_H

#include "mend_attr.h"

struct attr_blocks {
	struct mend *m;
	const struct geometry *geo;
	const struct mend_inode *inode;
	uint64_t *before;	/* per extent: number of its first block */
	uint64_t count;		/* number of mapped blocks */
	uint8_t *block;		/* buffer for a block */
	struct attr_near *near; /* the blocks read last */
	uint32_t *leaves;	/* file blocks of the leaves */
	size_t nleaves, room;
	uint64_t lost; /* unreadable blocks, and those that are neither in the tree nor part of a value */
};

/*
 * Finds the leaves.  In version 5, headers identify them.  In version 4, a value may look like a leaf, so leaves are
 * the blocks that the tree points to, and any others that are intact leaves and not part of a value.  0; -E2BIG: too
 * many blocks; or another negative errno.  Free *ret_blocks in any case.
 */
int attr_blocks_find_leaves(struct mend *m, const struct mend_inode *inode, struct attr_blocks *ret_blocks);
void attr_blocks_free(struct attr_blocks *blocks);

/* Gets the number and disk address of a file block. False: not mapped. */
bool attr_blocks_find(const struct attr_blocks *blocks, uint64_t dablk, uint64_t *ret_number, xdaddr_t *ret_daddr);
/* Reads a block by its number. False: unreadable. */
bool attr_blocks_read(const struct attr_blocks *blocks, uint64_t number, uint8_t *block);
/* Reads leaves[i]; *ret_expect: what its header must say. False: unreadable. */
bool attr_blocks_leaf(const struct attr_blocks *blocks, size_t i, uint8_t *block, struct da_expect *ret_expect);

#endif
