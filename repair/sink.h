/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts, and who takes them.  The traversal reads each block once and tells
 * what it says, in any order and from any thread; a sink makes something of it:
 * the ledger sums both sides up.  lane: the worker that speaks; lanes never share a counter.
 */
#ifndef XFSCK_REPAIR_SINK_H
#define XFSCK_REPAIR_SINK_H

#include "geometry.h"
#include "hash.h"
#include "libxfs/btree.h"
#include "libxfs/dinode.h"

/* Somebody uses blocks [agbno, agbno + len) of an AG. */
struct claim {
	agno_t agno;
	agbno_t agbno;
	uint32_t len;
	uint64_t owner;	 /* inode number or OWNER_* */
	uint64_t offset; /* block in the fork; 0 for special owners and bmbt blocks */
	uint8_t flags;	 /* RMAP_* */
};

/* A directory names an inode. */
struct entry_fact {
	xino_t directory;
	uint32_t directory_gen;
	bool metadata;	  /* the directory belongs to the metadata tree */
	bool dot, dotdot; /* `.` or `..`: no name */
	uint8_t ftype;	  /* FT_UNKNOWN: the directory doesn't say */
	xino_t target;
	uint64_t name_hash; /* hash_name() under the sink's key */
};

struct sink_ops {
	void (*claim)(void *ctx, unsigned lane, const struct claim *claim);
	/* a record of the free-space btree `kind` */
	void (*free_extent)(void *ctx, unsigned lane, enum btree_kind kind, agno_t agno,
			    const struct alloc_record *record);
	void (*rmap)(void *ctx, unsigned lane, agno_t agno, const struct rmap_record *record);
	void (*refcount)(void *ctx, unsigned lane, agno_t agno, const struct refcount_record *record);
	/* a record of inobt or finobt */
	void (*chunk)(void *ctx, unsigned lane, enum btree_kind kind, agno_t agno, const struct inobt_record *record);
	/* an inode in use */
	void (*inode)(void *ctx, unsigned lane, const struct dinode *inode);
	void (*entry)(void *ctx, unsigned lane, const struct entry_fact *entry);
	/* a parent pointer in child's attributes */
	void (*pptr)(void *ctx, unsigned lane, xino_t child, xino_t parent, uint32_t parent_gen, uint64_t name_hash);
	/* an AGI bucket or an unlinked inode points to this one */
	void (*unlinked)(void *ctx, unsigned lane, agno_t agno, agino_t agino);
	/* the superblock names this inode: no directory does */
	void (*rooted)(void *ctx, unsigned lane, xino_t ino, bool metadata);
};

struct sink {
	const struct sink_ops *ops;
	void *ctx;
	const struct hash_key *key; /* for name_hash */
};

#endif
