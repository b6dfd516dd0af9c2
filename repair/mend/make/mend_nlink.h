/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of link counts, which menders of directories cause (ondisk 12, D5). */
#ifndef XFSCK_REPAIR_MEND_NLINK_H
#define XFSCK_REPAIR_MEND_NLINK_H

#include "mend/collect/mend_inode.h"

/* Add `more`, which may be negative, to an inode's link count; the inode is still to be stored. 0 or -ENOMEM. */
int mend_nlink_add(struct mend *m, struct mend_inode *inode, int64_t more);
/*
 * The `..` of a directory leads to `to` instead of `from` now: change the link counts of these, as far as they are
 * directories.  0 or negative errno.
 */
int mend_nlink_moved(struct mend *m, xino_t from, xino_t to);

#endif
