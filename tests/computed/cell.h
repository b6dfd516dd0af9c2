/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cell: inode chunks, and the directories, files, attributes and symlinks of their inodes, in all on-disk forms, with
 * free and shared extents between them.  It is planned at random from a seed, and all cells are alike.  Only its first
 * inode, a directory, is referenced from outside: by a name in the directory of its group.
 */
#ifndef XFSCK_TESTS_COMPUTED_CELL_H
#define XFSCK_TESTS_COMPUTED_CELL_H

#include "pattern.h"
#include "records.h"

#define CELL_CHUNKS 64u
#define CELL_INODES (64u * CELL_CHUNKS)

/* Inode of the directory of a group, which contains its cells, in the group's first chunk. */
#define GROUP_DIR_SLOT	3u
#define NUMBER_NAME_LEN 8u /* bytes of its names */

/* limits of options */
#define HUGE_FILE_MAX 100000u
#define HUGE_DIR_MAX  1000u
#define SHARED_MAX    100000u

struct cell_options {
	uint64_t seed;
	bool parent;
	uint32_t group_dir;    /* agino of the directory of a group */
	uint32_t group_gen;    /* its generation */
	uint64_t huge_file;    /* inode of a file that may have extents in every cell, ... */
	uint32_t huge_extents; /* ... and their number in each: a block, followed by a free one */
	uint32_t more_names;   /* number of additional names of files, elsewhere */
	uint32_t shared;       /* number of additional shared ranges */
};

/* Places in a cell to damage. */
struct cell_victims {
	uint32_t dir_block; /* a data block of a directory */
	uint32_t file;	    /* inode of a file with one link */
};

struct cell {
	struct pattern narrow, wide; /* for inode numbers of 32 bits, and of more; only short-form directories differ */
	uint32_t length;	     /* in blocks, a multiple of those of a chunk */
	uint32_t *next;		     /* for each block, the next metadata block from it on, or length */
	struct records records[BT_AG_NR];
	uint32_t inodes_free, directories, names, regular_files;
	uint64_t free_blocks, metadata;
	struct cell_victims victims;
	uint32_t huge_at; /* the first extent of the huge file */
	uint32_t *named;  /* inodes of files with additional names */
	uint32_t nnamed;
};

/* Ends the program if memory runs out. */
void cell_create(const struct geometry *g, const struct cell_options *options, struct cell *ret_cell);
void cell_destroy(struct cell *cell);

#endif
