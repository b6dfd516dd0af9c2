/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files that find chunks of inodes, mend_chunk*.c: what they look among, and what they settle. */
#ifndef XFSCK_REPAIR_MEND_CHUNK_SEARCH_H
#define XFSCK_REPAIR_MEND_CHUNK_SEARCH_H

#include "disk/inobt.h"
#include "disk/inode.h"
#include "mend_chunks.h"

#define CHUNK_THREADS 8u /* most of whose time is the device's */

enum chunk_witness {
	BY_INOBT,
	BY_FINOBT,
	BY_RMAP,
	BY_LOOKS,
};

struct chunk_candidate {
	enum chunk_witness by;
	struct inobt_record record; /* of the last two only the start counts */
};

struct chunk_search {
	struct mend *m;
	const struct geometry *geo;
	agno_t agno;
	const struct mend_survey *survey;
	const struct survey_ag *ag; /* of it */
	enum inobt_trust trust;
	struct chunk_candidate *v;
	size_t count, room;
	struct inobt_record *chunks; /* those that are settled */
	size_t nchunks, chunks_room;
	agino_t *hollow; /* of these, where the rmapbt alone says that there is one, and no inode is left */
	size_t nhollow, hollow_room;
};

/* What a candidate comes to. */
struct chunk_outcome {
	bool is, hollow;	    /* a chunk; see chunk_search.hollow */
	struct inobt_record record; /* as it shall be */
};

/*
 * Where chunks are: a mark for each 64 inode numbers that chunks reach into, on either side, since they need not be
 * aligned: 1 + the start of the chunk that begins there.
 */
struct chunk_places {
	uint32_t *at;
	uint64_t inodes; /* numbers of the AG */
};

/* mend_chunks.c: one more candidate; ... */
int chunk_add(struct chunk_search *s, enum chunk_witness by, const struct inobt_record *record);
/* ... all those in a run of blocks that inodes have. 0 or -ENOMEM. */
int chunk_add_run(struct chunk_search *s, enum chunk_witness by, uint64_t start, uint64_t end);

/* mend_chunk_looks.c: add those where it looks like inodes, with nobody there. 0 or -ENOMEM. */
int chunk_take_looks(struct chunk_search *s, struct chunk_places *places);

/* mend_chunk_settle.c: chunk: for the bytes of its inodes. */
struct chunk_outcome chunk_settle(const struct chunk_search *s, const struct chunk_candidate *c, uint8_t *chunk);
/* Whether it has the magic of an inode, and its number if it has one. */
bool chunk_looks_like_inode(const struct geometry *g, xino_t ino, const struct dinode_disk *d);
/* Set the counts of a record by its masks. */
void chunk_count(struct inobt_record *r);

/*
 * Claimed by somebody else than inodes. Blocks of the free list may still hold inodes; they are told from those by the
 * rmapbt.
 */
static inline bool chunk_block_taken(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->others, block) ||
	       (block_map_get(&s->ag->single, block) && !block_map_get(&s->ag->inodes, block));
}

/* By the free-space btrees. */
static inline bool chunk_block_free(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->free, block);
}

#endif
