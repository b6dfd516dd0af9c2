/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of groups: headers, blocks of the free list, the first inode chunk, the directory with the names of the
 * cells, the btrees, all cells, and free space.  The first group also has the root directory, and one has the log at
 * its end.
 */
#ifndef XFSCK_TESTS_COMPUTED_GROUP_H
#define XFSCK_TESTS_COMPUTED_GROUP_H

#include "cell.h"
#include "computed.h"
#include "dirs.h"
#include "huge.h"
#include "libxfs/ag.h"
#include "libxfs/btree_build.h"

#define FREELIST_BLOCKS 10u /* from block 1 on */
#define CHUNK_AGBNO	16u /* the first chunk: where xfs_repair expects the root directory */
#define LOG_BLOCKS	16384u
#define ROOT_INO	(CHUNK_AGBNO * 8u)
#define GROUP_GEN	77u /* generation of the directory of a group */
#define HUGE_FILE_SLOT	4u  /* of the first chunk of the first group */
#define HUGE_DIR_SLOT	5u

/* Special parts of a group; the bits may be combined. */
#define GROUP_FIRST 1u
#define GROUP_LOG   2u
#define GROUP_LEAK  4u /* a block is neither free nor owned */
#define GROUP_KINDS 8u

struct group_tree {
	uint32_t base; /* its blocks, the leaves first and the root last */
	struct btree_shape shape;
	struct sequence sequence;
};

struct group_kind {
	struct records before[BT_AG_NR], behind[BT_AG_NR];
	struct group_tree trees[BT_AG_NR];
	struct agf agf;
	struct agi agi;
	uint64_t free_count; /* free blocks as the superblock counts them */
	uint32_t end;	     /* of the part in front of the cells */
};

struct computed {
	struct geometry geo;
	struct computed_options options;
	uint8_t superblock[SECTOR_SIZE];
	struct cell cell;
	struct cells cells;	 /* of each group */
	struct dir dirs[2];	 /* of any group, and the root directory */
	struct pattern fixed[2]; /* the part in front of the cells, without btrees; [1]: of the first group */
	uint8_t (*names)[NUMBER_NAME_LEN];
	struct huge huge;
	struct group_kind kinds[GROUP_KINDS];
};

unsigned group_kind_of(const struct computed *computed, agno_t agno);
static inline const struct group_kind *group_of(const struct computed *computed, agno_t agno)
{
	return &computed->kinds[group_kind_of(computed, agno)];
}

/* Plans all groups; the cell must exist.  False: a group would exceed the maximum size, or the size in the options. */
bool group_plan(struct computed *computed, char *message, size_t size);
/* Writes the patterns in front of the cells, when the geometry is final. */
void group_write(struct computed *computed);
void group_free(struct computed *computed);

/* Builds the superblock, and the geometry from it, for groups of that many blocks. */
void headers_superblock(struct computed *computed, uint32_t agblocks);
/* Writes the header sectors of a group, one block. */
void headers_read(const struct computed *computed, agno_t agno, uint8_t *block);
/* Writes a block of the log. */
void headers_read_log(const struct computed *computed, uint32_t block_of_log, uint8_t *block);

/* Writes a block of a btree. */
void tree_read(const struct computed *computed, agno_t agno, enum btree_kind kind, uint32_t index, uint8_t *block);

#endif
