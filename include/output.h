/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output files whose paths the user gives.  Other users may be able to write to the folder, such as /tmp: so no
 * symbolic link is followed, anywhere in the path, that belongs to another user than root or ours.  Checks apply to the
 * open file, not to what has the name a moment later.
 */
#ifndef XFSCK_OUTPUT_H
#define XFSCK_OUTPUT_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* Returns why the open file fd must not be written, or NULL.  Nothing has been written to it yet. */
typedef const char *output_refusal(const void *ctx, int fd);

/*
 * Creates a file, or opens an existing one and truncates it.  Refuses block devices and, in folders that others can
 * write to, files and pipes of other users, and files with more than one name.  refuse: called for an existing file.
 * Returns a descriptor, or a negative errno with *ret_why, the reason, which stays valid.
 */
int output_open(const char *path, output_refusal *refuse, const void *ctx, const char **ret_why);

/*
 * Opens a folder to create files in.  Returns a descriptor or negative errno; -EPERM: the path has a link of another
 * user.
 */
int output_folder(const char *path);
/* Like output_folder(), for the parent folder of path (without path_name()). */
int output_folder_of(const char *path);
/*
 * Like output_folder(), but creates the folder, with access for us alone, if only the last one is missing; then
 * *ret_made is set.
 */
int output_folder_make(const char *path, bool *ret_made);
/* Describes an errno of these functions in words. */
const char *output_words(int error);

/* Parts of paths, as text. */

/* The last component of a path: what follows the last slash, or all of it. */
static inline const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The return values of functions here that open files are like those of opened(). */

/*
 * Converts the result of open(2) and the like, which was just called: a descriptor, which the caller owns, or negative
 * errno.
 */
static inline int opened(int fd)
{
	return fd < 0 ? -errno : fd;
}

/*
 * A file that gets its name when it is complete, so that it vanishes if the program ends before.  On file systems
 * without O_TMPFILE it has its name at once, and is removed if it stays incomplete, except if a signal ends the run.
 * Links of other users are not followed, as with other outputs (output.h).
 */

struct nameless {
	const char *path; /* owned by the caller */
	int folder;	  /* its folder, as long as fd is open; negative: none */
	int fd;		  /* open for writing; -1: closed */
	bool named;	  /* it has its name */
	bool whole;	  /* it is complete, and stays */
};

/* Begins a file whose name must be free.  flags: O_WRONLY or O_RDWR.  0 or negative errno (output_words()). */
int nameless_open(struct nameless *file, const char *path, int flags);
/* Flushes the file, which is complete, and gives it its name.  It stays open.  0 or negative errno. */
int nameless_finish(struct nameless *file);
/* Closes the file; it is removed unless it is complete.  May be called again.  0 or negative errno. */
int nameless_close(struct nameless *file);

/* Creates a file without a name in an open folder.  Returns a descriptor or negative errno. */
int nameless_create(int folder, int flags);
/* Gives it a name there, which must be free.  0 or negative errno. */
int nameless_link(int fd, int folder, const char *name);

/*
 * A file that is rewritten again and again, and is complete at any time: a new version replaces the old one once it is
 * on the medium.  Links of other users are not followed, as with other outputs (output.h).
 */

#define REPLACEMENT_FILES 2u

struct replacement {
	int folder; /* descriptor */
	char name[NAME_MAX + 1];
	char fresh[NAME_MAX + 1]; /* temporary name of the new version */
	/* open for writing, and unnamed until they are needed; -1: the file system has no O_TMPFILE */
	int files[REPLACEMENT_FILES];
	bool named[REPLACEMENT_FILES];
	unsigned next; /* the one to be written next; the other one has the name, if any has */
};

/* Opens the folder.  0, or a negative errno with *ret_why, the reason, which stays valid. */
int replacement_begin(const char *path, struct replacement *ret, const char **ret_why);
void replacement_end(struct replacement *r);
/*
 * Opens the current version for reading.  Returns a descriptor; -ENOENT: there is none; or another negative errno with
 * *ret_why: it is not a regular file, or belongs to another user.
 */
int replacement_open(const struct replacement *r, const char **ret_why);
/*
 * Checks that files can be created there, and opens those that will be needed, so that no file of the folder has to be
 * opened for writing later.  Removes what is left of a killed run.  0 or negative errno.
 */
int replacement_prepare(struct replacement *r);
/* True if files have to be opened for writing later nevertheless. */
bool replacement_opens(const struct replacement *r);
/* Begins a new version.  Returns a descriptor, which this module keeps, or negative errno. */
int replacement_new(const struct replacement *r);
/* Flushes the new version and gives it the name.  0 or negative errno: the old version is still there. */
int replacement_settle(struct replacement *r, int fd);
/* Discards the new version. */
void replacement_drop(const struct replacement *r, int fd);
/* Removes the current version. */
void replacement_remove(const struct replacement *r);

#endif
