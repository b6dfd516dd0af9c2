/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What directories knew before the repair: names that inodes claim by parent pointers, but that a newer directory has
 * removed (ondisk 07, invariant 5).
 */
#ifndef XFSCK_REPAIR_MEND_DIR_BEFORE_H
#define XFSCK_REPAIR_MEND_DIR_BEFORE_H

#include "mend_dir.h"
#include "mend_dir_dates.h"

struct pptr_name;

/* The directory that was asked about last. Start with { .m = }. */
struct dir_before {
	struct mend *m;
	xino_t ino; /* 0: none yet */
	bool open;  /* it could be read: `dir` is to be ended */
	bool known; /* all of it is sound */
	struct dir_edit dir;
	struct dir_dates dates;
};

/*
 * Find out whether the directory has removed a name that its child still claims: the directory was sound, as it lay on
 * the disk, and the part of it where the name belongs was written later than the child.  A child with a stale parent
 * pointer is a stale child, as where a drive lost writes.  0 or negative errno.
 */
int dir_before_removed(struct dir_before *before, const struct pptr_name *name, bool *ret_removed);
/*
 * Find out whether an inode, which is free, was deleted later than the part of the directory was written that names it:
 * then the name was removed as well, and the write that did so was lost.  0 or negative errno.
 */
int dir_before_outlived(struct dir_before *before, xino_t dir, const struct name_view *name, xino_t child,
			bool *ret_outlived);
void dir_before_free(struct dir_before *before);

#endif
