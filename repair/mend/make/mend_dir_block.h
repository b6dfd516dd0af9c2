/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of a directory: reads them and the hash index, and finds out the owner of a block. */
#ifndef XFSCK_REPAIR_MEND_DIR_BLOCK_H
#define XFSCK_REPAIR_MEND_DIR_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libxfs/da.h"
#include "mend/collect/mend_inode.h"

/* A directory block, which may consist of several fs blocks, in several extents. */
struct mend_dir_block {
	uint8_t *bytes; /* the caller's, dir_block_size bytes */
	xdaddr_t daddr; /* of its first fs block; valid if `begins` */
	bool begins;	/* its first fs block, which has the header, is mapped */
	bool whole;	/* all of it is mapped and was read */
};

/*
 * Reads the directory block at file block `off`.  *first: index of the extent to start with; initialize it to 0, and
 * read blocks in file order.  Unmapped or unreadable parts become zeroes, so that the other entries remain usable.  0
 * or -ENOMEM.
 */
int mend_dir_block_read(struct mend *m, const struct mend_fork *fork, size_t *first, uint64_t off,
			struct mend_dir_block *block);

/*
 * Calls fn for each directory block from file block `from` to `end`, both multiples of the directory block size, that
 * is at least partly mapped.  Stops at the first nonzero result of fn and returns it; else returns 0, -ENOMEM, or
 * -E2BIG: menders have read too much (mend_exhausted()).
 */
typedef int mend_dir_block_fn(void *ctx, uint64_t off, const struct mend_dir_block *block);
int mend_dir_block_each(struct mend *m, const struct mend_fork *fork, uint64_t from, uint64_t end,
			mend_dir_block_fn *fn, void *ctx);

/* The hash index of a directory in memory, for looking up the hash of an entry (ondisk 06, invariant 3). */

struct dir_index {
	uint64_t *entries; /* address << 32 | hash, sorted */
	size_t count, room;
	bool unsound; /* a block of it is damaged, or its entries are unsorted */
	bool alone;   /* it is in the directory's only block */
};

/* Collects all readable entries of the index; *ret_index must be zeroes. 0 or -ENOMEM; free it in any case. */
int dir_index_collect(struct mend *m, const struct mend_inode *dir, struct dir_index *ret_index);
void dir_index_free(struct dir_index *index);
/* For dir_data_mend(); ctx: the index. */
bool dir_index_hash(const void *ctx, uint32_t address, uint32_t *ret_hash);

/* True if a block starts with the entry `.`, whatever its header says. *ret_ino: the number in its first entry. */
bool dir_header_dot(const struct geometry *geo, const uint8_t *block, xino_t *ret_ino);

/*
 * True if a data block in the map of a directory holds entries of that directory (expect->owner).  If the header names
 * neither this nor another owner, the contents decide, and the header is corrected in memory, so that the block can be
 * decoded.  index: the directory's, possibly empty.
 */
bool dir_header_settle(const struct mend *m, uint8_t *block, const struct da_expect *expect,
		       const struct dir_index *index);

#endif
