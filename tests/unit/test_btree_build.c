/* SPDX-License-Identifier: GPL-2.0-or-later */
/* New btrees: byte for byte by ondisk 03, and read back by the decoder. */
#include "built_trees.h"

/* Records of every kind, a function of their number: apart from each other, in order. */
static void nth_record(void *ctx, uint64_t index, union btree_record *record)
{
	const struct tree *t = ctx;
	uint32_t n = (uint32_t)index;

	switch (t->kind) {
	case BT_BNO:
		record->alloc = (struct alloc_record){ { 1 + 3 * n }, 1 + n % 2 };
		break;
	case BT_CNT:
		record->alloc = (struct alloc_record){ { 1 + n % 100 }, 1 + n / 100 };
		break;
	case BT_INO:
	case BT_FINO:
		record->inobt = (struct inobt_record){
			{ 64 + 64 * n }, n % 2 ? 0xff00 : 0, n % 2 ? 32 : 64, 1, n % 2 ? 0xffffffff00000001 : 0x10
		};
		break;
	case BT_RMAP:
		record->rmap = (struct rmap_record){ { 1 + 2 * (n / 2) }, 2 - (n & 1), 500 + n % 2, 1000 - n % 7, 0 };
		break;
	default:
		record->refcount = (struct refcount_record){ { 1 + 2 * n }, 1, 2 + n % 5, false };
	}
}

static void shape_must(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack)
{
	struct btree_shape shape;
	uint64_t items = records, sum = 0;

	assert_true(btree_shape(g, kind, records, slack, &shape));
	assert_true(shape.records == records);
	for (uint32_t level = 0; level < shape.levels; level++) {
		uint32_t max = level ? g->btree[kind].node_max : g->btree[kind].leaf_max;
		uint32_t width = shape.width[level];

		assert_true((items + width - 1) / width <= max);
		assert_true(level + 1 == shape.levels ? width == 1 : width > 1);
		if (width > 1)
			assert_true(items / width >= max / 2);
		sum += width;
		items = width;
	}
	assert_int_equal(shape.blocks, sum);
}

static void every_block_but_the_root_is_at_least_half_full(void **state)
{
	struct geometry g = btrees_geometry();

	(void)state;
	for (uint32_t max = 4; max < 40; max++) {
		g.btree[BT_BNO].leaf_max = max;
		g.btree[BT_BNO].node_max = max / 2 + 2;
		g.btree[BT_BNO].max_level = BTREE_LEVELS_MAX;
		for (uint64_t records = 0; records < 3000; records++) {
			shape_must(&g, BT_BNO, records, SLACK_USUAL);
			shape_must(&g, BT_BNO, records, SLACK_NONE);
		}
	}
}

static void usual_slack_leaves_a_quarter_of_each_leaf(void **state)
{
	struct geometry g = btrees_geometry();
	struct btree_shape shape;

	(void)state;
	assert_true(btree_shape(&g, BT_BNO, 37800, SLACK_USUAL, &shape));
	assert_int_equal(shape.width[0], 100); /* of 378 records: (505 + 252) / 2 */
	assert_true(btree_shape(&g, BT_BNO, 37875, SLACK_NONE, &shape));
	assert_int_equal(shape.width[0], 75);
	assert_int_equal(shape.levels, 2);
	assert_int_equal(shape.blocks, 76);
}

static void trees_that_would_be_too_high_are_refused(void **state)
{
	struct geometry g = btrees_geometry();
	struct btree_shape shape;

	(void)state;
	assert_true(btree_shape(&g, BT_BNO, 505, SLACK_NONE, &shape));
	assert_true(btree_shape(&g, BT_BNO, 336 * 505, SLACK_NONE, &shape));
	assert_false(btree_shape(&g, BT_BNO, 336 * 505 + 1, SLACK_NONE, &shape));
	assert_false(btree_shape(&g, BT_BNO, UINT64_MAX, SLACK_USUAL, &shape));
}

static void build(struct tree *t, enum btree_kind kind, uint64_t records, enum btree_slack slack)
{
	struct btree_build b = { .geo = &t->geo, .kind = kind, .agno = { AGNO }, .owner = AGNO };

	t->kind = kind;
	t->source = nth_record;
	t->records = records;
	assert_true(btree_shape(&t->geo, kind, records, slack, &t->shape));
	set_up(t);
	for (uint32_t i = 0; i < t->shape.blocks; i++)
		t->blocks[i] = FIRST_BLOCK + i;
	build_blocks(t, &b);
}

static void read_back(struct tree *t)
{
	struct btree_expect root = { .kind = t->kind, .agno = { AGNO }, .owner = AGNO, .root = true };

	root.agbno.v = FIRST_BLOCK + t->shape.blocks - 1;
	root.level = (uint8_t)(t->shape.levels - 1);
	visit_child(t, &root);
	assert_all_seen(t);
}

