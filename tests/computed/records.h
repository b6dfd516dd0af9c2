/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of AG btrees: some are repeated in every cell, others occur once in a group. */
#ifndef XFSCK_TESTS_COMPUTED_RECORDS_H
#define XFSCK_TESTS_COMPUTED_RECORDS_H

#include <stddef.h>

#include "geometry.h"

/* The base of the owner of a reverse mapping. */
enum whose {
	WHOSE_NONE, /* none: it is no inode, or is absolute */
	WHOSE_CELL, /* the cell: an inode of it */
	WHOSE_GROUP,
	WHOSE_HUGE, /* none; but the offset is relative to the file's extents in all cells before */
};

/* A record of any of the btrees. */
struct record {
	uint32_t start; /* block; of inode chunks, inode */
	uint32_t len;	/* blocks; of inode chunks, inodes that are free */
	uint64_t owner; /* or, of inode chunks, the mask of free inodes; of shared blocks, the reference count */
	uint64_t offset;
	uint8_t flags; /* RMAP_* */
	uint8_t whose;
};

struct records {
	struct record *v;
	size_t count, room;
};

/* Ends the program if memory runs out. */
void records_add(struct records *records, const struct record *record);
void records_free(struct records *records);
/* By start, owner, offset; for the cntbt by length, start. */
void records_sort(struct records *records, enum btree_kind kind);

/*
 * All records of one btree of a group, in order: runs of single records, and of records that are repeated in each cell.
 */
#define RUNS_MAX 1024

struct run {
	uint64_t first; /* number of its first record in the tree */
	uint64_t count;
	const struct record *v;
	uint32_t each; /* number of records of a cell; 0: a run of single records */
};

struct sequence {
	struct run *runs;
	uint32_t nruns;
	uint64_t total;
};

/* The places of cells. */
struct cells {
	uint32_t base; /* agbno of the first one */
	uint32_t length;
	uint32_t count;
	uint32_t huge; /* number of extents of the huge file in each */
};

/*
 * Sorts the records of a btree: those before the cells and after them, and those of the cells.  All must be
 * sorted, and outlive the sequence.
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
	uint64_t cell; /* in a run of single records always 0 */
};

void cursor_set(struct cursor *cursor, uint64_t index);
/* Returns the record there, in on-disk form; the cursor moves to the next. */
struct record cursor_next(struct cursor *cursor);

#endif
