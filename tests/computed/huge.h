/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file with extents in every cell, and one directory with names of the files of every cell: a hundred million of
 * each.  Both are in the first group, with their blocks.  The hashes of names can be computed from their number in hash
 * order, and that number from the place of the entry.
 */
#ifndef XFSCK_TESTS_COMPUTED_HUGE_H
#define XFSCK_TESTS_COMPUTED_HUGE_H

#include "libxfs/btree_build.h"
#include "pattern.h"

struct computed;

#define HUGE_LEVELS 5u

struct huge {
	/* the file: its bmbt, without the root, which is in the inode */
	uint64_t extents;
	uint32_t bmbt_at, bmbt_blocks, bmbt_levels;
	uint32_t bmbt_width[HUGE_LEVELS]; /* blocks of each level, the leaves first */
	/* the directory: data blocks, the hash tree, its root first, then the leaves, and free index blocks */
	uint64_t names;
	uint32_t data_at, data;
	uint32_t index_at, index, da_levels;
	uint32_t da_width[HUGE_LEVELS];
	uint32_t free_at, frees;
	uint64_t step, back; /* name number n is in place n * step modulo names; back is the reverse */
};

/* Plans both, according to the options; their blocks begin at `at`.  Returns their end. */
uint32_t huge_plan(struct computed *computed, uint32_t at);
/* Writes their inodes into the first chunk. */
void huge_put(const struct computed *computed, struct pattern *pattern);
uint64_t huge_names(const struct computed *computed);
/* Writes a block of the first group, if it belongs to one of them. */
bool huge_read(const struct computed *computed, uint32_t agbno, uint8_t *block);

#endif
