/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts, and who takes them.  The traversal reads each block once and tells
 * what it says, in any order and from any thread; a sink makes something of it:
 * the ledger sums both sides up.  lane: the worker that speaks; lanes never share a counter.
 */
#ifndef XFSCK_REPAIR_SINK_H
#define XFSCK_REPAIR_SINK_H

#include "geometry.h"
#include "libxfs/btree.h"
#include "libxfs/dinode.h"
#include "place.h"
#include "sets/hash.h"

/* Blocks [start, start + len) of an AG or realtime group. */
struct blocks {
	group_t group;
	gbno_t start;
	uint64_t len;
};

/* Somebody uses them. */
struct claim {
	struct blocks at;
	uint64_t owner;	 /* inode number or OWNER_* */
	uint64_t offset; /* block in the fork; 0 for special owners and bmbt blocks */
	uint8_t flags;	 /* RMAP_* */
	uint8_t object;	 /* enum object: which part of a special owner; OBJ_INODE: of an inode that shares nothing */
};

/* Whether nobody else may have blocks that are claimed so: only what regular files have written is ever shared. */
static inline bool claim_is_alone(uint64_t owner, uint8_t flags, uint8_t object)
{
	return owner >= OWNER_COW || flags || object == OBJ_INODE;
}

/* A directory names an inode. */
struct entry_fact {
	xino_t directory;
	uint32_t directory_gen;
	bool metadata;	  /* the directory belongs to the metadata tree */
	bool dot, dotdot; /* `.` or `..`: no name */
	uint8_t ftype;	  /* FT_UNKNOWN: the directory doesn't say */
	xino_t target;
	const uint8_t *name; /* in the block at hand; not of `.` and `..` */
	uint8_t namelen;
	uint64_t name_hash; /* hash_name() under the sink's key */
};

/* A child's attributes name a parent. */
struct pptr_fact {
	xino_t child;
	xino_t parent;
	uint32_t parent_gen;
	const uint8_t *name; /* in the block at hand */
	uint8_t namelen;
	uint64_t name_hash;
	uint8_t ftype; /* the child's, as its mode has it */
	bool metadata; /* the child belongs to the metadata tree */
};

struct sink_ops {
	void (*claim)(void *ctx, unsigned lane, const struct claim *claim);
	/* blocks of a claim by somebody who shares nothing, of which the refcount btree has some as shared */
	void (*alone)(void *ctx, unsigned lane, const struct blocks *blocks);
	/* a record of the free-space btree `kind`; what a realtime bitmap says is free counts as BT_BNO */
	void (*free_extent)(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks);
	void (*rmap)(void *ctx, unsigned lane, group_t group, const struct rmap_record *record);
	void (*refcount)(void *ctx, unsigned lane, group_t group, const struct refcount_record *record);
	/* a record of inobt or finobt */
	void (*chunk)(void *ctx, unsigned lane, enum btree_kind kind, agno_t agno, const struct inobt_record *record);
	/* an inode in use */
	void (*inode)(void *ctx, unsigned lane, const struct dinode *inode);
	void (*entry)(void *ctx, unsigned lane, const struct entry_fact *entry);
	void (*pptr)(void *ctx, unsigned lane, const struct pptr_fact *pptr);
	/* an AGI bucket or an unlinked inode points to this one */
	void (*unlinked)(void *ctx, unsigned lane, agno_t agno, agino_t agino);
	/* the superblock names this inode: no directory does */
	void (*rooted)(void *ctx, unsigned lane, xino_t ino, bool metadata);
	/* what will be so when operations that a crash interrupted are done (intents.h): this claim is given up, ... */
	void (*unclaim)(void *ctx, unsigned lane, const struct claim *claim);
	/* ... this rmap record is gone, ... */
	void (*unmap)(void *ctx, unsigned lane, group_t group, const struct rmap_record *record);
	/* ... these blocks are free, by bnobt and cntbt or a realtime bitmap, ... */
	void (*freed)(void *ctx, unsigned lane, const struct blocks *blocks);
	/* ... and may be used once more, or once less, than the refcount btree says: change is 1 or -1 */
	void (*recount)(void *ctx, unsigned lane, const struct blocks *blocks, int change);
};

/* Every fact is dropped. */
extern const struct sink_ops sink_of_nothing;

struct sink {
	const struct sink_ops *ops;
	void *ctx;
	const struct hash_key *key; /* for name_hash */
};

#endif
