/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cell: inode chunks, and the directories, files, attributes and symlinks of their inodes, in all the forms that
 * these have on the disk, with free extents and shared ones between them.  It is planned at random from a seed, and all
 * cells are alike.  Only its first inode, a directory, is known outside: as a name in the directory of its group.
 */
#ifndef XFSCK_TESTS_COMPUTED_CELL_H
#define XFSCK_TESTS_COMPUTED_CELL_H

#include "pattern.h"
#include "records.h"

#define CELL_CHUNKS 64u
#define CELL_INODES (64u * CELL_CHUNKS)

/* The inode of the directory of a group, in which its cells are: of the group's first chunk. */
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
	uint64_t huge_file;    /* inode of a file that may have extents in every cell, */
	uint32_t huge_extents; /* and so many in each: a block, with a free one behind */
	uint32_t more_names;   /* files have so many more names each, elsewhere */
	uint32_t shared;       /* so many more shared ranges */
};

/* Places in a cell where damage is done. */
struct cell_victims {
	uint32_t dir_block; /* a data block of a directory */
	uint32_t file;	    /* inode of a file with one link */
};

struct cell {
	struct pattern narrow, wide; /* where inode numbers have 32 bits, and more; alike but for short directories */
	uint32_t length;	     /* blocks, a multiple of those of a chunk */
	uint32_t *next;		     /* of each block, the next one from it on that is metadata, or length */
	struct records records[BT_AG_NR];
	uint32_t inodes_free, directories, names, regular_files;
	uint64_t free_blocks, metadata;
	struct cell_victims victims;
	uint32_t huge_at; /* the first of the extents of the huge file */
	uint32_t *named;  /* inodes of files that have more names */
	uint32_t nnamed;
};

/* Ends the program for want of memory. */
void cell_create(const struct geometry *g, const struct cell_options *options, struct cell *ret_cell);
void cell_destroy(struct cell *cell);

#endif
