/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an inode and its names hold, one fact each, as one of two views of the devices has it: before or after. */
#ifndef XFSCK_REPAIR_LOSS_FACT_H
#define XFSCK_REPAIR_LOSS_FACT_H

#include <pthread.h>

#include "check/books/doubts.h"
#include "drops.h"
#include "sets/number_set.h"

struct repair;

enum fact_side {
	SIDE_BEFORE,
	SIDE_DROPPED, /* a mender has dropped it: it was there before, in any round */
	SIDE_AFTER,
};

enum fact_kind {
	FACT_INODE,	   /* flags: ftype, bytes: struct inode_core */
	FACT_UNREAD,	   /* the inode is in use, but can't be read, or bytes: struct inode_remains */
	FACT_NAME,	   /* a name of the inode; a: directory, b: hash of the name, c: entry_fact.indexed, with that;
			      flags: ftype, bytes: the name */
	FACT_UNNAMED,	   /* a directory: a: so many names are not known */
	FACT_BLOCKS,	   /* a: block in the fork, b: block in the group, c: how many; flags: RMAP_* */
	FACT_UNMAPPED,	   /* the map of the data is not known from block a to block b */
	FACT_UNATTRIBUTED, /* attributes may have been in block a of the fork, which can't be read */
	FACT_ATTRIBUTE,	   /* a: hash of the name, b: of the value, 0: in blocks, c: its length; bytes: the name */
	FACT_VALUE,	   /* a: block of the attribute fork that holds a part of a value, b: hash of that part */
	FACT_TARGET,	   /* a: offset; bytes: a part of the target */
};

/* The fields of an inode that a user can see or set, and what its counts say. No padding, since they are hashed. */
struct inode_core {
	uint64_t size, nblocks, nextents, flags2;
	uint64_t times[4]; /* last access, modification, change, creation; as on the disk */
	uint32_t mode, nlink, gen, uid, gid, projid, flags, extsize, cowextsize;
	uint32_t unsound;	 /* not 0: its checksum is wrong, so what it counts tells nothing */
	uint32_t forks;		 /* a checksum over the bytes of both forks in the inode */
	uint32_t has_attributes; /* not 0: there is an attribute fork */
	uint32_t misplaced;	 /* not 0: with a right checksum, it says that it is another inode */
	uint32_t crc;		 /* the checksum, as stored; 0 in version 4 */
	uint32_t padding;
	uint32_t target_end; /* of a symbolic link: where the last byte of its target lies, even behind a NUL */
};

/* Where no inode is recognized, but could be read: what lies in the place of its checksum and times. No padding. */
struct inode_remains {
	uint64_t times[3];
	uint64_t crc;
};

struct loss_fact {
	xino_t ino;
	uint64_t a, b, c;
	uint64_t seal; /* stands for the checksum of the block or inode that says so, and its owner; 0: it has none */
	group_t group; /* of FACT_BLOCKS */
	dablk_t value_at; /* of FACT_ATTRIBUTE with a value in blocks: the first */
	uint8_t kind;	  /* enum fact_kind */
	uint8_t side;	  /* enum fact_side */
	uint8_t flags;
	uint8_t reason; /* SIDE_DROPPED: enum drop_reason */
	bool data;	/* of FACT_BLOCKS: written data of a user's regular file */
	bool unsound;	/* that checksum is wrong */
	bool restored;	/* in struct seals: before, it was misread; after, it is what was there before the damage */
	uint16_t len;
	_Alignas(uint64_t) uint8_t bytes[]; /* of FACT_INODE a struct, which is read in place */
};

/* Totals of one view, over users' inodes. */
struct view_totals {
	uint64_t of[LOSS_NR];
	uint64_t bytes; /* that all facts take as records */
	uint64_t gaps;	/* inodes and blocks of directories that could not be read, so that names may be missing */
};

/* ---- loss_view.c: facts of the traversal, as facts of users' inodes ---- */

/*
 * Names in blocks with a wrong checksum, and what else has these: a hash index, or a parent pointer.  The names are
 * known when a view of before has been gathered; the next time, others confirm them.
 */
struct name_proofs {
	struct number_set sought, found;
	bool closed; /* no more are sought */
};

/*
 * Checksums that were wrong, and those of them that the repair has made right by putting back the bytes that they are
 * of.  What was read before lay in no such block then; what is read afterwards was there all the time.  Begin with
 * { .lock = PTHREAD_MUTEX_INITIALIZER }; facts of before must come first.
 */
struct seals {
	pthread_mutex_t lock;
	struct number_set wrong, restored; /* loss_fact.seal */
	struct name_proofs names;
};

void seals_free(struct seals *seals);
bool seals_restored(const struct seals *seals, const struct loss_fact *fact);
/* True if something else confirms a name that was read from a block with a wrong checksum. */
bool seals_confirm_name(const struct seals *seals, const struct loss_fact *name, const struct hash_key *key);

/* The checksum of what a lane is told next. */
struct seal_lane {
	uint32_t crc;
	bool wrong;
	uint8_t apart[64]; /* keeps lanes off each other's cache lines */
};

/* Receives the facts of a view; `fact` has no bytes behind it, but `bytes`. Called by all threads. */
typedef void view_put(void *ctx, unsigned lane, const struct loss_fact *fact, const uint8_t *bytes);

struct view {
	const struct geometry *geo;
	const struct geometry *other; /* that of the other view, by which what is internal is left out, too */
	const struct hash_key *key;
	struct seals *seals;
	enum fact_side side;
	view_put *put;
	void *ctx;
	/* the view's own */
	struct seal_lane *lanes;
	int error;
};

/* From now on, show the devices as they were before the repair, or as they will be. */
void view_show(const struct repair *rc, enum fact_side side);
/* Traverse all that rc shows, and tell view->put what it is. 0 or negative errno. */
int view_gather(const struct repair *rc, struct view *view);
/* The same of what these inodes hold, whose numbers must be valid. */
int view_gather_near(const struct repair *rc, struct view *view, const xino_t *inos, size_t count);
/* The bytes that a fact takes as a record. */
size_t fact_bytes(const struct loss_fact *fact);
/* The fact that a drop is, without its bytes, which are the name of the drop. */
void fact_of_drop(const struct drop *drop, const struct hash_key *key, struct loss_fact *ret);
/* A sum over what the fact says, which is the same for the same facts of both views. */
uint64_t fact_sum(const struct loss_fact *fact, const uint8_t *bytes, const struct hash_key *key);

/* ---- loss_facts.c: the records of both views about inodes in doubt ---- */

struct loss_facts; /* in pages, by threads */

struct loss_facts *loss_facts_new(unsigned lanes, size_t limit);
void loss_facts_free(struct loss_facts *facts);
/* The receiver for a view, with `facts` as ctx. */
view_put loss_facts_put;
/* Which inodes are wanted from now on: those in doubt, and of these the part of `parts`; without this, all are. */
void loss_facts_want(struct loss_facts *facts, const struct doubts *doubts, uint32_t part, uint32_t parts);
/* True if some did not fit, or there was no memory. */
bool loss_facts_full(const struct loss_facts *facts);
/*
 * All records by inode, kind, then what tells two of a kind apart, then side, and how many; they are the facts'.  NULL:
 * out of memory.
 */
struct loss_fact **loss_facts_sorted(struct loss_facts *facts, size_t *ret_count);

#endif
