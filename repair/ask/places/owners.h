/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the owners of bytes of the line, when all facts are in. */
#ifndef XFSCK_REPAIR_OWNERS_H
#define XFSCK_REPAIR_OWNERS_H

#include "base/sink.h"
#include "holders.h"
#include "report/json_out.h"
#include "spans.h"

struct hits;
struct holders;
struct names_noted;
struct repair;

/* A sink that keeps facts about requested blocks: their owners, or that they are free. */

/* In the order in which they are reported for a block. */
enum hit_kind {
	HIT_CLAIM,
	HIT_STAGED, /* for copy on write */
	HIT_FREE,
	HIT_CHUNK, /* a record of the inobt */
};

struct hit {
	uint64_t start, end; /* blocks of the line (line.h) */
	uint64_t owner;	     /* HIT_CLAIM: as in struct claim; HIT_CHUNK: the first inode */
	uint64_t offset;     /* HIT_CLAIM: likewise; HIT_CHUNK: a bit for each inode in use */
	uint64_t existing;   /* HIT_CHUNK: a bit for each inode that exists */
	uint8_t kind;	     /* enum hit_kind */
	uint8_t flags;	     /* RMAP_* */
	uint8_t fork_flags;  /* flags without RMAP_UNWRITTEN: the fork, for sorting */
	uint8_t object;	     /* enum object */
};

/* True if a file claims the blocks. */
static inline bool hit_is_file(const struct hit *hit)
{
	return hit->kind == HIT_CLAIM && hit->owner < OWNER_COW;
}

/*
 * Collects facts about these ranges of blocks of the line; takes over spans. If they exceed the memory for records,
 * keeps those that come first by owner. 0, -ENOMEM or -EFBIG.
 */
int hits_new(const struct repair *rc, struct spans *spans, struct hits **ret_hits);
void hits_free(struct hits *hits);
/* The sink's operations; ctx: a struct hits **, or a struct that begins with one. */
extern const struct sink_ops hits_ops;

/*
 * Sorts the facts by start, kind, owner and offset when all are in; they belong to hits. *ret_dropped: number of
 * dropped facts. 0 or -ENOMEM.
 */
int hits_settle(struct hits *hits, struct hit **ret_hits, size_t *ret_count, uint64_t *ret_dropped);
/* Adds inodes that came just before their blocks, which saves reading them again. 0 or -ENOMEM. */
int hits_holders(struct hits *hits, struct holders *holders);

/* Returns the names recorded during the check. */
const struct names_noted *hits_names(const struct hits *hits);

struct owners {
	const struct geometry *geo;
	struct hit *v; /* by start; they belong to the hits */
	size_t count;
	uint64_t *reach; /* for each fact: the greatest end up to it */
	struct hit *chunks;
	size_t nchunks;
	uint64_t dropped;      /* facts dropped for lack of memory */
	struct ino_set files;  /* inodes that own requested blocks */
	struct ino_set wanted; /* these and others whose paths the answer shows */
	size_t wanted_most;    /* the most inodes whose paths are looked up; of others the answer shows only numbers */
	bool unnamed;	       /* there are such others */
	bool starved;	       /* there was no memory for a set */
	struct holders holders;
	const struct names_noted *names;
};

/* Starts with the facts collected. 0 or -ENOMEM; call owners_free() in either case. */
int owners_begin(struct owners *owners, const struct repair *rc, struct hits *hits);
void owners_free(struct owners *owners);
/* Requests what the answer needs about inodes that own, or are, these bytes of the line; then finds it. 0 or -errno. */
int owners_want(struct owners *owners, uint64_t start, uint64_t end);
int owners_find(struct owners *owners, struct repair *rc);

/* Kinds of owners. x(symbol, name in JSON, text) */
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
	const char *object;  /* WHO_HEADER, WHO_BTREE: which one; else NULL */
	uint64_t start, end; /* bytes of the line */
	uint64_t ino;	     /* the file, or the inode at this place; NULL_INO: none */
	uint64_t offset;     /* WHO_DATA to WHO_ATTR: byte offset in the fork */
	bool unwritten;
	const struct holder *holder; /* NULL: none, or unknown */
};

/* True for parts of a fork, which have an offset. */
static inline bool who_is_in_fork(enum who_kind kind)
{
	return kind <= WHO_ATTR;
}

/* Calls tell() for each owner of these bytes: once, except WHO_INODE. */
void owners_each(const struct owners *owners, uint64_t start, uint64_t end,
		 void (*tell)(void *ctx, const struct who *who), void *ctx);

/* The same for a single fact, limited to these bytes. */
void owners_tell_hit(const struct owners *owners, const struct hit *hit, uint64_t start, uint64_t end,
		     void (*tell)(void *ctx, const struct who *who), void *ctx);

/* Return "data" and the like, and a text. */
const char *who_name(enum who_kind kind);
const char *who_words(const struct who *who);
/*
 * who_print.c: prints an owner, without a newline: "inode 133 "/a/b": data, bytes 4096 to 8191, unwritten".  paths may
 * be NULL.
 */
void who_print(FILE *out, const struct who *who, struct paths *paths);
/* True if these bytes of a file's data are beyond its end. */
bool who_is_behind_end(const struct who *who);
/* Sets the same as keys of a JSON object. */
void who_json(struct report_json *json, json_t *object, const struct who *who, struct paths *paths);

#endif
