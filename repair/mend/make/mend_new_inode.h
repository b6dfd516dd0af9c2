/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocates free inodes, for lost+found and lost metadata files. */
#ifndef XFSCK_REPAIR_MEND_NEW_INODE_H
#define XFSCK_REPAIR_MEND_NEW_INODE_H

#include "libxfs/dinode_mend.h"
#include "mend/collect/mend_inode.h"

struct mend;

/*
 * Finds `count` free inodes that have not been returned before in this round: in the inobt or, if there are too few, in
 * new chunks.  0, -ENOSPC or another negative errno.
 */
int mend_new_inodes_find(struct mend *m, xino_t *ret_inos, size_t count);

/*
 * Makes a free inode an empty file, or an empty directory with this parent; a metadata inode unless metafile is NULL.
 * The caller gives it a name.  The inode btrees are mended through a finding that this adds.  0 or negative errno.
 */
int mend_new_inode(struct mend *m, xino_t ino, enum ftype ftype, xino_t parent, const struct metafile *metafile);

/* Link count changes caused by menders of directories (ondisk 12, D5). */

/* Adds `more`, which may be negative, to an inode's link count; the caller stores the inode. 0 or -ENOMEM. */
int mend_nlink_add(struct mend *m, struct mend_inode *inode, int64_t more);
/*
 * Adjusts the link counts of `from` and `to`, if they are directories, after the `..` of a directory changed from one
 * to the other.  0 or negative errno.
 */
int mend_nlink_moved(struct mend *m, xino_t from, xino_t to);

#endif
