/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of all directories, from which the path of any file is made without going through the tree again. */
#ifndef XFSCK_REPAIR_PATH_TABLE_H
#define XFSCK_REPAIR_PATH_TABLE_H

#include "sets/byte_buffer.h"
#include "base/sink.h"

struct path_table;
struct dir_table;

/* lanes: threads that may add at the same time. NULL: out of memory. */
struct path_table *path_table_new(const struct geometry *geo, unsigned lanes);
void path_table_free(struct path_table *table);

/* Keep the name if it may be a directory's; number: of the lane. An error shows in path_table_settle(). */
void path_table_add(struct path_table *table, unsigned number, const struct entry_fact *entry);
/* When all names have been added: keep those of the directories in the table. 0 or -ENOMEM. */
int path_table_settle(struct path_table *table, const struct dir_table *dirs);

/*
 * Set the path to that of a directory, without a "/" at its end: nothing for the root.  What leads to no root begins
 * with "…".  0 or -ENOMEM.
 */
int path_table_path(const struct path_table *table, xino_t dir, struct byte_buffer *path);
/*
 * The way from the top to a directory.  It is found from the way before it, so that going through a deep tree takes no
 * more than what the two don't share.  Begin with { .table }, and free path.bytes and steps.
 */
struct path_way {
	const struct path_table *table;
	xino_t top; /* where the way up ends: the root, or a directory that has no name, which may be this one */
	struct byte_buffer path; /* from there on: "", or "/a/b" */
	struct path_step *steps;
	size_t depth, room; /* of the steps: one for each name of the path */
};
/* Find the way to a directory. 0 or -ENOMEM. */
int path_way_to(struct path_way *way, xino_t dir);
/* Directories have numbers from 0 up, in the order of their inodes; count: the root has one, too. */
size_t path_table_count(const struct path_table *table);
/* The number of a directory; path_table_count(): it has no name, and is not the root. */
size_t path_table_find(const struct path_table *table, xino_t dir);
/* Its inode, and the number of the directory that it is in; path_table_count(): it is in none that is known. */
xino_t path_table_ino(const struct path_table *table, size_t number);
size_t path_table_parent(const struct path_table *table, size_t number);

#endif
