/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of a directory: reading them, its hash index, and whose a block is. */
#ifndef XFSCK_REPAIR_MEND_DIR_BLOCK_H
#define XFSCK_REPAIR_MEND_DIR_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libxfs/da.h"
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

/* The hash index of a directory in memory, to look up which hash an entry should have (ondisk 06, invariant 3). */

struct dir_index {
	uint64_t *entries; /* address << 32 | hash, sorted */
	size_t count, room;
	bool unsound; /* a block of it is damaged, or its entries are in no order */
};

/* Collect all that can be read of the index; *ret_index starts as zeroes. 0 or -ENOMEM; free it in any case. */
int dir_index_collect(struct mend *m, const struct mend_inode *dir, struct dir_index *ret_index);
void dir_index_free(struct dir_index *index);
/* For dir_data_mend(); ctx: the index. */
bool dir_index_hash(const void *ctx, uint32_t address, uint32_t *ret_hash);

/* Whose a directory's data block is, and what its contents say of that if its header is damaged. */

/* Whether a block begins with the entry `.`, whatever its header says; *ret_ino: the number in its first entry. */
bool dir_header_dot(const struct geometry *geo, const uint8_t *block, xino_t *ret_ino);

/*
 * Whether a data block, to which the map of a directory leads, holds names of that directory (expect->owner).  If its
 * header says neither that nor whose else it is, its contents decide, and the header is set right in memory, so that
 * the block can be decoded.  index: of the directory; it may be empty.
 */
bool dir_header_settle(const struct mend *m, uint8_t *block, const struct da_expect *expect,
		       const struct dir_index *index);

#endif
