/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes btree blocks of every kind: the six of each AG (short pointers), the bmbt and those of realtime groups (long
 * pointers).  One decoder visits the records of a leaf, or the children of a node with what is expected of them.  A row
 * per btree describes its records and keys (ondisk 03, 05 and 09).
 */
#ifndef XFSCK_LIBXFS_BTREE_H
#define XFSCK_LIBXFS_BTREE_H

#include <stddef.h>

#include "check.h"
#include "libxfs/bmap.h"

/* A key as numbers that compare word by word; unused words are 0.
 *   bnobt {startblock, blockcount}   cntbt {blockcount, startblock}   inobt, finobt {startino}
 *   rmapbt {startblock, owner, offset with the attr and bmbt flags}
 *   refcountbt {startblock with the CoW bit}   bmbt {startoff} */
struct btkey {
	uint64_t k[3];
};

/* Returns <0, 0 or >0 if a sorts before, with or after b. */
int btkey_cmp(const struct btkey *a, const struct btkey *b);

/* special owners of rmap records: ondisk 03 */
#define OWNER_FS     ((uint64_t)-3)
#define OWNER_LOG    ((uint64_t)-4)
#define OWNER_AG     ((uint64_t)-5)
#define OWNER_INOBT  ((uint64_t)-6)
#define OWNER_INODES ((uint64_t)-7)
#define OWNER_REFC   ((uint64_t)-8)
#define OWNER_COW    ((uint64_t)-9)

#define RMAP_ATTR      1u
#define RMAP_BMBT      2u
#define RMAP_UNWRITTEN 4u

struct alloc_record { /* bnobt, cntbt */
	agbno_t start;
	uint32_t len; /* blocks */
};

struct inobt_record { /* inobt, finobt */
	agino_t start;
	uint16_t holemask; /* bit h: inodes 4h .. 4h+3 don't exist */
	uint8_t count;	   /* inodes that exist */
	uint8_t freecount;
	uint64_t free; /* bit i: inode start+i is free (holes included) */
};

/* Bit i is set if inode i of a chunk exists (inobt.c). */
uint64_t inobt_existing(uint16_t holemask);

struct rmap_record {
	agbno_t start;
	uint32_t len;	 /* blocks */
	uint64_t owner;	 /* inode number or OWNER_* */
	uint64_t offset; /* blocks, 0 for special owners and bmbt blocks */
	uint8_t flags;	 /* RMAP_* */
};

struct refcount_record {
	agbno_t start; /* without the CoW bit */
	uint32_t len;  /* blocks */
	uint32_t refcount;
	bool cow; /* copy-on-write staging extent */
};

union btree_record {
	struct alloc_record alloc;
	struct inobt_record inobt;
	struct rmap_record rmap;
	struct refcount_record refcount;
	struct bmap_record bmap;
};

/* What the parent (or header, or inode) says about a block before it is read. */
struct btree_expect {
	enum btree_kind kind;
	agno_t agno;   /* AG that the block lies in */
	uint32_t rgno; /* BT_RTRMAP, BT_RTREFC: realtime group of the btree */
	agbno_t agbno;
	uint64_t owner;			/* AG trees: the AG number; others: the inode number */
	const struct bmap_rules *rules; /* BT_BMAP only: rules for the extents of this fork */
	uint8_t level;			/* 0: leaf */
	bool root;	/* the root, or the only child of a root in an inode: no siblings, any number of records */
	bool unsure;	/* level comes from an AG header, which may be wrong: the block's own level counts */
	bool keys_ok;	/* of a child: its key is in order, and its parent is the expected block; else it may loop */
	bool has_low;	/* the first key of the block must be low */
	bool has_bound; /* every key in the block must be below bound; without a bound there must be no right sibling */
	bool has_high;	/* rmapbt: the highest key in the subtree must be high */
	struct btkey low;
	struct btkey bound;
	struct btkey high;
};

/*
 * The expectations for a block, of block_size bytes, of which only the place is known: level and siblings are taken
 * from it.  The geometry must have such btrees.
 */
struct btree_expect btree_expect_alone(const struct geometry *g, enum btree_kind kind, agno_t agno, agbno_t agbno,
				       uint64_t owner, const void *block);

struct btree_visitor {
	void *ctx;
	void (*record)(void *ctx, const union btree_record *record, uint32_t index);
	/* child is complete: kind, agno, agbno, owner, rules, level, keys; its pointer is valid */
	void (*child)(void *ctx, const struct btree_expect *child);
	/* NULL, or called for a child with an invalid pointer: all but its address is set as above */
	void (*lost)(void *ctx, const struct btree_expect *child);
};

/* Callbacks that do nothing. */
void btree_ignore_record(void *ctx, const union btree_record *record, uint32_t index);
void btree_ignore_child(void *ctx, const struct btree_expect *child);

/* The properties of a block that btree_decode() finds. */
struct btree_block {
	uint32_t numrecs;
	/* siblings as stored: agbno, or fsbno for the bmbt; NULL_FSBNO, whatever the width: none */
	uint64_t left;
	uint64_t right;
	uint8_t level; /* as expected; if expect->unsure, as stored */
	bool keys_ok;  /* keys are in order and as expected, so its children are its own; else the btree may loop */
};

/*
 * Checks a block of block_size bytes and visits its records or children.  Reports a wrong checksum, uuid, owner,
 * address, LSN or key, and goes on.  False, with nothing visited: magic, level or numrecs make the contents
 * meaningless, or owner or first key as well as the address show that it is another block.  Invalid records and
 * pointers are reported and not visited; an inobt record with wrong counts is visited with the right ones.  *ret_block
 * is set when true is returned.
 */
bool btree_decode(const struct check *c, const void *block, const struct btree_expect *expect,
		  const struct btree_visitor *visitor, struct btree_block *ret_block);

/*
 * Like btree_decode(), for the root of a bmbt or a realtime btree in an inode's fork of fork_size bytes (ondisk 05,
 * bmdr; 09).  expect has owner, kind, and rules or rgno; sets numrecs in *ret_block, and *ret_level, the level of the
 * root: 0 if the records are in it, which is never the case in a bmbt.
 */
bool bmdr_decode(const struct check *c, const void *fork, size_t fork_size, const struct btree_expect *expect,
		 const struct btree_visitor *visitor, struct btree_block *ret_block, uint8_t *ret_level);

/* True for the btrees of realtime groups. */
static inline bool btree_is_rt(enum btree_kind kind)
{
	return kind == BT_RTRMAP || kind == BT_RTREFC;
}

/* Fills g->btree[] from block size, features and AG size; called by sb_decode(). ondisk 03, 02 (maxlevels), 05. */
void btree_limits(struct geometry *g);

#endif
