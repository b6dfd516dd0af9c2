/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees of realtime groups with their root in a fork: read back by the decoder, whatever their size. */
#include "built_trees.h"

#define FORK_SIZE 240u

/* The root lies in a fork. */
struct rt_tree {
	struct tree tree;
	uint8_t fork[FORK_SIZE];
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

static void build(struct rt_tree *rt, enum btree_kind kind, uint64_t records, enum btree_slack slack)
{
	struct tree *t = &rt->tree;
	struct btree_build b = { .geo = &t->geo, .kind = kind, .owner = INO };

	t->kind = kind;
	t->source = nth_record;
	t->records = records;
	assert_true(bmdr_shape(&t->geo, kind, records, slack, FORK_SIZE, &t->shape));
	set_up(t);
	for (uint32_t i = 0; i < t->shape.blocks; i++)
		t->blocks[i] = fsbno_of(&t->geo, (agno_t){ AGNO }, (agbno_t){ FIRST_BLOCK + i }).v;
	build_blocks(t, &b);
	memset(rt->fork, 0x5a, sizeof(rt->fork));
	bmdr_build(&b, rt->fork, FORK_SIZE);
}

static void read_back(struct rt_tree *rt)
{
	struct tree *t = &rt->tree;
	struct check c = { &t->geo, reported_add, &t->reported };
	const struct btree_visitor visitor = { .ctx = t, .record = same_record, .child = visit_child };
	const struct btree_expect root = { .kind = t->kind, .owner = INO };
	struct btree_block found;
	uint8_t level;

	assert_true(bmdr_decode(&c, rt->fork, FORK_SIZE, &root, &visitor, &found, &level));
	assert_int_equal(level, t->shape.levels);
	assert_all_seen(t);
}

static void trees_of_both_kinds_and_all_sizes_are_read_back(void **state)
{
	/* inline up to 9 mappings or 19 shared extents; 4 or 14 children of the root */
	static const uint64_t sizes[] = { 0, 1, 9, 10, 19, 20, 167, 168, 500, 668, 669, 2000, 4690, 4691, 8000 };

	(void)state;
	for (size_t i = 0; i < 4 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct rt_tree t = { .tree.geo = btrees_geometry() };

		t.tree.geo.rgblocks = 1 << 14;
		build(&t, i & 1 ? BT_RTRMAP : BT_RTREFC, sizes[i / 4], i & 2 ? SLACK_NONE : SLACK_USUAL);
		read_back(&t);
		tear_down(&t.tree);
	}
}

static void records_that_fit_lie_in_the_root(void **state)
{
	struct rt_tree t = { .tree.geo = btrees_geometry() };

	(void)state;
	build(&t, BT_RTRMAP, 9, SLACK_USUAL);
	assert_int_equal(t.tree.shape.blocks, 0);
	assert_int_equal(t.fork[1], 0);	    /* level */
	assert_int_equal(t.fork[3], 9);	    /* records */
	assert_int_equal(t.fork[4 + 3], 4); /* start of the first */
	tear_down(&t.tree);
}

static void root_leads_to_as_many_blocks_as_fit(void **state)
{
	struct rt_tree t = { .tree.geo = btrees_geometry() };

	(void)state;
	build(&t, BT_RTRMAP, 4 * 167, SLACK_NONE);
	assert_int_equal(t.tree.shape.blocks, 4);
	assert_int_equal(t.fork[1], 1);
	assert_int_equal(t.fork[3], 4);
	/* pointers after room for 4 keys of 40 bytes: (240 - 4) / (40 + 8) */
	assert_int_equal(t.fork[4 + 4 * 40 + 7], FIRST_BLOCK & 0xff);
	tear_down(&t.tree);
	build(&t, BT_RTRMAP, 4 * 167 + 1, SLACK_NONE);
	assert_int_equal(t.tree.shape.blocks, 6);
	assert_int_equal(t.fork[1], 2);
	assert_int_equal(t.fork[3], 1);
	tear_down(&t.tree);
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
