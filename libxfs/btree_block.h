/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts of the btree decoder: btree.c, btree_leaf.c, btree_node.c, bmdr.c. */
#ifndef XFSCK_BTREE_BLOCK_H
#define XFSCK_BTREE_BLOCK_H

#include "btree_type.h"

/* Reports two keys by the first word in which they differ, or by their first word. */
void btree_key_problem(const struct check *c, enum finding finding, uint32_t offset, uint32_t index,
		       const struct btkey *got, const struct btkey *want);

/* Reads a block number or owner of `size` bytes, the width of the btree's pointers.  All ones become NULL_FSBNO. */
uint64_t btree_number_get(const uint8_t *p, unsigned size);

/*
 * Resolves a pointer of the block that `from` describes.  False, with nothing set: the target can't belong to a btree,
 * or is the block itself.
 */
bool btree_follow(const struct geometry *g, const struct btree_expect *from, uint64_t pointer, agno_t *ret_agno,
		  agbno_t *ret_agbno);

struct btree_leaf {
	const uint8_t *bytes; /* of the whole block or fork */
	uint32_t records;     /* byte offset of the first */
	uint32_t numrecs;
	bool complete; /* false: there are more records, which are skipped */
};

/* Checks and visits the records of a leaf; clears *keys_ok if any are out of order. */
void btree_leaf_visit(const struct check *c, const struct btree_leaf *leaf, const struct btree_expect *expect,
		      const struct btree_visitor *visitor, bool *keys_ok);

struct btree_node {
	const uint8_t *bytes; /* of the whole block or fork */
	uint32_t keys;	      /* byte offsets of the arrays */
	uint32_t ptrs;
	uint32_t numrecs;
	uint8_t level;
	bool unsure; /* the level is uncertain, see struct btree_expect */
};

/* Checks keys and pointers of a node and visits its children; clears *keys_ok if any keys are wrong. */
void btree_node_visit(const struct check *c, const struct btree_node *node, const struct btree_expect *expect,
		      const struct btree_visitor *visitor, bool *keys_ok);

#endif
