/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of a directory in memory, for mending it: collected, settled, written anew. */
#ifndef XFSCK_REPAIR_MEND_DIR_H
#define XFSCK_REPAIR_MEND_DIR_H

#include <string.h>

#include "libxfs/dir_build.h"
#include "mend/inode/mend_inode.h"
#include "mend/name_chains.h"

struct dir_names {
	struct dir_name *names; /* `.` and `..` first; the bytes of all others are theirs */
	size_t count, room;
	struct dir_name *astray; /* that have the number of no inode: not written, unless it is known where they led */
	size_t nastray, astray_room;
	bool whole;		   /* no block that may have held names was lost */
	bool dotdot_known;	   /* `..` was there */
	struct name_chains chains; /* of those that have been looked for */
};

/* All names that can be made out in the directory's blocks, whatever its index says. 0 or negative errno. Free it. */
int dir_names_collect(struct mend *m, const struct mend_inode *inode, struct dir_names *ret_names);
/*
 * The names in one block, the first of the directory or another.  *ret_sound: nothing is wrong with it.  0 or negative
 * errno; free them either way.
 */
int dir_names_in_block(const struct geometry *geo, xino_t dir, xdaddr_t daddr, bool first, const uint8_t *block,
		       struct dir_names *ret_names, bool *ret_sound);
void dir_names_free(struct dir_names *names);
/* One more, whose bytes are copied. 0 or -ENOMEM. */
int dir_names_add(const struct geometry *geo, struct dir_names *names, const struct dir_name *name);
/* The name's index; the count: it is not there. */
size_t dir_names_find(const struct geometry *geo, struct dir_names *names, const uint8_t *name, uint8_t namelen);
/* It has just these bytes, of which there are some. */
static inline bool dir_name_is(const struct dir_name *name, const struct name_view *view)
{
	return view->len && name->namelen == view->len && !memcmp(name->name, view->bytes, view->len);
}
/*
 * Each of the names that have just these bytes, but for `.` and `..`, in any order: the index of the one after `at`,
 * the count: of the first.  The count: there are no more.
 */
size_t dir_names_next(const struct geometry *geo, struct dir_names *names, const struct name_view *name, size_t at);
/* It is not found any more, and is not written. */
void dir_names_remove(struct dir_names *names, size_t index);
/* It gets other bytes, which are copied. 0 or -ENOMEM. */
int dir_names_rename(const struct geometry *geo, struct dir_names *names, size_t index, const uint8_t *name,
		     uint8_t namelen);
/*
 * No name twice: of those that lead to the same inode one stays, others get a number behind their name. 0, -ENOMEM, or
 * -EMLINK: there are too many.
 */
int dir_names_unique(const struct geometry *geo, struct dir_names *names);

/* A directory at hand. */
struct dir_edit {
	struct mend_inode inode;
	struct dir_names names; /* all that can be made out */
};

/* 0; -ENOENT: it is no directory whose map makes sense; or another negative errno. End it after 0. */
int dir_edit_begin(struct mend *m, xino_t ino, struct dir_edit *ret_dir);
void dir_edit_end(struct dir_edit *dir);
/*
 * Write the directory anew with its names, each once, in the form that is natural for so many, with new blocks; the
 * inode is stored with it, last.  The old blocks belong to nobody then.  0, -ENOSPC, -EMLINK or another negative errno.
 */
int dir_edit_write(struct mend *m, struct dir_edit *dir);

#endif