static void trees_of_all_kinds_and_sizes_are_read_back(void **state)
{
	static const uint64_t sizes[] = { 0, 1, 2, 91, 168, 169, 252, 253, 505, 506, 1000, 5000, 6000 };

	(void)state;
	for (enum btree_kind kind = 0; kind < BT_AG_NR; kind++) {
		for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct tree t = { .geo = btrees_geometry() };
			uint64_t records = sizes[i / 2];

			if (kind == BT_INO || kind == BT_FINO)
				records %= 2500;
			build(&t, kind, records, i % 2 ? SLACK_NONE : SLACK_USUAL);
			read_back(&t);
			tear_down(&t);
		}
	}
}

static void leaf_is_as_the_format_says(void **state)
{
	struct tree t = { .geo = btrees_geometry() };
	struct btrees by_hand;

	(void)state;
	build(&t, BT_BNO, 3, SLACK_USUAL);
	start(&by_hand, BT_BNO, 0);
	put_alloc(&by_hand, 1, 1);
	put_alloc(&by_hand, 4, 2);
	put_alloc(&by_hand, 7, 1);
	put64(by_hand.block + 16, (AGNO * (uint64_t)AG_LEN + FIRST_BLOCK) * 8);
	by_hand.expect.agbno.v = FIRST_BLOCK;
	assert_true(decode(&by_hand)); /* which puts the checksum */
	assert_int_equal(by_hand.reported.count, 0);
	assert_memory_equal(t.bytes, by_hand.block, sizeof(by_hand.block));
	tear_down(&t);
}

static void node_of_the_rmapbt_is_as_the_format_says(void **state)
{
	struct tree t = { .geo = btrees_geometry() };
	uint8_t *root;

	(void)state;
	build(&t, BT_RMAP, 169, SLACK_USUAL); /* 85 and 84 */
	assert_int_equal(t.shape.blocks, 3);
	root = t.bytes + 2 * 4096;
	assert_int_equal(root[5], 1);		 /* level */
	assert_int_equal(root[7], 2);		 /* records */
	assert_int_equal(root[56 + 3], 1);	 /* lowest block */
	assert_int_equal(root[56 + 11], 0xf4);	 /* owner 500 */
	assert_int_equal(root[56 + 23], 86);	 /* highest block: record 83 is 83, 84 reaches to 86 */
	assert_int_equal(root[56 + 40 + 3], 85); /* the second leaf begins with record 85 */
	assert_int_equal(root[56 + 91 * 40 + 2], FIRST_BLOCK >> 8); /* after as many keys as fit */
	assert_int_equal(root[56 + 91 * 40 + 7], (FIRST_BLOCK + 1) & 0xff);
	assert_int_equal(t.bytes[12 + 2], (FIRST_BLOCK + 1) >> 8); /* right sibling of the first leaf */
	assert_int_equal(t.bytes[4096 + 8 + 3], FIRST_BLOCK & 0xff);
	tear_down(&t);
}

static void version_4_has_short_headers_and_no_checksum(void **state)
{
	struct tree t = { .geo = btrees_geometry() };
	struct btrees by_hand;

	(void)state;
	start_v4(&by_hand, BT_BNO, 0);
	put_alloc(&by_hand, 1, 1);
	put_alloc(&by_hand, 4, 2);
	t.geo = by_hand.geo;
	build(&t, BT_BNO, 2, SLACK_USUAL);
	assert_memory_equal(t.bytes, by_hand.block, sizeof(by_hand.block));
	tear_down(&t);
}

static void chunks_without_sparse_inodes_have_a_wide_count(void **state)
{
	struct tree t = { .geo = btrees_geometry() };
	static const uint8_t record[16] = { 0, 0, 0, 64, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x10 };

	(void)state;
	t.geo.sparse = false;
	build(&t, BT_INO, 1, SLACK_USUAL);
	assert_memory_equal(t.bytes + 56, record, sizeof(record));
	tear_down(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_block_but_the_root_is_at_least_half_full),
		cmocka_unit_test(usual_slack_leaves_a_quarter_of_each_leaf),
		cmocka_unit_test(trees_that_would_be_too_high_are_refused),
		cmocka_unit_test(trees_of_all_kinds_and_sizes_are_read_back),
		cmocka_unit_test(leaf_is_as_the_format_says),
		cmocka_unit_test(node_of_the_rmapbt_is_as_the_format_says),
		cmocka_unit_test(version_4_has_short_headers_and_no_checksum),
		cmocka_unit_test(chunks_without_sparse_inodes_have_a_wide_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
