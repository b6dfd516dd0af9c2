/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

#define COW 0x80000000u

static void put_refcount(struct btrees *b, uint32_t agbno, uint32_t len, uint32_t refcount)
{
	uint8_t *p = put_record(b, 12);

	put32(p, agbno);
	put32(p + 4, len);
	put32(p + 8, refcount);
}

static void check_one(struct btrees *b, uint32_t agbno, uint32_t len, uint32_t refcount)
{
	start(b, BT_REFC, 0);
	put_refcount(b, agbno, len, refcount);
	assert_true(decode(b));
}

static void shared_extents_come_before_staging_extents(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_REFC, 0);
	put_refcount(&b, 200, 10, 2);
	put_refcount(&b, 210, 10, UINT32_MAX);
	put_refcount(&b, 9000, 10, 2);
	put_refcount(&b, COW | 100, 10, 1);
	put_refcount(&b, COW | 110, 10, 1);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 5);
	assert_int_equal(b.records[1].refcount.start.v, 210);
	assert_int_equal(b.records[1].refcount.len, 10);
	assert_true(b.records[1].refcount.refcount == UINT32_MAX);
	assert_false(b.records[1].refcount.cow);
	assert_int_equal(b.records[3].refcount.start.v, 100);
	assert_true(b.records[3].refcount.cow);

	start(&b, BT_REFC, 0);
	put_refcount(&b, COW | 100, 10, 1);
	put_refcount(&b, 200, 10, 2);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_ORDER, 200, COW | 100);
	assert_int_equal(b.nrecords, 2);
}

static void count_of_a_shared_extent_is_two_at_least(void **state)
{
	struct btrees b;

	(void)state;
	for (uint32_t refcount = 0; refcount < 2; refcount++) {
		check_one(&b, 200, 10, refcount);
		assert_reported_once(&b.reported, F_REFCOUNT_SHARED, refcount, 2);
		assert_int_equal(b.reported.problems[0].offset, 56 + 8);
		assert_int_equal(b.nrecords, 0);
	}
}

static void count_of_a_staging_extent_is_one(void **state)
{
	struct btrees b;

	(void)state;
	for (uint32_t refcount = 0; refcount < 4; refcount += 2) {
		check_one(&b, COW | 200, 10, refcount);
		assert_reported_once(&b.reported, F_REFCOUNT_COW, refcount, 1);
		assert_int_equal(b.nrecords, 0);
	}
}

static void range_outside_of_the_ag_is_reported(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 0, 10, 2);
	assert_reported_once(&b.reported, F_REFCOUNT_START, 0, 1);
	check_one(&b, COW | AG_LEN, 10, 1);
	assert_reported_once(&b.reported, F_REFCOUNT_START, AG_LEN, AG_LEN - 1);
	check_one(&b, AG_LEN - 5, 6, 2);
	assert_reported_once(&b.reported, F_REFCOUNT_LENGTH, 6, 5);
	check_one(&b, COW | 200, 0, 1);
	assert_reported_once(&b.reported, F_REFCOUNT_LENGTH, 0, AG_LEN - 200);
	assert_int_equal(b.nrecords, 0);
}

static void extents_that_overlap_are_reported(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_REFC, 0);
	put_refcount(&b, 200, 11, 2);
	put_refcount(&b, 210, 10, 3);
	put_refcount(&b, COW | 300, 11, 1);
	put_refcount(&b, COW | 310, 10, 1);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 2);
	assert_int_equal(reported_times(&b.reported, F_BTREE_OVERLAP), 2);
	assert_int_equal(b.reported.problems[0].index, 1);
	assert_int_equal(b.reported.problems[1].index, 3);
}

static void records_that_could_be_one_are_sound(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_REFC, 0);
	put_refcount(&b, 200, 10, 2);
	put_refcount(&b, 210, 10, 2);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
}

static void keys_in_nodes_have_the_staging_bit(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_REFC, 1);
	put32(b.block + 56, 5000);
	put32(b.block + 60, COW | 100);
	put32(b.block + 56 + 505 * 4, 201);
	put32(b.block + 56 + 505 * 4 + 4, 202);
	put16(b.block + 6, 2);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 2);
	assert_true(b.children[1].low.k[0] == (COW | 100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_extents_come_before_staging_extents),
		cmocka_unit_test(count_of_a_shared_extent_is_two_at_least),
		cmocka_unit_test(count_of_a_staging_extent_is_one),
		cmocka_unit_test(range_outside_of_the_ag_is_reported),
		cmocka_unit_test(extents_that_overlap_are_reported),
		cmocka_unit_test(records_that_could_be_one_are_sound),
		cmocka_unit_test(keys_in_nodes_have_the_staging_bit),
	};

	return cmocka_run_group_tests_name("refcountbt", tests, NULL, NULL);
}
