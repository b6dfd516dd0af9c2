/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing the blocks of a directory or of attributes anew, in new blocks of the file system. */
#ifndef XFSCK_REPAIR_MEND_DA_H
#define XFSCK_REPAIR_MEND_DA_H

#include "libxfs/da_build.h"
#include "mend/mend.h"

struct mend_da {
	struct mend *m;
	const struct geometry *geo;
	xino_t ino;
	enum fork fork;
	uint8_t *block; /* to build the next one in */
	uint32_t size;	/* bytes of it */
	struct bmap_record *extents;
	size_t nextents, room;
	int error; /* once it is set nothing more is done */
};

void mend_da_begin(struct mend_da *w, struct mend *m, xino_t ino, enum fork fork);
void mend_da_end(struct mend_da *w);
/* Take space for the block at this file block, which is behind all that have been placed; where it is. */
struct da_expect mend_da_place(struct mend_da *w, uint64_t off);
/* Stage what was built in w->block for the block that was placed last. */
void mend_da_put(struct mend_da *w);

/* The first of the items of share number i, if so many are divided evenly; number `shares`: the end. */
static inline size_t mend_da_share_start(size_t items, size_t shares, size_t i)
{
	size_t rest = items % shares;

	return items / shares * i + (i < rest ? i : rest);
}

/* Blocks of a hash tree with so many leaves, which are counted. */
uint32_t mend_da_tree_blocks(const struct geometry *geo, enum fork fork, uint32_t leaves);
/* Build leaf number i in w->block. */
typedef void mend_da_leaf(void *ctx, struct mend_da *w, const struct da_expect *place, uint32_t i,
			  struct da_siblings siblings);
/* Write a tree with these leaves; last_hash: the last hash in each. Its blocks follow each other in the fork. */
void mend_da_put_tree(struct mend_da *w, const uint32_t *last_hash, uint32_t leaves, mend_da_leaf *leaf, void *ctx);

#endif
