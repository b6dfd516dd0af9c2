/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An object that is written anew in its own blocks, where the file system has no others. */
#ifndef XFSCK_REPAIR_MEND_OWN_H
#define XFSCK_REPAIR_MEND_OWN_H

#include "inode/mend_inode.h"

/* Whether a block, or a directory's block that begins there, says of itself that it lies there and is this inode's. */
bool mend_own_says(struct mend *m, xino_t ino, fsbno_t fsbno);

/*
 * A directory or attributes: what the fork is made of will be given up.  Until mend_own_end() mend_space_take() hands
 * out what nobody else has of that, when nothing else is left.  The caller has read what he wants of it; the fork's
 * arrays stay where they are.  False: there is too little memory for that.
 */
bool mend_own_begin(struct mend *m, const struct mend_inode *inode, enum fork fork);
/* A run of up to `want` of these blocks, at least 1. 0, -ENOSPC, or another negative errno. */
int mend_own_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* Stage bytes for blocks that were handed out: if some are old ones, not before mend_own_end(). 0 or negative errno. */
int mend_own_write(struct mend *m, const void *bytes, uint64_t offset, size_t len);
/*
 * The object is whole, if error is 0; else it stays as it was.  began: what mend_own_begin() said.  The error, or one
 * of its own.
 */
int mend_own_end(struct mend *m, bool began, int error);

#endif
