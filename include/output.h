/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are written where the user says.  Others may be able to write to that folder, as to /tmp: so no symbolic
 * link is followed that belongs to somebody other than root or us, anywhere in the name; and what is checked is what
 * was opened, not what has the name a moment later.
 */
#ifndef XFSCK_OUTPUT_H
#define XFSCK_OUTPUT_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* Says why what fd is open for must not be written, or NULL.  Nothing has been written to it yet. */
typedef const char *output_refusal(const void *ctx, int fd);

/*
 * Create a file, or open one that exists and empty it.  Block devices are refused, and in folders that others can write
 * to files and pipes of others, and files that have more than one name.  refuse: asked about what exists.  A
 * descriptor, or a negative errno with *ret_why, the reason, which stays valid.
 */
int output_open(const char *path, output_refusal *refuse, const void *ctx, const char **ret_why);

/* Open a folder to create files in. A descriptor or negative errno; -EPERM: a link of somebody else's leads there. */
int output_folder(const char *path);
/* The same for the folder that a path's last name is in (path_name()). */
int output_folder_of(const char *path);
/* The same for a folder that is made, for us alone, if only it is missing; *ret_made: it was. */
int output_folder_make(const char *path, bool *ret_made);
/* What an error of these means, in words. */
const char *output_words(int error);

/* Parts of paths, as text. */

/* What is behind the last slash of a path; all of it, if there is none. */
static inline const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* How functions of ours that open files return what open(2) does. */

/* The descriptor that open(2) or one of its kin has just returned, which is the caller's, or negative errno. */
static inline int opened(int fd)
{
	return fd < 0 ? -errno : fd;
}

/*
 * A file that has no name before it is whole, and so is gone however the program ends before.  Where the file system
 * knows no such files, it has its name at once, and one that is not whole is removed, but not if a signal ends the run.
 * As with other outputs (output.h) nobody else's link is followed.
 */

struct nameless {
	const char *path; /* the caller's */
	int folder;	  /* that it is in, as long as fd is open; negative: none */
	int fd;		  /* open for writing; -1: it is closed */
	bool named;	  /* it has its name */
	bool whole;	  /* it stays */
};

/* Begin one; nothing may have that name.  flags: O_WRONLY or O_RDWR.  0 or negative errno (output_words()). */
int nameless_open(struct nameless *file, const char *path, int flags);
/* Bring it to the medium, and give it its name: it is whole.  It stays open.  0 or negative errno. */
int nameless_finish(struct nameless *file);
/* Close it; what is not whole is gone.  May be called again. 0 or negative errno. */
int nameless_close(struct nameless *file);

/* The parts of that: create a file without a name in an open folder.  A descriptor or negative errno. */
int nameless_create(int folder, int flags);
/* Give it a name there, which nothing may have. 0 or negative errno. */
int nameless_link(int fd, int folder, const char *name);

/*
 * A file that is written again and again, and is whole at any time: each time a new one takes the place of the old one,
 * once it is on its medium.  As with other outputs (output.h) nobody else's link is followed.
 */

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
