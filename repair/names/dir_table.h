/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of all directories with their `..`, the only table that grows with the file system: some 4 to 9 bytes each,
 * of which 2 to 3 must be in memory.
 */
#ifndef XFSCK_REPAIR_DIR_TABLE_H
#define XFSCK_REPAIR_DIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

struct dir_runs;
struct geometry;

#define DIR_BLOCK 32u /* directories */

/* A directory and its parent, by `..`. */
struct dir_parent {
	xino_t dir;
	xino_t parent; /* NULL_INO: no usable `..` */
};

/* A block of directories: the first number is here, the others are packed, with numbers apart from parents. */
struct dir_block {
	uint64_t first;
	uint64_t numbers, parents; /* bytes in the packed data */
};

struct dir_packed;

/*
 * Directories sorted by number; a directory with several `..` is there several times.  Any number of threads may read
 * it.
 */
struct dir_table {
	size_t count;
	struct dir_block *blocks;
	size_t nblocks, blocks_room;
	struct dir_packed *packed; /* NULL while the table is empty */
};

/*
 * Makes the table from settled runs, and frees them, even on failure.  limit: bytes of memory; above it parents go to a
 * temporary file, if there can be one.  Returns 0 or a negative errno; call dir_table_free() in either case.
 */
int dir_table_make(struct dir_table *table, struct dir_runs *runs, size_t limit);
/*
 * Makes the table of what another has, without directories `off` and with `on`, both sorted like it, by number, then
 * parent.  limit, result: as above; -ENOENT: it does not have all of `off`.
 */
int dir_table_change(struct dir_table *table, const struct dir_table *of, const struct dir_parent *off, size_t noff,
		     const struct dir_parent *on, size_t non, size_t limit);
void dir_table_free(struct dir_table *table);

/* Returns the index of a directory, the first if it is there several times; table->count if it is not in the table. */
size_t dir_table_find(const struct dir_table *table, xino_t ino);
/* Returns the directory at an index below table->count. */
struct dir_parent dir_table_at(const struct dir_table *table, size_t index);
/* Reads a block: directories from DIR_BLOCK * block on.  Returns how many it has. */
unsigned dir_table_block(const struct dir_table *table, size_t block, struct dir_parent dirs[static DIR_BLOCK]);

/* True if climbing from a directory by `..` reaches `other`, which may be the directory itself. */
bool dir_table_below(const struct dir_table *table, xino_t dir, xino_t other);

struct ino_set;
/* True if it reaches any inode of a set. */
bool dir_table_below_any(const struct dir_table *table, xino_t dir, const struct ino_set *others);

/* Return the bytes in memory, and in a temporary file. */
uint64_t dir_table_bytes(const struct dir_table *table);
uint64_t dir_table_spilled(const struct dir_table *table);
/* Returns 0, or the negative errno of reading the temporary file; parents that could not be read count as NULL_INO. */
int dir_table_error(const struct dir_table *table);

/* True if an inode is the root directory of the users' tree or of the metadata tree. */
bool dir_is_root(const struct geometry *geo, xino_t ino);

#endif
