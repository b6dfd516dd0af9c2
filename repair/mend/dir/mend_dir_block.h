/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of a directory as its map leads to them. */
#ifndef XFSCK_REPAIR_MEND_DIR_BLOCK_H
#define XFSCK_REPAIR_MEND_DIR_BLOCK_H

#include "mend/inode/mend_inode.h"

/* One, which may lie in several pieces. */
struct mend_dir_block {
	uint8_t *bytes; /* the caller's: dir_block_size of them */
	xdaddr_t daddr; /* of the first piece */
	bool begins;	/* its first block is there, with the header */
	bool whole;
};

/*
 * Read the one at `off`, in blocks.  *first is moved to the first extent that does not end before it, and starts as 0;
 * offsets only grow.  There are zeroes for what is not mapped or can't be read: the entries beside it are as good as
 * ever.  0 or -ENOMEM.
 */
int mend_dir_block_read(struct mend *m, const struct mend_fork *fork, size_t *first, uint64_t off,
			struct mend_dir_block *block);

/*
 * Each block of a directory from offset `from` to `end`, both in blocks and where one may begin, of which anything is
 * mapped.  Other than 0 ends it, and is returned. 0, -ENOMEM, or -E2BIG: menders have read too much already.
 */
typedef int mend_dir_block_fn(void *ctx, uint64_t off, const struct mend_dir_block *block);
int mend_dir_block_each(struct mend *m, const struct mend_fork *fork, uint64_t from, uint64_t end,
			mend_dir_block_fn *fn, void *ctx);

#endif
