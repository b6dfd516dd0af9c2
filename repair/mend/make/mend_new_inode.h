/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts free inodes to use: for lost+found, and for files of the metadata tree that are lost. */
#ifndef XFSCK_REPAIR_MEND_NEW_INODE_H
#define XFSCK_REPAIR_MEND_NEW_INODE_H

#include "libxfs/dinode_mend.h"
#include "mend/collect/mend_inode.h"

struct mend;

/*
 * Find `count` free inodes, none of which was returned before in this round: those that the inobt has, or if there are
 * too few, those of new chunks.  0, -ENOSPC or another negative errno.
 */
int mend_new_inodes_find(struct mend *m, xino_t *ret_inos, size_t count);

/*
 * Make a free inode an empty file, or an empty directory with this parent; one of the metadata tree unless metafile is
 * NULL.  The caller names it; the inode btrees are mended by a finding that this adds.  0 or negative errno.
 */
int mend_new_inode(struct mend *m, xino_t ino, enum ftype ftype, xino_t parent, const struct metafile *metafile);

/* Changes of link counts, which menders of directories cause (ondisk 12, D5). */

/* Add `more`, which may be negative, to an inode's link count; the inode is still to be stored. 0 or -ENOMEM. */
int mend_nlink_add(struct mend *m, struct mend_inode *inode, int64_t more);
/*
 * The `..` of a directory leads to `to` instead of `from` now: change the link counts of these, as far as they are
 * directories.  0 or negative errno.
 */
int mend_nlink_moved(struct mend *m, xino_t from, xino_t to);

#endif
