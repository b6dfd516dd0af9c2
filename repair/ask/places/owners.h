/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose bytes of the line are, once all facts are in. */
#ifndef XFSCK_REPAIR_OWNERS_H
#define XFSCK_REPAIR_OWNERS_H

#include "base/sink.h"
#include "holders.h"
#include "spans.h"

struct hits;
struct holders;
struct names_noted;
struct repair;

/* A sink that keeps the facts about blocks that somebody asks for: who has them, or that they are free. */

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

struct owners {
	const struct geometry *geo;
	struct hit *v; /* by start; they belong to the hits that they came from */
	size_t count;
	uint64_t *reach; /* for each, where the farthest of those up to it ends */
	struct hit *chunks;
	size_t nchunks;
	uint64_t dropped;      /* facts that there was no room for */
	struct ino_set files;  /* inodes whose blocks are asked for */
	struct ino_set wanted; /* these and others, whose paths the answer has */
	size_t wanted_most;    /* inodes whose paths are looked for; the answer has only the numbers of others */
	bool unnamed;	       /* there are such */
	bool starved;	       /* there was no memory for a set */
	struct holders holders;
	const struct names_noted *names;
};

/* Begin with all that was collected. 0 or -ENOMEM; free them in either case. */
int owners_begin(struct owners *owners, const struct repair *rc, struct hits *hits);
void owners_free(struct owners *owners);
/* Want what the answer says about inodes that have, or are, some of these bytes of the line; then find it all. 0 or
 * -errno.
 */
int owners_want(struct owners *owners, uint64_t start, uint64_t end);
int owners_find(struct owners *owners, struct repair *rc);

/* What bytes are. x(symbol, name in JSON, in words) */
/* clang-format off */
#define WHO_TABLE(x) \
	x(DATA, "data", "data") \
	x(DIR_DATA, "directory_data", "directory data block") \
	x(DIR_LEAF, "directory_leaf", "directory leaf") \
	x(DIR_FREE, "directory_free", "directory free index") \
	x(SYMLINK, "symlink", "target of a symlink") \
	x(ATTR, "attributes", "attributes") \
	x(BMBT, "bmbt", "bmbt block") \
	x(ATTR_BMBT, "attribute_bmbt", "bmbt block of the attribute fork") \
	x(INODE, "inode", "the inode itself") \
	x(INODE_FREE, "free_inode", "free inode") \
	x(HEADER, "header", NULL) \
	x(BTREE, "btree", NULL) \
	x(AGFL, "agfl", "block of the AGFL, for the free-space btrees") \
	x(LOG, "log", "log") \
	x(STAGED, "staged", "staged for copy on write") \
	x(FREE, "free", "free") \
	x(NOBODY, "unclaimed", "nothing claims it") \
	x(UNKNOWN, "unknown", "not known, for lack of memory") \
	x(BEHIND, "behind", "behind the end of the file system") \
	x(NO_DEVICE, "no_device", "there is no such device")
/* clang-format on */

enum who_kind {
#define x(symbol, name, words) WHO_##symbol,
	WHO_TABLE(x)
#undef x
};

struct who {
	enum who_kind kind;
	const char *object;  /* WHO_HEADER, WHO_BTREE: which; else NULL */
	uint64_t start, end; /* bytes of the line */
	uint64_t ino;	     /* of the file, or of the inode that lies there; NULL_INO: none */
	uint64_t offset;     /* WHO_DATA to WHO_ATTR: of the first of these bytes in the fork, in bytes */
	bool unwritten;
	const struct holder *holder; /* NULL: there is none, or it is not known */
};

/* True if a part of a fork is meant, so that there is an offset. */
static inline bool who_is_in_fork(enum who_kind kind)
{
	return kind <= WHO_ATTR;
}

/* Tell each owner of these bytes; each but WHO_INODE only once, however often it has them. */
void owners_each(const struct owners *owners, uint64_t start, uint64_t end,
		 void (*tell)(void *ctx, const struct who *who), void *ctx);

/* The same for one of the facts alone, about what of it is in these bytes. */
void owners_tell_hit(const struct owners *owners, const struct hit *hit, uint64_t start, uint64_t end,
		     void (*tell)(void *ctx, const struct who *who), void *ctx);

/* "data", and in words */
const char *who_name(enum who_kind kind);
const char *who_words(const struct who *who);

#endif
