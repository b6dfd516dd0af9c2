/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of an attribute fork, and which of them are leaves. Mapped blocks are numbered in the order of the fork.
 */
#ifndef XFSCK_REPAIR_MEND_ATTR_BLOCKS_H
#define XFSCK_REPAIR_MEND_ATTR_BLOCKS_H

#include "mend_attr.h"

struct attr_blocks {
	struct mend *m;
	const struct geometry *geo;
	const struct mend_inode *inode;
	uint64_t *before;	/* of each extent: the number of its first block */
	uint64_t count;		/* mapped blocks */
	uint8_t *block;		/* room to read a block */
	struct attr_near *near; /* the blocks that were read last */
	uint32_t *leaves;	/* file blocks */
	size_t nleaves, room;
	uint64_t lost; /* blocks that are neither of the tree nor of a value, or can't be read */
};

/*
 * Find the leaves.  In version 5 each block says what it is.  In version 4 a value may look like a leaf, so leaves are
 * the blocks that the tree leads to, and of the others those that are sound leaves and no part of a value.  0; -E2BIG:
 * there are too many blocks; or another negative errno.  Free *ret_blocks in any case.
 */
int attr_blocks_find_leaves(struct mend *m, const struct mend_inode *inode, struct attr_blocks *ret_blocks);
void attr_blocks_free(struct attr_blocks *blocks);

/* Where a file block lies, and its number. False: it is not mapped. */
bool attr_blocks_find(const struct attr_blocks *blocks, uint64_t dablk, uint64_t *ret_number, xdaddr_t *ret_daddr);
/* Read a block by its number. False: it can't be read. */
bool attr_blocks_read(const struct attr_blocks *blocks, uint64_t number, uint8_t *block);
/* Read leaves[i]; *ret_expect: what its header must say. False: it can't be read. */
bool attr_blocks_leaf(const struct attr_blocks *blocks, size_t i, uint8_t *block, struct da_expect *ret_expect);

#endif
