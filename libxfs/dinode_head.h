/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Restores an inode that has lost the first part of its core, up to the size of the file. */
#ifndef XFSCK_LIBXFS_DINODE_HEAD_H
#define XFSCK_LIBXFS_DINODE_HEAD_H

#include "libxfs/dinode_mend.h"

/* Whether the first part of the core is lost, not only fields of it.  Version 5; the inode is in use. */
bool dinode_head_lost(const struct geometry *g, const void *bytes);
/*
 * Make it anew, with a format, counts and a size that go with the rest of the inode; the rest stays.  Arguments as of
 * dinode_set_right().
 */
void dinode_restore_head(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			 const struct dinode_witness *witness);

#endif
