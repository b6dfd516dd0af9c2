/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of an attribute fork, and which of them are leaves. */
#ifndef XFSCK_REPAIR_MEND_ATTR_BLOCKS_H
#define XFSCK_REPAIR_MEND_ATTR_BLOCKS_H

#include "mend_attr.h"

struct attr_blocks {
	struct mend *m;
	const struct geometry *geo;
	const struct mend_inode *inode;
	uint64_t *before;	/* of each extent: how many blocks are mapped in front of it */
	uint64_t count;		/* mapped blocks; their numbers are 0 to count - 1 */
	uint8_t *block;		/* to read one */
	struct attr_near *near; /* those that were read last */
	uint32_t *leaves;	/* file blocks */
	size_t nleaves, room;
	uint64_t lost; /* blocks that are neither of the tree nor of a value, or can't be read */
};

/*
 * Find the leaves: on V5 by what each block says of itself; on V4, where a value can look like a leaf, those that the
 * tree leads to, and of the others those that are sound and nobody's value.  0; -E2BIG: there
 * are too many blocks; or another negative errno. Free it, anyway.
 */
int attr_blocks_find_leaves(struct mend *m, const struct mend_inode *inode, struct attr_blocks *ret_blocks);
void attr_blocks_free(struct attr_blocks *blocks);

/* Where a file block lies, and its number. False: it is not mapped. */
bool attr_blocks_find(const struct attr_blocks *blocks, uint64_t dablk, uint64_t *ret_number, xdaddr_t *ret_daddr);
/* Read the block of that number. False: it can't be read. */
bool attr_blocks_read(const struct attr_blocks *blocks, uint64_t number, uint8_t *block);
/* Read leaf number i, and what is expected of it. False: it can't be read. */
bool attr_blocks_leaf(const struct attr_blocks *blocks, size_t i, uint8_t *block, struct da_expect *ret_expect);

#endif
