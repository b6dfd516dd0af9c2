/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory that was not there: lost+found. */
#ifndef XFSCK_REPAIR_MEND_NEW_DIR_H
#define XFSCK_REPAIR_MEND_NEW_DIR_H

#include "mend_dir.h"

/*
 * Make an empty directory below `parent` of an inode that the inobt has as free: it is named nowhere yet, and the next
 * check finds it in use, and has the inode btrees say so.  0; -ENOSPC: no inode is free; or another negative errno.
 */
int mend_new_directory(struct mend *m, xino_t parent, xino_t *ret_ino);

#endif
