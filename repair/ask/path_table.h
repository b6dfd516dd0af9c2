/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of all directories, for paths of any file without another traversal. */
#ifndef XFSCK_REPAIR_PATH_TABLE_H
#define XFSCK_REPAIR_PATH_TABLE_H

#include "sets/byte_buffer.h"
#include "base/sink.h"

struct path_table;
struct dir_table;

/* workers: threads that may add concurrently. NULL: out of memory. */
struct path_table *path_table_new(const struct geometry *geo, unsigned workers);
void path_table_free(struct path_table *table);

/* Keeps the name if it may be a directory's; worker: its number. path_table_settle() returns errors. */
void path_table_add(struct path_table *table, unsigned worker, const struct entry_fact *entry);
/* Drops names that are not of directories in the table, after all were added. 0 or -ENOMEM. */
int path_table_settle(struct path_table *table, const struct dir_table *dirs);

/*
 * Sets the path of a directory, without a trailing "/": "" for the root. A path that does not reach the root begins
 * with "…". 0 or -ENOMEM.
 */
int path_table_path(const struct path_table *table, xino_t dir, struct byte_buffer *path);
/*
 * The path from the top to a directory. It is computed from the previous one, so that walking a deep tree costs only
 * the parts that differ. Start with { .table }, and free path.bytes and steps.
 */
struct path_way {
	const struct path_table *table;
	xino_t top; /* where the path starts: the root, or a directory without a name, which may be this one */
	struct byte_buffer path; /* from `top`: "", or "/a/b" */
	struct path_step *steps;
	size_t depth, room; /* of the steps, one per name in the path */
};
/* Finds the path to a directory. 0 or -ENOMEM. */
int path_way_to(struct path_way *way, xino_t dir);
/* Directories are numbered from 0, in inode order. Returns their number, including the root. */
size_t path_table_count(const struct path_table *table);
/* Returns the number of a directory; path_table_count() if it has no name and is not the root. */
size_t path_table_find(const struct path_table *table, xino_t dir);
/* Return the inode of a directory, and the number of its parent; path_table_count(): unknown. */
xino_t path_table_ino(const struct path_table *table, size_t number);
size_t path_table_parent(const struct path_table *table, size_t number);

#endif
