/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content of inodes and their names as facts, from one of two views of the devices: before or after the repair. */
#ifndef XFSCK_REPAIR_LOSS_FACT_H
#define XFSCK_REPAIR_LOSS_FACT_H

#include <pthread.h>

#include "check/books/doubts.h"
#include "drops.h"
#include "sets/number_set.h"

struct loss_areas;
struct facts_chunks;
struct names_noted;
struct repair;

enum fact_side {
	SIDE_BEFORE,
	SIDE_DROPPED, /* dropped by a mender: it existed before, in some round */
	SIDE_AFTER,
};

enum fact_kind {
	FACT_INODE,  /* flags: ftype, bytes: struct inode_core */
	FACT_UNREAD, /* in use but unreadable; bytes: none, or struct inode_remains */
	FACT_NAME,   /* an entry; a: directory, b: hash of the name, c: entry_fact.indexed; flags: ftype; bytes: name */
	FACT_UNNAMED,	   /* a directory; a: number of names that are unknown; UINT64_MAX: this, too */
	FACT_BLOCKS,	   /* a: file block, b: block in the group, c: number of blocks; flags: RMAP_* */
	FACT_UNMAPPED,	   /* the extent map of the data is unknown from block a to block b */
	FACT_UNATTRIBUTED, /* block a of the attribute fork is unreadable, and may have held attributes */
	FACT_ATTRIBUTE,	   /* a: hash of the name, b: hash of the value, 0: in blocks, c: its length; bytes: the name */
	FACT_VALUE,	   /* a: block of the attribute fork with part of a value, b: hash of that part */
	FACT_TARGET,	   /* a: offset; bytes: part of the target */
};

/* Fields of an inode that users can see or set, and its counts. Hashed, so there must be no padding. */
struct inode_core {
	uint64_t size, nblocks, nextents, flags2;
	uint64_t times[4]; /* access, modification, change, creation; as on disk */
	uint32_t mode, nlink, gen, uid, gid, projid, flags, extsize, cowextsize;
	uint32_t unsound;	 /* nonzero: wrong checksum, its counts are no evidence */
	uint32_t forks;		 /* checksum of the bytes of both forks in the inode */
	uint32_t has_attributes; /* nonzero: has an attribute fork */
	uint32_t misplaced;	 /* nonzero: has a right checksum but another inode's number */
	uint32_t crc;		 /* stored checksum; 0 in version 4 */
	uint32_t padding;
	uint32_t target_end; /* of a symlink: end of the last byte of its target, even after a NUL */
};

/* The checksum and times fields of something readable that is not recognized as an inode. No padding. */
struct inode_remains {
	uint64_t times[3];
	uint64_t crc;
};

struct loss_fact {
	xino_t ino;
	uint64_t a, b, c;
	uint64_t seal;	  /* identifies the checksum of its block or inode, and its owner; 0: none */
	group_t group;	  /* of FACT_BLOCKS */
	dablk_t value_at; /* of FACT_ATTRIBUTE with a value in blocks: the first block */
	uint8_t kind;	  /* enum fact_kind */
	uint8_t side;	  /* enum fact_side */
	uint8_t flags;
	uint8_t reason; /* SIDE_DROPPED: enum drop_reason */
	bool data;	/* of FACT_BLOCKS: written data of a user's regular file */
	bool unsound;	/* the checksum of its block is wrong; of FACT_UNREAD: of the block of the inobt */
	bool elsewhere; /* it is right, and the header has another inode number */
	bool amid;	/* of FACT_BLOCKS after the repair: some are in struct loss_areas */
	bool restored;	/* in struct seals: before, it was misread; after, it is the content before the damage */
	uint16_t len;
	_Alignas(uint64_t) uint8_t bytes[]; /* of FACT_INODE: a struct that is read in place */
};

/* Totals of one view, over users' inodes. */
struct view_totals {
	uint64_t of[LOSS_NR];
	uint64_t bytes; /* bytes that all facts take as records */
	uint64_t gaps;	/* unreadable inodes and directory blocks, where names may be missing */
};

