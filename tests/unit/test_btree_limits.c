/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

/* The geometry of what the limits depend on. */
static struct geometry make(uint32_t block_log, uint32_t agblock_log, uint32_t agblocks)
{
	return (struct geometry){
		.block_size = 1u << block_log,
		.block_log = (uint8_t)block_log,
		.inopb_log = (uint8_t)(block_log - 9),
		.agblock_log = (uint8_t)agblock_log,
		.agblocks = agblocks,
		.crc = true,
		.reflink = true,
		.nrext64 = true,
	};
}

static void assert_limits(const struct geometry *g, enum btree_kind kind, uint32_t leaf_max, uint32_t node_max,
			  uint32_t max_level)
{
	assert_int_equal(g->btree[kind].leaf_max, leaf_max);
	assert_int_equal(g->btree[kind].node_max, node_max);
	assert_int_equal(g->btree[kind].max_level, max_level);
}

static void blocks_of_4096_bytes_hold_what_ondisk_03_and_05_say(void **state)
{
	struct geometry g = make(12, 15, AG_LEN);

	(void)state;
	btree_limits(&g);
	assert_limits(&g, BT_BNO, 505, 336, 2);
	assert_limits(&g, BT_CNT, 505, 336, 2);
	assert_limits(&g, BT_INO, 252, 505, 2);
	assert_limits(&g, BT_FINO, 252, 505, 2);
	assert_limits(&g, BT_RMAP, 168, 91, 4);
	assert_limits(&g, BT_REFC, 336, 505, 2);
	assert_limits(&g, BT_BMAP, 251, 251, 7);
}

static void small_blocks_make_high_trees(void **state)
{
	struct geometry g = make(10, 17, 81920);

	(void)state;
	btree_limits(&g);
	assert_limits(&g, BT_BNO, 121, 80, 3);
	assert_limits(&g, BT_INO, 60, 121, 3);
	assert_limits(&g, BT_RMAP, 40, 22, 6);
	assert_limits(&g, BT_REFC, 80, 121, 3);
	assert_limits(&g, BT_BMAP, 59, 59, 10);
}

static void large_groups_make_high_trees(void **state)
{
	struct geometry g = make(12, 28, 1u << 28);

	(void)state;
	btree_limits(&g);
	assert_limits(&g, BT_BNO, 505, 336, 4);
	assert_limits(&g, BT_INO, 252, 505, 4);
	assert_limits(&g, BT_RMAP, 168, 91, 6);
	assert_limits(&g, BT_REFC, 336, 505, 4);
}

static void large_blocks_make_low_trees(void **state)
{
	struct geometry g = make(16, 24, 1u << 24);

	(void)state;
	btree_limits(&g);
	assert_limits(&g, BT_BNO, 8185, 5456, 2);
	assert_limits(&g, BT_RMAP, 2728, 1488, 4);
	assert_limits(&g, BT_BMAP, 4091, 4091, 5);
}

static void without_reflink_each_block_has_one_mapping(void **state)
{
	struct geometry g = make(12, 15, AG_LEN);

	(void)state;
	g.reflink = false;
	btree_limits(&g);
	assert_limits(&g, BT_RMAP, 168, 91, 3);
}

static void small_extent_counters_make_lower_maps(void **state)
{
	struct geometry g = make(12, 15, AG_LEN);

	(void)state;
	g.nrext64 = false;
	btree_limits(&g);
	assert_limits(&g, BT_BMAP, 251, 251, 5);
}

static void blocks_of_version_4_hold_more(void **state)
{
	struct geometry g = make(12, 15, AG_LEN);

	(void)state;
	g.crc = g.reflink = g.nrext64 = false;
	btree_limits(&g);
	assert_limits(&g, BT_BNO, 510, 340, 2);
	assert_limits(&g, BT_CNT, 510, 340, 2);
	assert_limits(&g, BT_INO, 255, 510, 2);
	assert_limits(&g, BT_BMAP, 254, 254, 5);
}

static void blocks_of_512_bytes_make_the_highest_trees(void **state)
{
	struct geometry g = make(9, 16, 65536);

	(void)state;
	g.crc = g.reflink = g.nrext64 = false;
	g.inopb_log = 1;
	btree_limits(&g);
	/* 32768 records, 31 in a leaf and 20 in a node at least: 1058, 53, 3, 1 */
	assert_limits(&g, BT_BNO, 62, 41, 4);
	/* 2048 chunks, 15 and 31: 137, 5, 1 */
	assert_limits(&g, BT_INO, 31, 62, 3);
	/* 2^31 - 1 extents, always 15: 143165577, 9544372, 636292, 42420, 2828, 189, 13, 1 */
	assert_limits(&g, BT_BMAP, 30, 30, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_of_4096_bytes_hold_what_ondisk_03_and_05_say),
		cmocka_unit_test(small_blocks_make_high_trees),
		cmocka_unit_test(large_groups_make_high_trees),
		cmocka_unit_test(large_blocks_make_low_trees),
		cmocka_unit_test(without_reflink_each_block_has_one_mapping),
		cmocka_unit_test(small_extent_counters_make_lower_maps),
		cmocka_unit_test(blocks_of_version_4_hold_more),
		cmocka_unit_test(blocks_of_512_bytes_make_the_highest_trees),
	};

	return cmocka_run_group_tests_name("btree_limits", tests, NULL, NULL);
}
