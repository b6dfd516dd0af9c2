/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of the btrees of groups: some lie in every cell, others once in a group. */
#ifndef XFSCK_TESTS_COMPUTED_RECORDS_H
#define XFSCK_TESTS_COMPUTED_RECORDS_H

#include <stddef.h>

#include "geometry.h"

/* What the owner of a reverse mapping is relative to. */
enum whose {
	WHOSE_NONE, /* nothing: it is no inode, or has this number */
	WHOSE_CELL, /* the cell: an inode of it */
	WHOSE_GROUP,
	WHOSE_HUGE, /* nothing; but the offset is relative to what all cells before have of the file */
};

/* A record of any of the trees. */
struct record {
	uint32_t start; /* block; of inode chunks, inode */
	uint32_t len;	/* blocks; of inode chunks, inodes that are free */
	uint64_t owner; /* or, of inode chunks, bits of free inodes; of shared blocks, how often they are */
	uint64_t offset;
	uint8_t flags; /* RMAP_* */
	uint8_t whose;
};

struct records {
	struct record *v;
	size_t count, room;
};

/* Ends the program for want of memory. */
void records_add(struct records *records, const struct record *record);
void records_free(struct records *records);
/* By start, owner, offset; for the cntbt by length, start. */
void records_sort(struct records *records, enum btree_kind kind);

/*
 * All records of one tree of a group, in their order: runs of records that are there once, and of records of which each
 * cell has a few.
 */
#define RUNS_MAX 1024

struct run {
	uint64_t first; /* number of its first record in the tree */
	uint64_t count;
	const struct record *v;
	uint32_t each; /* records of a cell; 0: they are there once */
};

struct sequence {
	struct run *runs;
	uint32_t nruns;
	uint64_t total;
};

/* Cells, for their records to be moved to their places. */
struct cells {
	uint32_t base; /* agbno of the first one */
	uint32_t length;
	uint32_t count;
	uint32_t huge; /* extents of the huge file in each */
};

/*
 * Put the records of a tree in order: those before the cells and behind them, and those of the cells.  All must be
 * sorted, and live as long as the sequence.
 */
void sequence_make(struct sequence *sequence, enum btree_kind kind, const struct records *before,
		   const struct records *cell, const struct cells *cells, const struct records *behind);
void sequence_free(struct sequence *sequence);

/* A place in a sequence. */
struct cursor {
	const struct sequence *sequence;
	const struct cells *cells;
	const struct geometry *geo;
	agno_t agno;
	enum btree_kind kind;
	uint32_t run, slot;
	uint64_t cell; /* or, in a run of records that are there once, always 0 */
};

void cursor_set(struct cursor *cursor, uint64_t index);
/* The record there, as it is on the disk; the cursor moves to the next. */
struct record cursor_next(struct cursor *cursor);

#endif