/* ---- loss_view.c: facts of the traversal, as facts about users' inodes ---- */

/*
 * Names in blocks with a wrong checksum, and whether a hash index or parent pointer has them, too.  The first traversal
 * of the `before` view collects the names, the second one looks for confirmations.
 */
struct name_proofs {
	struct number_set sought, found;
	bool closed; /* no more are collected */
};

/*
 * Wrong checksums, and those among them that the repair made right by restoring the original bytes.  What was read from
 * such a block before the repair was misread; what is read from it afterwards was there all the time.  Start with {
 * .lock = PTHREAD_MUTEX_INITIALIZER }; facts of `before` must come first.
 */
struct seals {
	pthread_mutex_t lock;
	struct number_set wrong, restored; /* loss_fact.seal */
	struct name_proofs names;
};

void seals_free(struct seals *seals);
bool seals_restored(const struct seals *seals, const struct loss_fact *fact);
/* True if something else confirms a name read from a block with a wrong checksum. */
bool seals_confirm_name(const struct seals *seals, const struct loss_fact *name, const struct hash_key *key);

/* The block or inode that a worker reports next. */
struct seal_lane {
	uint32_t crc;
	bool wrong;
	xino_t owner;	   /* the inode number in its header */
	uint8_t apart[64]; /* keeps lanes in separate cache lines */
};

/* Receives the facts of a view. The bytes are in `bytes`, not after `fact`. Called by all threads. */
typedef void view_put(void *ctx, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes);

struct view {
	const struct geometry *geo;
	const struct geometry *other; /* of the other view; excludes the inodes that are internal there, too */
	const struct hash_key *key;
	struct seals *seals;
	const struct loss_areas *areas; /* NULL: none */
	const struct doubts *doubts;	/* inodes other than these have no facts but names; NULL: all have */
	/* receives entries and parent pointers of inodes in doubt and of directories; NULL: they are not needed */
	struct names_noted *noted;
	struct ino_set dirs;
	const struct facts_chunks *also; /* per AG: inode chunks to visit that the inobt lacks; NULL: none */
	enum fact_side side;
	view_put *put;
	void *ctx;
	/* private */
	struct seal_lane *lanes;
	int error;
};

/* Shows the devices as they were before the repair, or as they will be. */
void view_show(const struct repair *rc, enum fact_side side);
/* Traverses everything that rc shows, and passes it to view->put. 0 or negative errno. */
int view_gather(const struct repair *rc, struct view *view);
/* Likewise for these inodes, whose numbers must be valid. */
int view_gather_near(const struct repair *rc, struct view *view, const xino_t *inos, size_t count);
/* Returns how many bytes a fact takes as a record. */
size_t fact_bytes(const struct loss_fact *fact);
/* Converts a drop to a fact, without its bytes, which are the name of the drop. */
void fact_of_drop(const struct drop *drop, const struct hash_key *key, struct loss_fact *ret);
/* Returns a checksum of the fact; equal facts of both views have the same. */
uint64_t fact_sum(const struct loss_fact *fact, const uint8_t *bytes, const struct hash_key *key);

/* ---- loss_facts.c: records of both views about inodes in doubt ---- */

struct loss_facts; /* pages of records, by thread */

struct loss_facts *loss_facts_new(unsigned workers, size_t limit);
void loss_facts_free(struct loss_facts *facts);
/* Receives facts for a view, with `facts` as ctx. */
view_put loss_facts_put;
/* Collects only the inodes in doubt of pass number `pass` of `passes`; without this call, all inodes. */
void loss_facts_want(struct loss_facts *facts, const struct doubts *doubts, uint32_t pass, uint32_t passes);
/* True if some records did not fit, or there was no memory. */
bool loss_facts_full(const struct loss_facts *facts);
/*
 * Returns all records, sorted by inode, kind, identity, side, and their number; they belong to `facts`.  NULL: no
 * memory.
 */
struct loss_fact **loss_facts_sorted(struct loss_facts *facts, size_t *ret_count);

#endif
