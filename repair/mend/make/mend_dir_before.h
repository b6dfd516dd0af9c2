/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories as they were before the repair: finds names that inodes claim by parent pointers, but that a newer
 * directory has removed (ondisk 07, invariant 5).
 */
#ifndef XFSCK_REPAIR_MEND_DIR_BEFORE_H
#define XFSCK_REPAIR_MEND_DIR_BEFORE_H

#include "mend_dir.h"
#include "mend_dir_dates.h"

struct pptr_name;

/* The directory queried last. Start with { .m = }. */
struct dir_before {
	struct mend *m;
	xino_t ino; /* 0: none yet */
	bool open;  /* it is readable: `dir` must be ended */
	bool known; /* all of it is intact */
	struct dir_edit dir;
	struct dir_dates dates;
};

/*
 * Sets *ret_removed if the directory has removed a name that its child still claims: on disk, the directory was intact,
 * and the part of it where the name belongs is newer than the child.  The parent pointer is stale, and so is the child,
 * as when a drive loses writes.  0 or negative errno.
 */
int dir_before_removed(struct dir_before *before, const struct pptr_name *name, bool *ret_removed);
/*
 * Sets *ret_outlived if a free inode was deleted after the part of the directory that names it was written: the name
 * was removed as well, but that write was lost.  0 or negative errno.
 */
int dir_before_outlived(struct dir_before *before, xino_t dir, const struct name_view *name, xino_t child,
			bool *ret_outlived);
/*
 * Sets *ret_lacks if the directory that a parent pointer names was intact, and had no such name for any inode.  0 or
 * negative errno.
 */
int dir_before_lacks(struct dir_before *before, const struct pptr_name *name, bool *ret_lacks);
void dir_before_free(struct dir_before *before);

#endif
