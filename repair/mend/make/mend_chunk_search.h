/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that find chunks of inodes, mend_chunk*.c, share: candidates, and which of them are chunks. */
#ifndef XFSCK_REPAIR_MEND_CHUNK_SEARCH_H
#define XFSCK_REPAIR_MEND_CHUNK_SEARCH_H

#include "disk/inobt.h"
#include "disk/inode.h"
#include "mend_chunks.h"

/* What tells of a candidate; the better witness comes first. */
enum chunk_witness {
	BY_INOBT,
	BY_FINOBT,
	BY_RMAP,   /* the rmapbt gives its blocks to inodes */
	BY_NAMES,  /* names lead to sound inodes in use: mend_chunk_named.c */
	BY_STRAYS, /* blocks are left of one of its directories: mend_dir_lost.c */
	BY_LOOKS,  /* a block begins with what looks like an inode */
	BY_BLOCK,  /* another chunk lies in the same block, which is larger than a chunk: all of it holds inodes */
};

/* A place where a chunk may be. */
struct chunk_candidate {
	enum chunk_witness by;
	struct inobt_record record; /* BY_RMAP and later ones: only the start is set */
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
	struct inobt_record *chunks; /* candidates that proved to be chunks, as they shall be */
	size_t nchunks, chunks_room;
	struct block_map listed; /* blocks of chunks that the free list has by mistake: mend_chunk_named.c */
	agino_t *hollow; /* starts of those chunks of which only the rmapbt tells, and in which no inode is left */
	size_t nhollow, hollow_room;
};

/* What a candidate proves to be. */
struct chunk_outcome {
	bool is_chunk, hollow;	    /* hollow: see struct chunk_search */
	struct inobt_record record; /* of a chunk, as it shall be */
};

/*
 * Where chunks begin: at[i] is 1 + the start of the chunk that begins within the 64 inode numbers from 64 * i on, or 0.
 * Chunks need not be aligned to 64, so one may reach into the next 64 numbers.
 */
struct chunk_places {
	uint32_t *at;
	uint64_t inodes; /* how many inode numbers the AG has */
};

/* mend_chunks.c: add a candidate; ... */
int chunk_add(struct chunk_search *s, enum chunk_witness by, const struct inobt_record *record);
/* ... or one for each 64 inode numbers of blocks [start, end), which seem to hold inodes. 0 or -ENOMEM. */
int chunk_add_run(struct chunk_search *s, enum chunk_witness by, uint64_t start, uint64_t end);

/*
 * mend_chunk_named.c: add candidates where blocks that nobody claims look like inodes.  otherwise: look at those blocks
 * that the rmapbt gives to something else; false: at all but those. 0 or -ENOMEM.
 */
int chunk_take_looks(struct chunk_search *s, struct chunk_places *places, bool otherwise);

/* mend_chunk_named.c: add candidates with the inodes of mend_round.named. 0 or -ENOMEM. */
int chunk_take_named(struct chunk_search *s);

/* mend_chunks.c: whether a candidate is a chunk, and with which record. chunk: room for the bytes of 64 inodes.
 */
struct chunk_outcome chunk_settle(const struct chunk_search *s, const struct chunk_candidate *c, uint8_t *chunk);
/* Whether the bytes have an inode's magic number and version and, on version 5, this inode number. */
bool chunk_looks_like_inode(const struct geometry *g, xino_t ino, const struct dinode_disk *d);

/*
 * Whether somebody else than inodes claims the block.  Blocks of the free list may still hold old inodes, so a block
 * that the group itself claims counts, too, unless the rmapbt gives it to inodes, or the chunk around it does.
 */
static inline bool chunk_block_taken(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->others, block) ||
	       (block_map_get(&s->ag->single, block) && !block_map_get(&s->ag->inodes, block) &&
		!block_map_get(&s->listed, block));
}

/* Whether the rmapbt gives the block to something else than inodes. */
static inline bool chunk_block_mapped_otherwise(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->mapped, block) && !block_map_get(&s->ag->inodes, block);
}

/* Whether the free-space btree has the block. */
static inline bool chunk_block_free(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->free, block);
}

#endif
