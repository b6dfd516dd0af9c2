/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of building btrees: a tree in memory that the decoder reads back record by record. */
#ifndef XFSCK_TESTS_BUILT_TREES_H
#define XFSCK_TESTS_BUILT_TREES_H

#include <stdlib.h>

#include "btrees.h"
#include "libxfs/btree_build.h"

#define FIRST_BLOCK 5000u

struct tree {
	struct geometry geo;
	enum btree_kind kind;
	btree_source *source; /* sets record n by its number and the tree; fields that it does not set are 0 */
	uint64_t records;     /* how many records must be in the tree */
	struct btree_shape shape;
	uint64_t *blocks; /* where each block of the tree lies; the test sets this */
	struct btree_child *children;
	uint8_t *bytes;

	struct reported reported;
	uint64_t seen;
	uint32_t blocks_seen;
};

/* Allocates memory for a tree of the shape that has been set. */
static inline void set_up(struct tree *t)
{
	t->blocks = calloc(t->shape.blocks + 1, sizeof(*t->blocks));
	t->children = calloc(t->shape.blocks + 1, sizeof(*t->children));
	t->bytes = calloc(t->shape.blocks + 1, t->geo.block_size);
	assert_true(t->blocks && t->children && t->bytes);
}

static inline void tear_down(struct tree *t)
{
	free(t->blocks);
	free(t->children);
	free(t->bytes);
}

/* Builds all blocks of the tree into t->bytes; t->children keeps what a root elsewhere may need. */
static inline void build_blocks(struct tree *t, struct btree_build *b)
{
	b->shape = t->shape;
	b->blocks = t->blocks;
	b->children = t->children;
	b->source = t->source;
	b->ctx = t;
	for (uint32_t i = 0; i < t->shape.blocks; i++)
		btree_build_next(b, t->bytes + (size_t)i * t->geo.block_size);
}

static inline void same_record(void *ctx, const union btree_record *record, uint32_t index)
{
	struct tree *t = ctx;
	union btree_record want = { 0 };

	(void)index;
	t->source(t, t->seen++, &want);
	switch (t->kind) {
	case BT_BNO:
	case BT_CNT:
		assert_memory_equal(&record->alloc, &want.alloc, sizeof(want.alloc));
		break;
	case BT_INO:
	case BT_FINO:
		assert_int_equal(record->inobt.start.v, want.inobt.start.v);
		assert_int_equal(record->inobt.holemask, want.inobt.holemask);
		assert_int_equal(record->inobt.freecount, want.inobt.freecount);
		assert_true(record->inobt.free == want.inobt.free);
		break;
	case BT_RMAP:
	case BT_RTRMAP:
		assert_int_equal(record->rmap.start.v, want.rmap.start.v);
		assert_true(record->rmap.owner == want.rmap.owner && record->rmap.offset == want.rmap.offset);
		break;
	default:
		assert_int_equal(record->refcount.start.v, want.refcount.start.v);
		assert_int_equal(record->refcount.refcount, want.refcount.refcount);
	}
}

/* The decoder visits the children from the left, so records come in order. */
static inline void visit_child(void *ctx, const struct btree_expect *child)
{
	struct tree *t = ctx;
	struct check c = { &t->geo, reported_add, &t->reported };
	const struct btree_visitor visitor = { .ctx = t, .record = same_record, .child = visit_child };
	struct btree_block found;
	uint32_t index = child->agbno.v - FIRST_BLOCK;

	assert_int_equal(child->agno.v, AGNO);
	assert_true(index < t->shape.blocks);
	t->blocks_seen++;
	assert_true(btree_decode(&c, t->bytes + (size_t)index * t->geo.block_size, child, &visitor, &found));
}

static inline void assert_all_seen(const struct tree *t)
{
	assert_int_equal(t->reported.count, 0);
	assert_int_equal(t->blocks_seen, t->shape.blocks);
	assert_true(t->seen == t->records);
}

#endif
