/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the hash index of a directory says of its entries (ondisk 06, invariant 3). */
#ifndef XFSCK_REPAIR_MEND_DIR_INDEX_H
#define XFSCK_REPAIR_MEND_DIR_INDEX_H

#include "mend/inode/mend_inode.h"

struct dir_index {
	uint64_t *entries; /* address << 32 | hash, sorted */
	size_t count, room;
};

/* All that can be made out of it, none where it can't be read. 0 or -ENOMEM. Free it, anyway. */
int dir_index_collect(struct mend *m, const struct mend_inode *dir, struct dir_index *ret_index);
void dir_index_free(struct dir_index *index);
/* For dir_data_mend(); ctx: the index. */
bool dir_index_hash(const void *ctx, uint32_t address, uint32_t *ret_hash);

#endif
