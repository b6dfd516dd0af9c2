/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories of the metadata tree, in which each file is known by its name: what menders of these files share. */
#ifndef XFSCK_REPAIR_MEND_METADIR_H
#define XFSCK_REPAIR_MEND_METADIR_H

#include "libxfs/dinode_mend.h"
#include "mend_dir.h"

struct mend;
struct mend_facts;

struct metadir {
	struct dir_edit dir;
	bool renamed; /* names have changed, so it is to be written */
};

/*
 * Load the directory that has this name in the root of the metadata tree.  known: the one that the root names; else
 * by_names, a directory that has names of such files, gets the name; else a new one is made (0 or NULL_INO: there is no
 * such directory).  *ret_changed: the root had to be changed.  0, -ENOENT, -ENOSPC or another negative errno; end it
 * after 0.
 */
int metadir_begin(struct mend *m, const char *name, xino_t known, xino_t by_names, struct metadir *ret_dir,
		  bool *ret_changed);
/* Write the directory, if names have changed. 0 or negative errno. */
int metadir_write(struct mend *m, struct metadir *dir);
void metadir_end(struct metadir *dir);

/* The inode that a name leads to; NULL_INO: the name is not there. */
xino_t metadir_find(const struct mend *m, struct metadir *dir, const char *name);
/* Make a name lead to this file. If the name is not there, it replaces another name of the file. 0 or -ENOMEM. */
int metadir_put(const struct mend *m, struct metadir *dir, const char *name, xino_t ino);
/* Remove a name. False: it was not there. */
bool metadir_drop(const struct mend *m, struct metadir *dir, const char *name);

/*
 * Make an inode this metadata file, as its name says, unless more names lead to it: then it may be somebody else's.
 * *ret_done: it was made that.  0 or negative errno.
 */
int metadir_adopt(struct mend *m, struct mend_inode *inode, const struct metafile *metafile, bool *ret_done);
/* Free the inode of a file that has no place, and report that with this finding about it. 0 or negative errno. */
int metadir_free_file(struct mend *m, struct mend_inode *inode, const struct found *found);
/*
 * Free an orphan, if it is a directory of the metadata tree without entries: it has lost the name that told what it was
 * for, and another one was made in its place.  0 or negative errno.
 */
int metadir_free_empty(struct mend *m, const struct found *orphan);

/* What inodes of the metadata tree are, by their names. */

/*
 * Whether the inode's name, or the directories that name it, tell that it belongs to the metadata tree, and as what.
 * facts: all names of that inode are among them.
 */
bool mend_metafile_of(const struct mend *m, const struct mend_facts *facts, xino_t ino, struct metafile *ret_metafile);
/* The same for files of realtime groups only, as the last check has found their names. */
bool mend_metafile_of_group(const struct mend *m, xino_t ino, struct metafile *ret_metafile);

#endif
