/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

/* Decodes one free extent in a tree of its own. */
static bool decode_one(struct btrees *b, enum btree_kind kind, uint32_t agbno, uint32_t len)
{
	start(b, kind, 0);
	put_alloc(b, agbno, len);
	return decode(b);
}

static void free_extents_anywhere_behind_the_headers_are_sound(void **state)
{
	static const uint32_t extents[][2] = { { 1, 1 }, { 1, AG_LEN - 1 }, { AG_LEN - 1, 1 }, { 7, 100 } };
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(extents) / sizeof(extents[0]); i++) {
		for (enum btree_kind kind = BT_BNO; kind <= BT_CNT; kind++) {
			assert_true(decode_one(&b, kind, extents[i][0], extents[i][1]));
			assert_int_equal(b.reported.count, 0);
			assert_int_equal(b.nrecords, 1);
			assert_int_equal(b.records[0].alloc.start.v, extents[i][0]);
			assert_int_equal(b.records[0].alloc.len, extents[i][1]);
		}
	}
}

static void start_outside_of_the_ag_is_reported(void **state)
{
	struct btrees b;

	(void)state;
	for (enum btree_kind kind = BT_BNO; kind <= BT_CNT; kind++) {
		assert_true(decode_one(&b, kind, 0, 5));
		assert_reported_once(&b.reported, F_ALLOC_START, 0, 1);
		assert_int_equal(b.reported.problems[0].offset, 56);
		assert_int_equal(b.nrecords, 0);
		assert_true(decode_one(&b, kind, AG_LEN, 1));
		assert_reported_once(&b.reported, F_ALLOC_START, AG_LEN, AG_LEN - 1);
		assert_true(decode_one(&b, kind, UINT32_MAX, 1));
		assert_reported_once(&b.reported, F_ALLOC_START, UINT32_MAX, AG_LEN - 1);
	}
}

static void length_zero_or_beyond_the_ag_is_reported(void **state)
{
	static const uint32_t lengths[] = { 0, 481, UINT32_MAX };
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		assert_true(decode_one(&b, BT_BNO, AG_LEN - 480, lengths[i]));
		assert_reported_once(&b.reported, F_ALLOC_LENGTH, lengths[i], 480);
		assert_int_equal(b.reported.problems[0].offset, 60);
		assert_int_equal(b.nrecords, 0);
	}
}

static void last_ag_may_be_shorter(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 0);
	b.geo.agcount = 2;
	b.geo.dblocks = AG_LEN + 1000;
	put_alloc(&b, 990, 11);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_ALLOC_LENGTH, 11, 10);
}

static void neighbours_that_touch_or_overlap_are_reported(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 0);
	put_alloc(&b, 1000, 10);
	put_alloc(&b, 1011, 10);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	for (uint32_t agbno = 1009; agbno <= 1010; agbno++) {
		start(&b, BT_BNO, 0);
		put_alloc(&b, 1000, 10);
		put_alloc(&b, agbno, 10);
		assert_true(decode(&b));
		assert_reported_once(&b.reported, F_BTREE_OVERLAP, agbno, 1011);
		assert_int_equal(b.nrecords, 2);
	}
}

static void cntbt_is_sorted_by_size_first(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_CNT, 0);
	put_alloc(&b, 9000, 10);
	put_alloc(&b, 9500, 10);
	put_alloc(&b, 1000, 11);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);

	start(&b, BT_CNT, 0);
	put_alloc(&b, 1000, 11);
	put_alloc(&b, 9000, 10);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_ORDER, 10, 11);

	start(&b, BT_CNT, 0);
	put_alloc(&b, 9500, 10);
	put_alloc(&b, 9000, 10);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_ORDER, 9000, 9500);
}

static void keys_in_nodes_read_start_first(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_CNT, 1);
	put_entry(&b, 9000ull << 32 | 10, 201);
	put_entry(&b, 1000ull << 32 | 11, 202);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 2);
	assert_true(b.children[1].low.k[0] == 11);
	assert_true(b.children[1].low.k[1] == 1000);
	assert_true(b.children[0].bound.k[0] == 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_extents_anywhere_behind_the_headers_are_sound),
		cmocka_unit_test(start_outside_of_the_ag_is_reported),
		cmocka_unit_test(length_zero_or_beyond_the_ag_is_reported),
		cmocka_unit_test(last_ag_may_be_shorter),
		cmocka_unit_test(neighbours_that_touch_or_overlap_are_reported),
		cmocka_unit_test(cntbt_is_sorted_by_size_first),
		cmocka_unit_test(keys_in_nodes_read_start_first),
	};

	return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}
