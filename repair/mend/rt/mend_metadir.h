/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories of the metadata tree in which files are known by their names: what their menders share. */
#ifndef XFSCK_REPAIR_MEND_METADIR_H
#define XFSCK_REPAIR_MEND_METADIR_H

#include "libxfs/dinode_meta.h"
#include "mend/dir/mend_dir.h"

struct metadir {
	struct dir_edit dir;
	bool renamed; /* it is to be written */
};

/*
 * Load the directory of this name in the root of the tree: the one that the root has (0 or NULL_INO: none), else the
 * one that has names of such files (likewise), which gets the name, else a new one.  *ret_changed: it had to be named.
 * 0, -ENOENT, -ENOSPC or another negative errno; end it after 0.
 */
int metadir_begin(struct mend *m, const char *name, xino_t known, xino_t by_names, struct metadir *ret_dir,
		  bool *ret_changed);
/* Write it, if names have changed. 0 or negative errno. */
int metadir_write(struct mend *m, struct metadir *dir);
void metadir_end(struct metadir *dir);

/* Where a name leads to; NULL_INO: it is not there. */
xino_t metadir_find(const struct mend *m, struct metadir *dir, const char *name);
/* Have a name lead to this file, which has it instead of any other. 0 or -ENOMEM. */
int metadir_put(const struct mend *m, struct metadir *dir, const char *name, xino_t ino);
/* True if the name was there, and is not any more. */
bool metadir_drop(const struct mend *m, struct metadir *dir, const char *name);

/*
 * Make the file of an inode what the one name that leads to it says; *ret_done: it is now.  Not if there are more
 * names: it may be somebody else's.  0 or negative errno.
 */
int metadir_adopt(struct mend *m, struct mend_inode *inode, const struct metafile *metafile, bool *ret_done);
/* Free the inode of a file whose place another one has, for a finding about it. 0 or negative errno. */
int metadir_free_file(struct mend *m, struct mend_inode *inode, const struct found *found);
/*
 * The same for an inode that nothing names, if it is a directory of the metadata tree in which there are no names.
 * Another one has been made in its place, and its name is all that told what it was for.
 */
int metadir_free_empty(struct mend *m, const struct found *orphan);

#endif
