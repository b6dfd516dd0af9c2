/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making a new chunk of inodes. */
#ifndef XFSCK_REPAIR_MEND_NEW_CHUNK_H
#define XFSCK_REPAIR_MEND_NEW_CHUNK_H

#include "mend/base/mend.h"

/*
 * Make a chunk of free inodes in free blocks, and have the inobt of their AG lead to them.  If there is no room for a
 * whole chunk, make part of a sparse one.  The next check finds the blocks in use, and has the AG's other trees and the
 * counters mended.  *ret_first: the first of *ret_count inodes in a row.  0, -ENOSPC, or another negative errno.
 */
int mend_new_chunk(struct mend *m, xino_t *ret_first, uint32_t *ret_count);

#endif
