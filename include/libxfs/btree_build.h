/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building btrees whole, from sorted records: how many blocks they take, and what is in each (ondisk 03; 05 and 09 for
 * trees with long pointers).  The caller has the blocks and the memory; nothing is read.
 */
#ifndef XFSCK_LIBXFS_BTREE_BUILD_H
#define XFSCK_LIBXFS_BTREE_BUILD_H

#include "libxfs/btree.h"

#define BTREE_LEVELS_MAX 16

struct btree_shape {
	uint32_t levels;
	uint32_t blocks;		  /* of all levels */
	uint32_t width[BTREE_LEVELS_MAX]; /* blocks of each level, the leaves first */
	uint64_t records;
};

/* How full blocks are to be. */
enum btree_slack {
	SLACK_USUAL, /* three quarters: room to grow before the first split, as other tools leave it */
	SLACK_NONE,  /* as full as can be: where space is short */
};

/*
 * The shape of a tree of so many records: every block but the root at least half full, the root a leaf if all records
 * fit into one.  False: there can't be so high a tree.
 */
bool btree_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		 struct btree_shape *ret_shape);

/* What a block's parent must know of it. */
struct btree_child {
	struct btkey low;
	struct btkey high;
};

/* Record number `index`; asked for in ascending order, each once. */
typedef void btree_source(void *ctx, uint64_t index, union btree_record *ret_record);

struct btree_build {
	const struct geometry *geo;
	enum btree_kind kind; /* not BT_BMAP */
	agno_t agno;	      /* of trees with short pointers */
	uint64_t owner;	      /* AG number, or inode */
	struct btree_shape shape;
	const uint64_t *blocks; /* shape.blocks of them, agbno or fsbno: the leaves from the left, ..., the root */
	struct btree_child *children; /* room for shape.blocks */
	btree_source *source;
	void *ctx;
	uint32_t done;	    /* blocks; 0 to begin with */
	uint64_t next_item; /* 0 to begin with */
};

/*
 * Fill the next block, which belongs at blocks[done], with block_size bytes, checksum and all, dated with no LSN.  To
 * be called shape.blocks times.
 */
void btree_build_next(struct btree_build *build, uint8_t *block);

/*
 * The same for a tree of a realtime group, whose root lies in an inode's fork of fork_size bytes, with all records if
 * they fit there: then it has no blocks, else its topmost ones are children of the root.
 */
bool bmdr_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		uint32_t fork_size, struct btree_shape *ret_shape);
/* The root, when all blocks have been built; all bytes of the fork are set. */
void bmdr_build(struct btree_build *build, uint8_t *fork, uint32_t fork_size);

#endif
