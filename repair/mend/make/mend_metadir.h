/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories of the metadata tree, where each file is known by its name: shared by the menders of these files. */
#ifndef XFSCK_REPAIR_MEND_METADIR_H
#define XFSCK_REPAIR_MEND_METADIR_H

#include "libxfs/dinode_mend.h"
#include "mend_dir.h"

struct mend;
struct mend_facts;

struct metadir {
	struct dir_edit dir;
	bool renamed; /* names have changed: write it */
};

/*
 * Loads the directory with this name in the root of the metadata tree: `known` if the root names it; else `by_names`, a
 * directory with the names of such files, which gets the name; else a new one.  0 or NULL_INO: no such directory.
 * *ret_changed: the root was changed.  0, -ENOENT, -ENOSPC or another negative errno; after 0, call metadir_end().
 */
int metadir_begin(struct mend *m, const char *name, xino_t known, xino_t by_names, struct metadir *ret_dir,
		  bool *ret_changed);
/* Writes the directory if names have changed. 0 or negative errno. */
int metadir_write(struct mend *m, struct metadir *dir);
void metadir_end(struct metadir *dir);

/* Returns the inode that a name points to; NULL_INO: no such name. */
xino_t metadir_find(const struct mend *m, struct metadir *dir, const char *name);
/* Makes a name point to this file. A new name replaces another name of the file. 0 or -ENOMEM. */
int metadir_put(const struct mend *m, struct metadir *dir, const char *name, xino_t ino);
/* Removes a name. False: no such name. */
bool metadir_drop(const struct mend *m, struct metadir *dir, const char *name);

/*
 * Turns an inode into the metadata file of its name, unless it has several names, and may belong to another.
 * *ret_done: it was done.  0 or negative errno.
 */
int metadir_adopt(struct mend *m, struct mend_inode *inode, const struct metafile *metafile, bool *ret_done);
/* Frees the inode of a file without a place, and reports that with this finding. 0 or negative errno. */
int metadir_free_file(struct mend *m, struct mend_inode *inode, const struct found *found);
/*
 * Frees an orphan if it is a metadata directory without entries: the name that gave its purpose is lost, and another
 * directory has replaced it.  0 or negative errno.
 */
int metadir_free_empty(struct mend *m, const struct found *orphan);

/*
 * True if the inode's name, or the directories that name it, show that it belongs to the metadata tree, and as which
 * file.  facts: must include all names of that inode.
 */
bool mend_metafile_of(const struct mend *m, const struct mend_facts *facts, xino_t ino, struct metafile *ret_metafile);
/* Likewise for files of realtime groups only, by the names that the last check found. */
bool mend_metafile_of_group(const struct mend *m, xino_t ino, struct metafile *ret_metafile);

#endif
