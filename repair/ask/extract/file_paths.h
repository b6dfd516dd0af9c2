/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths that a file is extracted to. */
#ifndef XFSCK_REPAIR_EXTRACT_FILE_PATHS_H
#define XFSCK_REPAIR_EXTRACT_FILE_PATHS_H

#include "ask/files.h"
#include "wanted.h"

/* Begin with { .geo, .files, .wanted }. */
struct file_paths {
	const struct geometry *geo;
	struct files *files;
	struct wanted *wanted;
	const struct list_filter *filter; /* of files that are no directories; NULL: none */
	struct byte_buffer path;	  /* what file_paths_next() has returned: "" for the root, else "/a/b" */
	struct path_way way;		  /* to the last directory */
	struct file file;		  /* the current one */
	bool named, over;		  /* it has a name; all were told */
};

void file_paths_free(struct file_paths *paths);
/* Set paths->path to that of a directory, wanted or not. 0 or -ENOMEM. */
int file_paths_dir(struct file_paths *paths, xino_t dir);
/* Begin with a file that files_next() has returned. */
void file_paths_begin(struct file_paths *paths, const struct file *file);
/*
 * The next path that is wanted; those that lead to no root, since the file system could not be repaired, are below
 * "/lost+found".  A directory has one path only.  1: paths->path is set, 0: there are no more, or negative errno.
 */
int file_paths_next(struct file_paths *paths, enum wanted_how *ret_how);

#endif
