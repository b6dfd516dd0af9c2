/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes that were free, put to use: lost+found, files of the metadata tree that are gone. */
#ifndef XFSCK_REPAIR_MEND_NEW_INODE_H
#define XFSCK_REPAIR_MEND_NEW_INODE_H

#include "libxfs/dinode_meta.h"
#include "mend/dir/mend_dir.h"

/*
 * `count` inodes that are free, none of them twice in a round: such as the inobt has, or where there are too few those
 * of a new chunk.  0, -ENOSPC, ...
 */
int mend_new_inodes_find(struct mend *m, xino_t *ret_inos, size_t count);

/*
 * Put a free inode to use: a file, or a directory in `parent`, that is empty; one of the metadata tree, if metafile
 * says so.  Nothing names it yet; that the inode btrees say that it is in use follows. 0 or negative errno.
 */
int mend_new_inode(struct mend *m, xino_t ino, enum ftype ftype, xino_t parent, const struct metafile *metafile);

#endif
