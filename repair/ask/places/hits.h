/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sink that keeps the facts about blocks that somebody asks for: who has them, or that they are free. */
#ifndef XFSCK_REPAIR_HITS_H
#define XFSCK_REPAIR_HITS_H

#include "base/sink.h"
#include "spans.h"

struct holders;
struct names_noted;
struct repair;

/* In the order in which they are told of a block. */
enum hit_kind {
	HIT_CLAIM,
	HIT_STAGED, /* for copy on write */
	HIT_FREE,
	HIT_CHUNK, /* a record of the inobt, whatever of it exists */
};

struct hit {
	uint64_t start, end; /* blocks of the line (line.h) */
	uint64_t owner;	     /* HIT_CLAIM: as in struct claim; HIT_CHUNK: the first inode */
	uint64_t offset;     /* HIT_CLAIM: likewise; HIT_CHUNK: a bit for each inode that is in use */
	uint64_t existing;   /* HIT_CHUNK: a bit for each inode that exists */
	uint8_t kind;	     /* enum hit_kind */
	uint8_t flags;	     /* RMAP_* */
	uint8_t part;	     /* flags without RMAP_UNWRITTEN: which part of a file it is, for sorting */
	uint8_t object;	     /* enum object */
};

/* True if the blocks are claimed by a file. */
static inline bool hit_is_file(const struct hit *hit)
{
	return hit->kind == HIT_CLAIM && hit->owner < OWNER_COW;
}

struct hits;

/*
 * Collect what touches these ranges of blocks of the line; takes spans over.  Of more than fit into the memory for
 * records, those that come first by owner are kept. 0, -ENOMEM or -EFBIG.
 */
int hits_new(const struct repair *rc, struct spans *spans, struct hits **ret_hits);
void hits_free(struct hits *hits);
/* The operations of the sink; ctx: of type struct hits **, or something that begins with the pointer. */
extern const struct sink_ops hits_ops;

/*
 * When all facts are in: all that were kept, by start, kind, owner and offset; they belong to hits.  *ret_dropped: how
 * many there was no room for. 0 or -ENOMEM.
 */
int hits_settle(struct hits *hits, struct hit **ret_hits, size_t *ret_count, uint64_t *ret_dropped);
/* Add the inodes that were seen just before their blocks, so that they need not be read again. 0 or -ENOMEM. */
int hits_holders(struct hits *hits, struct holders *holders);

/* What was noted of names on the way. */
const struct names_noted *hits_names(const struct hits *hits);

#endif
