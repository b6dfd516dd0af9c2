/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an object anew in its own blocks, if the file system has no free ones. */
#ifndef XFSCK_REPAIR_MEND_OWN_H
#define XFSCK_REPAIR_MEND_OWN_H

#include "mend/collect/mend_inode.h"

/* Whether the block there, or the directory block that begins there, has this address and owner in its header. */
bool mend_own_says(struct mend *m, xino_t ino, fsbno_t fsbno);

/*
 * Begin to write a directory or attributes anew: the fork's blocks will be given up.  Until mend_own_end(),
 * mend_space_take() hands out those that nobody else has, when no other block is left.  The caller has read what it
 * needs of them, and keeps the fork's arrays of extents and tree blocks.  False: there is too little memory, an object
 * has begun already, or the fork is realtime; then there is nothing to end.
 */
bool mend_own_begin(struct mend *m, const struct mend_inode *inode, enum fork fork);
/*
 * For mend_space_take(): a run of at least `least` and at most `want` of these blocks; 0, -ENOSPC, or another negative
 * errno.
 */
int mend_own_take(struct mend *m, uint32_t least, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* Stage bytes of the object. Once it has got blocks of its own, they wait for mend_own_end(). 0 or negative errno. */
int mend_own_write(struct mend *m, const void *bytes, uint64_t offset, size_t len);
/*
 * End it: if error is 0 the object is complete, and what waits is staged; else that is dropped, and the object stays as
 * it was.  began: what mend_own_begin() returned.  Returns error, or an error of its own.
 */
int mend_own_end(struct mend *m, bool began, int error);

#endif
