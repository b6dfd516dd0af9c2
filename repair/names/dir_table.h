/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of all directories with their `..`, the only table that grows with the file system: some 4 to 9 bytes each,
 * of which 2 to 3 have to be in memory.
 */
#ifndef XFSCK_REPAIR_DIR_TABLE_H
#define XFSCK_REPAIR_DIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

struct dir_runs;
struct geometry;

#define DIR_BLOCK 32u /* directories */

/* Where `..` of a directory leads to. */
struct dir_parent {
	xino_t dir;
	xino_t parent; /* NULL_INO: it has no usable `..` */
};

/* Where the directories of a block are: the first one is here, the others are packed, numbers apart from parents. */
struct dir_block {
	uint64_t first;
	uint64_t numbers, parents; /* bytes into what is packed */
};

struct dir_packed;

/*
 * Directories in the order of their numbers; one with several `..` is there several times.  Any number of threads may
 * read it.
 */
struct dir_table {
	size_t count;
	struct dir_block *blocks;
	size_t nblocks, blocks_room;
	struct dir_packed *packed; /* NULL as long as it is empty */
};

/*
 * Make the table out of runs that dir_runs_settle() has made ready, and which are freed, even on failure.  limit: bytes
 * of memory, beyond which parents go to a temporary file, if there can be one.  0 or negative errno; call
 * dir_table_free() in either case.
 */
int dir_table_make(struct dir_table *table, struct dir_runs *runs, size_t limit);
void dir_table_free(struct dir_table *table);

/* Index of a directory, the first if it is there several times; table->count if the inode is not in the table. */
size_t dir_table_find(const struct dir_table *table, xino_t ino);
/* What is at an index that is below table->count. */
struct dir_parent dir_table_at(const struct dir_table *table, size_t index);
/* Read a block, that is the directories from DIR_BLOCK * block on. Returns how many it has. */
unsigned dir_table_block(const struct dir_table *table, size_t block, struct dir_parent dirs[static DIR_BLOCK]);

/* Whether going up from a directory by `..` leads to `other`, which may be the directory itself. */
bool dir_table_below(const struct dir_table *table, xino_t dir, xino_t other);

struct ino_set;
/* The same to any inode of a set. */
bool dir_table_below_any(const struct dir_table *table, xino_t dir, const struct ino_set *others);

/* Bytes in memory, and in a temporary file. */
uint64_t dir_table_bytes(const struct dir_table *table);
uint64_t dir_table_spilled(const struct dir_table *table);
/* 0, or the negative errno of a read of the temporary file: what it should have told was taken for NULL_INO. */
int dir_table_error(const struct dir_table *table);

/* Whether an inode is a root directory: that of the users' tree, or that of the metadata tree. */
bool dir_is_root(const struct geometry *geo, xino_t ino);

#endif
