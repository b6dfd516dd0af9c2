/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the blocks of a directory or of attributes anew, to new blocks of the file system. */
#ifndef XFSCK_REPAIR_MEND_DA_H
#define XFSCK_REPAIR_MEND_DA_H

#include "libxfs/da_build.h"

struct mend_da {
	struct mend *m;
	const struct geometry *geo;
	xino_t ino;
	enum fork fork;
	uint8_t *block; /* room to build the next directory or attribute block in */
	uint32_t size;	/* of such a block, in bytes */
	bool pieces;	/* it may lie in pieces, if there is no room for it as a whole (ondisk afterlife) */
	struct bmap_record *extents; /* of all blocks that were placed */
	size_t nextents, room;
	int error; /* the first error; after it nothing more is done */
};

void mend_da_begin(struct mend_da *w, struct mend *m, xino_t ino, enum fork fork);
void mend_da_end(struct mend_da *w);
/* Take space for the block at file block `off`, behind all that were placed before; returns what its header needs. */
struct da_expect mend_da_place(struct mend_da *w, uint64_t off);
/* Stage what was built in w->block for the block that was placed last. */
void mend_da_put(struct mend_da *w);

/* The first item of share number i when `items` are divided evenly; i == shares: the number of items. */
static inline size_t mend_da_share_start(size_t items, size_t shares, size_t i)
{
	size_t rest = items % shares;

	return items / shares * i + (i < rest ? i : rest);
}

/* How many blocks a hash tree has, with its leaves. */
uint32_t mend_da_tree_blocks(const struct geometry *geo, enum fork fork, uint32_t leaves);
/* Build leaf number i in w->block. */
typedef void mend_da_leaf(void *ctx, struct mend_da *w, const struct da_expect *place, uint32_t i,
			  struct da_siblings siblings);
/* Write a tree with so many leaves; last_hash[]: the last hash in each. Its blocks follow each other in the fork. */
void mend_da_put_tree(struct mend_da *w, const uint32_t *last_hash, uint32_t leaves, mend_da_leaf *leaf, void *ctx);

#endif
