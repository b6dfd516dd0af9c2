/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chunk of inodes that was not there. */
#ifndef XFSCK_REPAIR_MEND_NEW_CHUNK_H
#define XFSCK_REPAIR_MEND_NEW_CHUNK_H

#include "mend/mend.h"

/*
 * Make free inodes where none were, all at once, and have the inobt of their AG lead to them; only part of a chunk
 * where there is no room for a whole one.  The next check finds their blocks in use, and has the AG's other trees and
 * the counters mended.  *ret_first: of *ret_count in a row.  0, -ENOSPC, or another negative errno.
 */
int mend_new_chunk(struct mend *m, xino_t *ret_first, uint32_t *ret_count);

#endif
