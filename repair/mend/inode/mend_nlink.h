/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Link counts of directories, which count the `..` of others (ondisk 12, D5). */
#ifndef XFSCK_REPAIR_MEND_NLINK_H
#define XFSCK_REPAIR_MEND_NLINK_H

#include "mend_inode.h"

/* So many more or less; the inode is still to be stored. 0 or -ENOMEM. */
int mend_nlink_add(struct mend *m, struct mend_inode *inode, int64_t more);
/* The `..` of a directory leads to another one now; either may be none. 0 or negative errno. */
int mend_nlink_moved(struct mend *m, xino_t from, xino_t to);

#endif
