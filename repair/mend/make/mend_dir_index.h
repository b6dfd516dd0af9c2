/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hash index of a directory in memory, to look up which hash an entry should have (ondisk 06, invariant 3). */
#ifndef XFSCK_REPAIR_MEND_DIR_INDEX_H
#define XFSCK_REPAIR_MEND_DIR_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mend;
struct mend_inode;

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

#endif
