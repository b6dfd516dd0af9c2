/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of all directories with their `..`: 16 bytes each, the only table that grows with the file system. */
#ifndef XFSCK_REPAIR_DIR_TABLE_H
#define XFSCK_REPAIR_DIR_TABLE_H

#include <stddef.h>

#include "units.h"

struct geometry;
struct traverse;

/* Where `..` of a directory leads to. */
struct dir_parent {
	xino_t dir;
	xino_t parent; /* NULL_INO: it has no usable `..` */
};

struct dir_table {
	struct dir_parent *dirs; /* by inode number; a directory with several `..` is there several times */
	size_t count;
	/* an index: the search for an inode can begin at dirs[starts[(ino - dirs[0].dir) >> shift]]; NULL: no index */
	uint32_t *starts;
	unsigned shift;
};

/* Join the walkers' tables, which are freed. 0 or -ENOMEM; call dir_table_free() in either case. */
int dir_table_collect(struct traverse *t, struct dir_table *table);
void dir_table_free(struct dir_table *table);

/* Index of a directory, the first if it is there several times; table->count if the inode is not in the table. */
size_t dir_table_find(const struct dir_table *table, xino_t ino);

/* Whether going up from a directory by `..` leads to `other`, which may be the directory itself. */
bool dir_table_below(const struct dir_table *table, xino_t dir, xino_t other);

/* Whether an inode is a root directory: that of the users' tree, or that of the metadata tree. */
bool dir_is_root(const struct geometry *geo, xino_t ino);

#endif
