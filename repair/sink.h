/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts, and sinks, which receive them.  The traversal reads each block once and passes the facts in it to a sink, in
 * any order and from any thread.  What becomes of them is up to the sink: the ledger adds them up, evidence keeps them
 * as records.  lane: the number of the worker that calls; a sink keeps counters apart for each lane.
 */
#ifndef XFSCK_REPAIR_SINK_H
#define XFSCK_REPAIR_SINK_H

#include "geometry.h"
#include "libxfs/btree.h"
#include "libxfs/da.h"
#include "libxfs/dinode.h"
#include "place.h"
#include "sets/hash.h"

/* Blocks [start, start + len) of an AG or realtime group. */
struct blocks {
	group_t group;
	gbno_t start;
	uint64_t len;
};

/* Somebody uses these blocks. */
struct claim {
	struct blocks at;
	uint64_t owner;	 /* inode number or OWNER_* */
	uint64_t offset; /* block in the fork; 0 for special owners and bmbt blocks */
	uint8_t flags;	 /* RMAP_* */
	uint8_t object;	 /* enum object: which part of a special owner; OBJ_INODE: the inode may share nothing */
};

/* Whether blocks that are claimed so may have no other owner: only written data of regular files is ever shared. */
static inline bool claim_is_alone(uint64_t owner, uint8_t flags, uint8_t object)
{
	return owner >= OWNER_COW || flags || object == OBJ_INODE;
}

/* A directory names an inode. */
struct entry_fact {
	xino_t directory;
	uint32_t directory_gen;
	bool metadata;	  /* the directory belongs to the metadata tree */
	bool dot, dotdot; /* it is `.` or `..`, which have no name here */
	uint8_t ftype;	  /* FT_UNKNOWN: the directory doesn't say */
	xino_t target;
	const uint8_t *name; /* points into the block at hand: valid during the call only */
	uint8_t namelen;
	uint64_t name_hash; /* hash_name() under the sink's key */
};

/* A child's parent pointer names a directory. */
struct pptr_fact {
	xino_t child;
	xino_t parent;
	uint32_t parent_gen;
	const uint8_t *name; /* as in struct entry_fact */
	uint8_t namelen;
	uint64_t name_hash;
	uint8_t ftype; /* the child's type, by its mode */
	bool metadata; /* the child belongs to the metadata tree */
};

struct sink_ops {
	void (*claim)(void *ctx, unsigned lane, const struct claim *claim);
	/* the refcount btree has some of these blocks as shared, but the owner that claimed them may not share */
	void (*alone)(void *ctx, unsigned lane, const struct blocks *blocks);
	/* a record of the free-space btree `kind`; free extents of a realtime bitmap count as BT_BNO */
	void (*free_extent)(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks);
	void (*rmap)(void *ctx, unsigned lane, group_t group, const struct rmap_record *record);
	void (*refcount)(void *ctx, unsigned lane, group_t group, const struct refcount_record *record);
	/* a record of inobt or finobt */
	void (*chunk)(void *ctx, unsigned lane, enum btree_kind kind, agno_t agno, const struct inobt_record *record);
	/* an inode in use */
	void (*inode)(void *ctx, unsigned lane, const struct dinode *inode);
	void (*entry)(void *ctx, unsigned lane, const struct entry_fact *entry);
	void (*pptr)(void *ctx, unsigned lane, const struct pptr_fact *pptr);
	/* an AGI bucket or an unlinked inode points to this inode */
	void (*unlinked)(void *ctx, unsigned lane, agno_t agno, agino_t agino);
	/* the superblock names this inode, so that no directory needs to */
	void (*rooted)(void *ctx, unsigned lane, xino_t ino, bool metadata);

	/* These are told only to a scope with `contents`; what they point to is valid during the call only: */

	/* an attribute, other than a parent pointer */
	void (*attribute)(void *ctx, unsigned lane, xino_t ino, const struct attr_entry *attribute);
	/* a part of the target of a symbolic link */
	void (*target)(void *ctx, unsigned lane, xino_t ino, uint32_t offset, const uint8_t *bytes, uint32_t len);
	/* an inode that is in use by the inobt can't be read, or is none */
	void (*unread)(void *ctx, unsigned lane, xino_t ino);
	/* blocks [offset, end) of the fork are not known, if there were any: a part of its map, or they themselves, are lost */
	void (*unmapped)(void *ctx, unsigned lane, xino_t ino, enum fork fork, uint64_t offset, uint64_t end);
	/* a block of names is lost: the hash index has so many more than those that were told; 0: that is not known */
	void (*unnamed)(void *ctx, unsigned lane, xino_t ino, uint64_t count);

	/* What will be true when the operations that a crash interrupted have been completed (intents.h): */

	/* this claim will have been given up */
	void (*unclaim)(void *ctx, unsigned lane, const struct claim *claim);
	/* this rmap record will be gone */
	void (*unmap)(void *ctx, unsigned lane, group_t group, const struct rmap_record *record);
	/* these blocks will be free, by bnobt and cntbt or a realtime bitmap */
	void (*freed)(void *ctx, unsigned lane, const struct blocks *blocks);
	/* these blocks will be used once more, or once less, than the refcount btree says: change is 1 or -1 */
	void (*recount)(void *ctx, unsigned lane, const struct blocks *blocks, int change);
};

/* Drops every fact. */
extern const struct sink_ops sink_of_nothing;

struct sink {
	const struct sink_ops *ops;
	void *ctx;
	const struct hash_key *key; /* for name_hash */
};

#endif
