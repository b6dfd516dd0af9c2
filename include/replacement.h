/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is written again and again, and is whole at any time: each time a new one takes the place of the old one,
 * once it is on its medium.  As with other outputs (output.h) nobody else's link is followed.
 */
#ifndef XFSCK_REPLACEMENT_H
#define XFSCK_REPLACEMENT_H

#include <limits.h>
#include <stdbool.h>

#define REPLACEMENT_FILES 2u

struct replacement {
	int folder; /* descriptor */
	char name[NAME_MAX + 1];
	char fresh[NAME_MAX + 1]; /* of the new file while it is written */
	/* open for writing, and without names until they are needed; -1: this file system knows no such files */
	int files[REPLACEMENT_FILES];
	bool named[REPLACEMENT_FILES];
	unsigned next; /* which one is to be written next; the other one has the name, if any has */
};

/* Open the folder.  0, or a negative errno with *ret_why, the reason, which stays valid. */
int replacement_begin(const char *path, struct replacement *ret, const char **ret_why);
void replacement_end(struct replacement *r);
/*
 * Open what has the name now to read it.  A descriptor; -ENOENT: nothing has it; or another negative errno with
 * *ret_why: it is no regular file, or it is somebody else's.
 */
int replacement_open(const struct replacement *r, const char **ret_why);
/*
 * See whether files can be made there, and open what is needed of them, so that no file of the folder need be opened
 * for writing later.  What a run that was killed has left of one is removed.  0 or negative errno.
 */
int replacement_prepare(struct replacement *r);
/* True if files must be opened for writing later all the same. */
bool replacement_opens(const struct replacement *r);
/* Begin a new file.  A descriptor, which stays this module's, or negative errno. */
int replacement_new(const struct replacement *r);
/* Have the new file on its medium, and give it the name.  0 or negative errno: the old one is still there. */
int replacement_settle(struct replacement *r, int fd);
/* Give the new file up. */
void replacement_drop(const struct replacement *r, int fd);
/* Remove the file that has the name. */
void replacement_remove(const struct replacement *r);

#endif
