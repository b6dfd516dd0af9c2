/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of a directory in memory: collects, changes and rewrites them. */
#ifndef XFSCK_REPAIR_MEND_DIR_H
#define XFSCK_REPAIR_MEND_DIR_H

#include <string.h>

#include "libxfs/dir_build.h"
#include "losses.h"
#include "mend/base/name_chains.h"
#include "mend/collect/mend_inode.h"

/* An entry that was removed, and why. */
struct dir_gone {
	struct dir_name name;
	enum drop_reason reason;
};

/* A name that had to be changed. */
struct dir_rename {
	uint8_t *was, *now; /* copies */
	uint8_t was_len, now_len;
	bool twice; /* the directory had it twice; else the name is invalid */
};

struct dir_names {
	struct dir_name *names; /* `.` and `..` first; each entry owns its bytes */
	size_t count, room;
	struct dir_name *invalid; /* entries with an invalid inode number; not written, unless they get a valid one */
	size_t ninvalid, invalid_room;
	struct dir_gone *gone;
	size_t ngone, gone_room;
	struct dir_rename *renames; /* dir_edit_write() reports these */
	size_t nrenames, renames_room;
	bool whole;		   /* no block that may have held entries was lost */
	bool dotdot_known;	   /* `..` was found; names[1] has its inode */
	struct name_chains chains; /* for look-up; made when first needed */
};

/* Collects all entries that can be recognized, regardless of the index. 0 or negative errno; free them in any case. */
int dir_names_collect(struct mend *m, const struct mend_inode *inode, struct dir_names *ret_names);
/*
 * Collects the entries in one block at daddr.  first: it is the first block of the directory.  *ret_sound: the block
 * has no errors.  0 or negative errno; free the names in any case.
 */
int dir_names_in_block(const struct geometry *geo, xino_t dir, xdaddr_t daddr, bool first, const uint8_t *block,
		       struct dir_names *ret_names, bool *ret_sound);
void dir_names_free(struct dir_names *names);
/* Adds an entry; its bytes are copied. 0 or -ENOMEM. */
int dir_names_add(const struct geometry *geo, struct dir_names *names, const struct dir_name *name);
/* Returns the index of a name, ignoring ASCII case if the file system does; names->count: not found. */
size_t dir_names_find(const struct geometry *geo, struct dir_names *names, const uint8_t *name, uint8_t namelen);
/* True if the entry's name has exactly these bytes; false if there are none. */
static inline bool dir_name_is(const struct dir_name *name, const struct name_view *view)
{
	return view->len && name->namelen == view->len && !memcmp(name->name, view->bytes, view->len);
}
/*
 * Iterates over all entries with exactly these bytes, except `.` and `..`, in no particular order: returns the index of
 * the one after `at`.  Start with names->count, which is also returned after the last one.
 */
size_t dir_names_next(const struct geometry *geo, struct dir_names *names, const struct name_view *name, size_t at);
/* Returns the index of a finding's entry: its name, and its inode number as `got`; names->count: there is none. */
size_t dir_names_of_found(const struct geometry *geo, struct dir_names *names, const struct found *found);
/*
 * Removes an entry: it is neither found nor written any more; other indexes don't change.  When the directory is
 * written, the entry is dropped with this reason (mend_drop.h).
 */
void dir_names_remove(struct dir_names *names, size_t index, enum drop_reason reason);
/* Changes the bytes of a name; they are copied. 0 or -ENOMEM. */
int dir_names_rename(const struct geometry *geo, struct dir_names *names, size_t index, const uint8_t *name,
		     uint8_t namelen);
/*
 * Makes all names unique: of equal entries for the same inode one stays, others get a number appended to the name.
 * Drops removed entries; all indexes change.  0, -ENOMEM, or -ENOSPC: out of numbers.
 */
int dir_names_unique(const struct geometry *geo, struct dir_names *names);

/* A directory that is being changed. */
struct dir_edit {
	struct mend_inode inode;
	struct dir_names names; /* all recognizable ones, except those that a newer index lacks */
};

/* Reads a directory. 0, then call dir_edit_end(); -ENOENT: no directory, or invalid fork; or negative errno. */
int dir_edit_begin(struct mend *m, xino_t ino, struct dir_edit *ret_dir);
void dir_edit_end(struct dir_edit *dir);
/*
 * Writes the directory with unique names, in the smallest form that fits, to new blocks; then the inode.  The old
 * blocks become unowned.  0; -ENOSPC: there is no room, and the directory stays as it is; or another negative errno.
 */
int dir_edit_write(struct mend *m, struct dir_edit *dir);

#endif
