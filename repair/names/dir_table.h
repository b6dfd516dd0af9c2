/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All directories with their `..`: 16 bytes each, the only table that grows with the file system. */
#ifndef XFSCK_REPAIR_DIR_TABLE_H
#define XFSCK_REPAIR_DIR_TABLE_H

#include "walk/traverse.h"

struct dir_table {
	struct dir_parent *dirs; /* by inode number; one that has several `..` is there as often */
	size_t count;
	/* where to look, by inode number: starts[(ino - dirs[0].dir) >> shift] is the first that may be it */
	uint32_t *starts;
	unsigned shift;
};

/* All walkers' tables as one; they are given up. 0 or -ENOMEM, then what there is can be freed. */
int dir_table_collect(struct traverse *t, struct dir_table *table);
void dir_table_free(struct dir_table *table);

/* Index of a directory, the first if it is there several times; the count if it is none. */
size_t dir_table_find(const struct dir_table *table, xino_t ino);

/* Whether the way up from a directory, by `..`, leads to that other one. */
bool dir_table_below(const struct dir_table *table, xino_t dir, xino_t other);

/* A directory that is its own parent: that of the users' tree, or that of the metadata tree. */
bool dir_is_root(const struct geometry *geo, xino_t ino);

#endif
