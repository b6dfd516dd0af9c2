/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of a directory in memory, for mending it: they are collected, changed, and the directory written anew. */
#ifndef XFSCK_REPAIR_MEND_DIR_H
#define XFSCK_REPAIR_MEND_DIR_H

#include <string.h>

#include "libxfs/dir_build.h"
#include "losses.h"
#include "mend/base/name_chains.h"
#include "mend/collect/mend_inode.h"

/* A name that was removed, and why. */
struct dir_gone {
	struct dir_name name;
	enum drop_reason reason;
};

/* A name that could not stay as it was. */
struct dir_rename {
	uint8_t *was, *now; /* copies */
	uint8_t was_len, now_len;
	bool twice; /* the directory had it twice; else there can be no such name */
};

struct dir_names {
	struct dir_name *names; /* `.` and `..` first; each has its bytes in memory of its own */
	size_t count, room;
	struct dir_name *invalid; /* names with the number of no inode; not written, unless one gets a number */
	size_t ninvalid, invalid_room;
	struct dir_gone *gone;
	size_t ngone, gone_room;
	struct dir_rename *renames; /* dir_edit_write() tells the user */
	size_t nrenames, renames_room;
	bool whole;		   /* no block that may have held names was lost */
	bool dotdot_known;	   /* `..` was found, and its number is in names[1] */
	struct name_chains chains; /* for finding names; made when the first is looked for */
};

/* Collect all names that can be made out in the directory, whatever its index says. 0 or negative errno; free them. */
int dir_names_collect(struct mend *m, const struct mend_inode *inode, struct dir_names *ret_names);
/*
 * Collect the names in one block at daddr; first: it is the first of the directory.  *ret_sound: nothing is wrong with
 * it.  0 or negative errno; free the names in any case.
 */
int dir_names_in_block(const struct geometry *geo, xino_t dir, xdaddr_t daddr, bool first, const uint8_t *block,
		       struct dir_names *ret_names, bool *ret_sound);
void dir_names_free(struct dir_names *names);
/* Add a name, whose bytes are copied. 0 or -ENOMEM. */
int dir_names_add(const struct geometry *geo, struct dir_names *names, const struct dir_name *name);
/* The index of a name, ASCII case apart if the file system ignores it; names->count: it is not there. */
size_t dir_names_find(const struct geometry *geo, struct dir_names *names, const uint8_t *name, uint8_t namelen);
/* Whether the name has exactly these bytes; never if there are none. */
static inline bool dir_name_is(const struct dir_name *name, const struct name_view *view)
{
	return view->len && name->namelen == view->len && !memcmp(name->name, view->bytes, view->len);
}
/*
 * For a walk over all names with exactly these bytes, but for `.` and `..`, in no particular order: the index of the
 * one after `at`.  Begin with names->count; it is returned after the last one.
 */
size_t dir_names_next(const struct geometry *geo, struct dir_names *names, const struct name_view *name, size_t at);
/*
 * Remove a name: it is not found any more, nor written; the indexes of others stay.  When the directory is written, the
 * name is dropped for this reason (mend_drop.h).
 */
void dir_names_remove(struct dir_names *names, size_t index, enum drop_reason reason);
/* Give a name other bytes, which are copied. 0 or -ENOMEM. */
int dir_names_rename(const struct geometry *geo, struct dir_names *names, size_t index, const uint8_t *name,
		     uint8_t namelen);
/*
 * Make each name occur once: of equal ones that lead to the same inode one stays, others get a number behind the name.
 * Removed names are dropped, and all indexes change.  0, -ENOMEM, or -ENOSPC: there are no more numbers.
 */
int dir_names_unique(const struct geometry *geo, struct dir_names *names);

/* A directory that is being changed. */
struct dir_edit {
	struct mend_inode inode;
	struct dir_names names; /* all that can be made out, but for those that a newer index lacks */
};

/* Read a directory. 0, and it is to be ended; -ENOENT: it is none, or its fork makes no sense; or a negative errno. */
int dir_edit_begin(struct mend *m, xino_t ino, struct dir_edit *ret_dir);
void dir_edit_end(struct dir_edit *dir);
/*
 * Write the directory anew with its names, each once, in the smallest form that has room for them, to new blocks; then
 * the inode.  The old blocks belong to nobody then.  0; -ENOSPC: there is no room for it, so that it stays as it is; or
 * another negative errno.
 */
int dir_edit_write(struct mend *m, struct dir_edit *dir);

#endif
