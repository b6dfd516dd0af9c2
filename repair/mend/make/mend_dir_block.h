/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the blocks of a directory that its extent map leads to. */
#ifndef XFSCK_REPAIR_MEND_DIR_BLOCK_H
#define XFSCK_REPAIR_MEND_DIR_BLOCK_H

#include "mend/collect/mend_inode.h"

/* A directory block, which may consist of several blocks of the file system, in several extents. */
struct mend_dir_block {
	uint8_t *bytes; /* the caller's: dir_block_size of them */
	xdaddr_t daddr; /* of its first block; valid if it begins */
	bool begins;	/* its first block, which has the header, is mapped */
	bool whole;	/* all of it is mapped and could be read */
};

/*
 * Read the directory block at file offset `off`, in blocks.  *first: the extent to begin with; start with 0, and read
 * blocks in the order of their offsets.  What is not mapped or can't be read becomes zeroes, so that the entries beside
 * it can still be used.  0 or -ENOMEM.
 */
int mend_dir_block_read(struct mend *m, const struct mend_fork *fork, size_t *first, uint64_t off,
			struct mend_dir_block *block);

/*
 * Call fn for each directory block from file offset `from` to `end`, both in blocks and where one may begin, if any
 * part of it is mapped.  A value of fn other than 0 ends this and is returned; else 0, -ENOMEM, or -E2BIG: menders have
 * read too much already (mend_exhausted()).
 */
typedef int mend_dir_block_fn(void *ctx, uint64_t off, const struct mend_dir_block *block);
int mend_dir_block_each(struct mend *m, const struct mend_fork *fork, uint64_t from, uint64_t end,
			mend_dir_block_fn *fn, void *ctx);

#endif
