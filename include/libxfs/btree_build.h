/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building btrees whole, from sorted records: how many blocks they take, and what is in each (ondisk 03; 05 and 09 for
 * trees with long pointers); and building single blocks of a tree that stands.  The caller has the blocks and the
 * memory; nothing is read.
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

/* How full blocks are made. */
enum btree_slack {
	SLACK_USUAL, /* three quarters, as other tools do, to leave room before the first split */
	SLACK_NONE,  /* as full as possible, if space is short */
};

/*
 * Compute the shape of a tree of so many records: every block but the root is at least half full, and the root is a
 * leaf if all records fit into one.  False: the tree would be too high.
 */
bool btree_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		 struct btree_shape *ret_shape);

/* The keys that a block's parent holds of it. */
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
 * Build the next block, which belongs at blocks[done]: all block_size bytes are set, with a checksum and LSN 0.  To be
 * called shape.blocks times.
 */
void btree_build_next(struct btree_build *build, uint8_t *block);

/* The place of a block in a tree. */
struct btree_spot {
	const struct geometry *geo;
	enum btree_kind kind; /* not BT_BMAP */
	agno_t agno;	      /* of trees with short pointers */
	uint64_t owner;	      /* AG number, or inode */
	uint64_t self;	      /* agbno or fsbno, as the siblings are */
	uint64_t left, right; /* NULL_FSBNO: none */
};

/* The key by which records are in order, which a parent has of the first one in a leaf. */
struct btkey btree_key_of(const struct geometry *g, enum btree_kind kind, const union btree_record *record);
/* Extend the keys of a block by those of its next child; first: it is the first one. */
void btree_child_add(struct btree_child *block, const struct btree_child *child, bool first);
/*
 * Make a leaf of the records from number `first` on: all block_size bytes are set, with LSN 0 and no checksum yet.
 * *ret_child: the keys that its parent has for it; untouched if it has no records.
 */
void btree_leaf_make(const struct btree_spot *spot, btree_source *source, void *ctx, uint64_t first, uint32_t numrecs,
		     uint8_t *block, struct btree_child *ret_child);
/* Whether a leaf has the contents that btree_leaf_make() has made, a right checksum, and an LSN before the head of the
 * log. */
bool btree_leaf_same(const struct geometry *g, enum btree_kind kind, const uint8_t *block, const uint8_t *made);
/* Set the keys of one child of a node.  True: they were others.  The checksum stays as it is: see btree_seal(). */
bool btree_node_put(const struct geometry *g, enum btree_kind kind, uint8_t *block, uint32_t index,
		    const struct btree_child *child);
/* Put the right checksum, if the version has one, into a block. */
void btree_seal(const struct geometry *g, enum btree_kind kind, uint8_t *block);

/*
 * Compute the shape of a tree of a realtime group, whose root lies in an inode's fork of fork_size bytes.  If all
 * records fit into the root, the tree has no blocks; else the blocks of its highest level are the root's children.
 */
bool bmdr_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		uint32_t fork_size, struct btree_shape *ret_shape);
/* Build the root when all blocks have been built; all bytes of the fork are set. */
void bmdr_build(struct btree_build *build, uint8_t *fork, uint32_t fork_size);

#endif
