/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All user files with their inode records, names and symlink targets: facts that come in any order, sorted by inode
 * number in bounded memory.
 */
#ifndef XFSCK_REPAIR_FILES_H
#define XFSCK_REPAIR_FILES_H

#include "path_table.h"
#include "file_record.h"

struct files;
struct repair;

struct file {
	xino_t ino;
	struct file_record record;
	const uint8_t *target; /* of a symbolic link; valid until the next call of files_next() */
	size_t target_len;
};

/* A name of a file, and its directory. The root has an empty name in no directory. */
struct file_name {
	xino_t dir;	     /* NULL_INO: name of the root */
	const uint8_t *name; /* valid until the next call of any function */
	uint8_t len;
};

struct files_options {
	bool targets; /* keep symlink targets; the traversal must report contents */
	/* True if the file is wanted; NULL: all are. Threads call it concurrently. */
	bool (*wanted)(const void *ctx, const struct file_record *record);
	const void *ctx;
};

/* rc->geo must be known, and live as long. NULL: out of memory. */
struct files *files_new(const struct repair *rc, const struct files_options *options);
void files_free(struct files *files);
/* True for inodes that are kept: user files with links. */
bool files_is_users(const struct geometry *geo, const struct dinode *inode);
/* Receives facts; ctx is a struct files. */
extern const struct sink_ops files_sink;

/* Sorts the facts when all are in, and the table of directories is known. 0 or negative errno. */
int files_settle(struct files *files, const struct dir_table *dirs);
/* Gets the next file. 1; 0: there are no more; or negative errno. */
int files_next(struct files *files, struct file *ret);
/* Gets the next name of that file, by directory, then name. 1; 0: there are no more; or negative errno. */
int files_next_name(struct files *files, struct file_name *ret);
/* Rewinds to the first file. 0 or negative errno. */
int files_rewind(struct files *files);

const struct path_table *files_paths(const struct files *files);

#endif
