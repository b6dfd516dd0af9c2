/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Candidates for inode chunks, and which of them are chunks: shared by the mend_chunk*.c files. */
#ifndef XFSCK_REPAIR_MEND_CHUNK_SEARCH_H
#define XFSCK_REPAIR_MEND_CHUNK_SEARCH_H

#include "disk/inobt.h"
#include "disk/inode.h"
#include "mend_chunks.h"

/* The source of a candidate, most reliable first. */
enum chunk_witness {
	BY_INOBT,
	BY_FINOBT,
	BY_RMAP,   /* the rmapbt lists its blocks as inode chunks */
	BY_NAMES,  /* directory entries point to intact inodes in use: mend_chunk_named.c */
	BY_STRAYS, /* blocks of one of its directories are left: mend_dir_lost.c */
	BY_LOOKS,  /* a block starts with something like an inode */
	BY_BLOCK,  /* another chunk lies in the same block, which is larger than a chunk and holds only inodes */
};

/* A possible chunk. */
struct chunk_candidate {
	enum chunk_witness by;
	struct inobt_record record; /* BY_RMAP and later: only the start is set */
};

struct chunk_search {
	struct mend *m;
	const struct geometry *geo;
	agno_t agno;
	const struct mend_survey *survey;
	const struct survey_ag *ag; /* the survey's maps of the AG */
	enum inobt_trust trust;
	struct chunk_candidate *v;
	size_t count, room;
	struct inobt_record *chunks; /* candidates confirmed as chunks, with their new records */
	size_t nchunks, chunks_room;
	struct block_map listed; /* blocks of chunks that are wrongly in the free list: mend_chunk_named.c */
	agino_t *hollow;	 /* starts of chunks known only from the rmapbt, without any inodes left */
	size_t nhollow, hollow_room;
};

/* The verdict on a candidate. */
struct chunk_outcome {
	bool is_chunk, hollow;	    /* hollow: see struct chunk_search */
	struct inobt_record record; /* the new record of a chunk */
};

/*
 * Where chunks start: at[i] is 1 + the start of the chunk that starts within the 64 inode numbers from 64 * i on, or 0.
 * Chunks need not be aligned to 64, so one may extend into the next 64 numbers.
 */
struct chunk_places {
	uint32_t *at;
	uint64_t inodes; /* number of inode numbers of the AG */
};

/* mend_chunks.c: adds a candidate. 0 or -ENOMEM. */
int chunk_add(struct chunk_search *s, enum chunk_witness by, const struct inobt_record *record);
/* Adds a candidate for each 64 inode numbers of blocks [start, end), which seem to hold inodes. 0 or -ENOMEM. */
int chunk_add_range(struct chunk_search *s, enum chunk_witness by, uint64_t start, uint64_t end);

/*
 * mend_chunk_named.c: adds candidates where unclaimed blocks look like inodes.  otherwise: checks only blocks with
 * another owner in the rmapbt; false: only the rest.  0 or -ENOMEM.
 */
int chunk_take_looks(struct chunk_search *s, struct chunk_places *places, bool otherwise);

/* mend_chunk_named.c: adds candidates with the inodes in mend_round.named. 0 or -ENOMEM. */
int chunk_take_named(struct chunk_search *s);

/* mend_chunks.c: decides if a candidate is a chunk, and on its record. chunk: buffer for 64 inodes. */
struct chunk_outcome chunk_settle(const struct chunk_search *s, const struct chunk_candidate *c, uint8_t *chunk);
/* True if the bytes have an inode's magic number and version and, in version 5, this inode number. */
bool chunk_looks_like_inode(const struct geometry *g, xino_t ino, const struct dinode_disk *d);

/*
 * True if the block has an owner other than inodes.  Blocks of the free list may still hold old inodes, so a block
 * claimed by the AG itself counts as well, unless the rmapbt, or the chunk around it, gives it to inodes.
 */
static inline bool chunk_block_taken(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->others, block) ||
	       (block_map_get(&s->ag->single, block) && !block_map_get(&s->ag->inodes, block) &&
		!block_map_get(&s->listed, block));
}

/* True if the block has an owner other than inodes in the rmapbt. */
static inline bool chunk_block_mapped_otherwise(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->mapped, block) && !block_map_get(&s->ag->inodes, block);
}

/* True if the block is free in the free-space btree. */
static inline bool chunk_block_free(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->free, block);
}

#endif
