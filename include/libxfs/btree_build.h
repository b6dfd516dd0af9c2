/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds whole btrees from sorted records: the number of blocks, and the contents of each (ondisk 03; 05 and 09 for
 * btrees with long pointers).  Also builds single blocks of an existing btree.  The caller provides blocks and memory;
 * nothing is read.
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

/* How full blocks are filled. */
enum btree_slack {
	SLACK_USUAL, /* three quarters, as other tools do, to leave room before the first split */
	SLACK_NONE,  /* completely, if space is short */
};

/*
 * Computes the shape of a btree of that many records.  Every block but the root is at least half full, and the root is
 * a leaf if all records fit into one.  False: the btree would be too high.
 */
bool btree_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		 struct btree_shape *ret_shape);

/* The keys of a block in its parent. */
struct btree_child {
	struct btkey low;
	struct btkey high;
};

/* Returns record number `index`; called once for each, in ascending order. */
typedef void btree_source(void *ctx, uint64_t index, union btree_record *ret_record);

struct btree_build {
	const struct geometry *geo;
	enum btree_kind kind; /* not BT_BMAP */
	agno_t agno;	      /* of btrees with short pointers */
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
 * Builds the next block, which belongs at blocks[done].  Sets all block_size bytes, with a checksum and LSN 0.  To be
 * called shape.blocks times.
 */
void btree_build_next(struct btree_build *build, uint8_t *block);

/* The place of a block in a btree. */
struct btree_spot {
	const struct geometry *geo;
	enum btree_kind kind; /* not BT_BMAP */
	agno_t agno;	      /* of btrees with short pointers */
	uint64_t owner;	      /* AG number, or inode */
	uint64_t self;	      /* agbno or fsbno, as the siblings are */
	uint64_t left, right; /* NULL_FSBNO: none */
};

/* The sort key of a record, which is the parent's key if the record is the first of a leaf. */
struct btkey btree_key_of(const struct geometry *g, enum btree_kind kind, const union btree_record *record);
/* Extends the keys of a block by those of its next child; first: it is the first one. */
void btree_child_add(struct btree_child *block, const struct btree_child *child, bool first);
/*
 * Builds a leaf of the records from number `first` on.  Sets all block_size bytes, with LSN 0 and without a checksum.
 * *ret_child: the keys of the leaf in its parent; unchanged if there are no records.
 */
void btree_leaf_make(const struct btree_spot *spot, btree_source *source, void *ctx, uint64_t first, uint32_t numrecs,
		     uint8_t *block, struct btree_child *ret_child);
/*
 * True if a leaf has the contents that btree_leaf_make() built, a right checksum, and an LSN before the head of the
 * log.
 */
bool btree_leaf_same(const struct geometry *g, enum btree_kind kind, const uint8_t *block, const uint8_t *made);
/* Sets the keys of one child of a node.  True: they have changed.  The checksum is not updated: see btree_seal(). */
bool btree_node_put(const struct geometry *g, enum btree_kind kind, uint8_t *block, uint32_t index,
		    const struct btree_child *child);
/* Sets the checksum of a block, if the version has one. */
void btree_seal(const struct geometry *g, enum btree_kind kind, uint8_t *block);

/*
 * Computes the shape of a realtime group's btree, whose root lies in an inode's fork of fork_size bytes.  If all
 * records fit into the root, the btree has no blocks; else the root's children are the blocks of its highest level.
 */
bool bmdr_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		uint32_t fork_size, struct btree_shape *ret_shape);
/* Builds the root after all blocks, and sets all bytes of the fork. */
void bmdr_build(struct btree_build *build, uint8_t *fork, uint32_t fork_size);

#endif
