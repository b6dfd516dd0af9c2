/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a directory or attribute fork to new blocks. */
#ifndef XFSCK_REPAIR_MEND_DA_H
#define XFSCK_REPAIR_MEND_DA_H

#include "libxfs/da_build.h"

struct mend_da {
	struct mend *m;
	const struct geometry *geo;
	xino_t ino;
	enum fork fork;
	uint8_t *block; /* buffer for building the next directory or attribute block */
	uint32_t size;	/* size of such a block, in bytes */
	bool may_split; /* it may be split into fs blocks, if there is no contiguous space (ondisk afterlife) */
	struct bmap_record *extents; /* of all blocks placed so far */
	size_t nextents, room;
	int error; /* the first error; stops all further work */
};

void mend_da_begin(struct mend_da *w, struct mend *m, xino_t ino, enum fork fork);
void mend_da_end(struct mend_da *w);
/* Allocates the block at file block `off`, after all earlier ones, and returns what its header needs. */
struct da_expect mend_da_place(struct mend_da *w, uint64_t off);
/* Stages w->block as the block placed last. */
void mend_da_put(struct mend_da *w);

/* Returns the first item of share `i` when `items` are divided evenly; i == shares: `items`. */
static inline size_t mend_da_share_start(size_t items, size_t shares, size_t i)
{
	size_t rest = items % shares;

	return items / shares * i + (i < rest ? i : rest);
}

/* Returns how many blocks a hash tree has, including its leaves. */
uint32_t mend_da_tree_blocks(const struct geometry *geo, enum fork fork, uint32_t leaves);
/* Builds leaf `i` in w->block. */
typedef void mend_da_leaf(void *ctx, struct mend_da *w, const struct da_expect *place, uint32_t i,
			  struct da_siblings siblings);
/* Writes a tree with this many leaves, in consecutive file blocks. last_hash[]: the last hash of each leaf. */
void mend_da_put_tree(struct mend_da *w, const uint32_t *last_hash, uint32_t leaves, mend_da_leaf *leaf, void *ctx);

#endif
