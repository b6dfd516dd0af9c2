/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths to which a file is extracted. */
#ifndef XFSCK_REPAIR_EXTRACT_FILE_PATHS_H
#define XFSCK_REPAIR_EXTRACT_FILE_PATHS_H

#include "ask/files.h"
#include "wanted.h"

/* Start with { .geo, .files, .wanted }. */
struct file_paths {
	const struct geometry *geo;
	struct files *files;
	struct wanted *wanted;
	const struct list_filter *filter; /* for files that are not directories; NULL: none */
	struct byte_buffer path;	  /* result of file_paths_next(): "" for the root, else "/a/b" */
	struct path_way way;		  /* path of the last directory */
	struct file file;		  /* the current file */
	bool named, over;		  /* it has a name; all paths were returned */
};

void file_paths_free(struct file_paths *paths);
/* Sets paths->path to that of a directory, wanted or not. 0 or -ENOMEM. */
int file_paths_dir(struct file_paths *paths, xino_t dir);
/* Starts with a file that files_next() returned. */
void file_paths_begin(struct file_paths *paths, const struct file *file);
/*
 * Gets the next wanted path. Files cut off from the root, in a file system that could not be repaired, are below
 * "/lost+found". A directory has a single path. 1: paths->path is set; 0: there are no more; or negative errno.
 */
int file_paths_next(struct file_paths *paths, enum wanted_how *ret_how);

#endif
