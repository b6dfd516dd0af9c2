/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees of realtime groups with their root in a fork: read back by the decoder, whatever their size. */
#include <stdlib.h>

#include "btrees.h"
#include "libxfs/btree_build.h"

#define FORK_SIZE   240u
#define FIRST_BLOCK 5000u

struct tree {
	struct geometry geo;
	enum btree_kind kind;
	struct btree_shape shape;
	uint64_t *blocks;
	struct btree_child *children;
	uint8_t *bytes;
	uint8_t fork[FORK_SIZE];

	struct reported reported;
	uint64_t seen;
	uint32_t blocks_seen;
};

static void nth_record(void *ctx, uint64_t index, union btree_record *record)
{
	const struct tree *t = ctx;
	uint32_t n = (uint32_t)index;

	if (t->kind == BT_RTRMAP)
		record->rmap = (struct rmap_record){ { 4 + n / 2 }, 1, 500 + n % 2, 1000 + n, 0 };
	else
		record->refcount = (struct refcount_record){ { 4 + 2 * n }, 1, 2 + n % 5, false };
}

static void build(struct tree *t, enum btree_kind kind, uint64_t records, enum btree_slack slack)
{
	struct btree_build b = { .geo = &t->geo, .kind = kind, .owner = INO, .source = nth_record, .ctx = t };

	t->kind = kind;
	assert_true(bmdr_shape(&t->geo, kind, records, slack, FORK_SIZE, &t->shape));
	t->blocks = calloc(t->shape.blocks + 1, sizeof(*t->blocks));
	t->children = calloc(t->shape.blocks + 1, sizeof(*t->children));
	t->bytes = calloc(t->shape.blocks + 1, t->geo.block_size);
	assert_true(t->blocks && t->children && t->bytes);
	for (uint32_t i = 0; i < t->shape.blocks; i++)
		t->blocks[i] = fsbno_of(&t->geo, (agno_t){ AGNO }, (agbno_t){ FIRST_BLOCK + i }).v;
	b.shape = t->shape;
	b.blocks = t->blocks;
	b.children = t->children;
	for (uint32_t i = 0; i < t->shape.blocks; i++)
		btree_build_next(&b, t->bytes + (size_t)i * t->geo.block_size);
	memset(t->fork, 0x5a, sizeof(t->fork));
	bmdr_build(&b, t->fork, FORK_SIZE);
}

static void same_record(void *ctx, const union btree_record *record, uint32_t index)
{
	struct tree *t = ctx;
	union btree_record want = { 0 };

	(void)index;
	nth_record(t, t->seen++, &want);
	if (t->kind == BT_RTRMAP) {
		assert_int_equal(record->rmap.start.v, want.rmap.start.v);
		assert_true(record->rmap.owner == want.rmap.owner && record->rmap.offset == want.rmap.offset);
	} else {
		assert_int_equal(record->refcount.start.v, want.refcount.start.v);
		assert_int_equal(record->refcount.refcount, want.refcount.refcount);
	}
}

static void visit_child(void *ctx, const struct btree_expect *child)
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

static void read_back(struct tree *t, uint64_t records)
{
	struct check c = { &t->geo, reported_add, &t->reported };
	const struct btree_visitor visitor = { .ctx = t, .record = same_record, .child = visit_child };
	const struct btree_expect root = { .kind = t->kind, .owner = INO };
	struct btree_block found;
	uint8_t level;

	assert_true(bmdr_decode(&c, t->fork, FORK_SIZE, &root, &visitor, &found, &level));
	assert_int_equal(t->reported.count, 0);
	assert_int_equal(level, t->shape.levels);
	assert_int_equal(t->blocks_seen, t->shape.blocks);
	assert_true(t->seen == records);
}

static void tear_down(struct tree *t)
{
	free(t->blocks);
	free(t->children);
	free(t->bytes);
}

static void trees_of_both_kinds_and_all_sizes_are_read_back(void **state)
{
	/* inline up to 9 mappings or 19 shared extents; 4 or 14 children of the root */
	static const uint64_t sizes[] = { 0, 1, 9, 10, 19, 20, 167, 168, 500, 668, 669, 2000, 4690, 4691, 8000 };

	(void)state;
	for (size_t i = 0; i < 4 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct tree t = { .geo = btrees_geometry() };

		t.geo.rgblocks = 1 << 14;
		build(&t, i & 1 ? BT_RTRMAP : BT_RTREFC, sizes[i / 4], i & 2 ? SLACK_NONE : SLACK_USUAL);
		read_back(&t, sizes[i / 4]);
		tear_down(&t);
	}
}

static void records_that_fit_lie_in_the_root(void **state)
{
	struct tree t = { .geo = btrees_geometry() };

	(void)state;
	build(&t, BT_RTRMAP, 9, SLACK_USUAL);
	assert_int_equal(t.shape.blocks, 0);
	assert_int_equal(t.fork[1], 0);	    /* level */
	assert_int_equal(t.fork[3], 9);	    /* records */
	assert_int_equal(t.fork[4 + 3], 4); /* start of the first */
	tear_down(&t);
}

static void root_leads_to_as_many_blocks_as_fit(void **state)
{
	struct tree t = { .geo = btrees_geometry() };

	(void)state;
	build(&t, BT_RTRMAP, 4 * 167, SLACK_NONE);
	assert_int_equal(t.shape.blocks, 4);
	assert_int_equal(t.fork[1], 1);
	assert_int_equal(t.fork[3], 4);
	/* pointers behind room for 4 keys of 40 bytes: (240 - 4) / (40 + 8) */
	assert_int_equal(t.fork[4 + 4 * 40 + 7], FIRST_BLOCK & 0xff);
	tear_down(&t);
	build(&t, BT_RTRMAP, 4 * 167 + 1, SLACK_NONE);
	assert_int_equal(t.shape.blocks, 6);
	assert_int_equal(t.fork[1], 2);
	assert_int_equal(t.fork[3], 1);
	tear_down(&t);
}

static void trees_that_would_be_too_high_are_refused(void **state)
{
	struct geometry g = btrees_geometry();
	struct btree_shape shape;

	(void)state;
	g.btree[BT_RTRMAP].max_level = 2;
	assert_true(bmdr_shape(&g, BT_RTRMAP, 4 * 167, SLACK_NONE, FORK_SIZE, &shape));
	assert_false(bmdr_shape(&g, BT_RTRMAP, 4 * 167 + 1, SLACK_NONE, FORK_SIZE, &shape));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_of_both_kinds_and_all_sizes_are_read_back),
		cmocka_unit_test(records_that_fit_lie_in_the_root),
		cmocka_unit_test(root_leads_to_as_many_blocks_as_fit),
		cmocka_unit_test(trees_that_would_be_too_high_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
