/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rts.h"

#define MAGIC 0x53554d59

static void counter_found(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count)
{
	remember(ctx, level, bitmap_block, count);
}

static bool decode(struct rts *r)
{
	const struct check c = { &r->geo, reported_add, &r->reported };

	r->count = 0;
	memset(&r->reported, 0, sizeof(r->reported));
	return rtsummary_decode(&c, r->block, &r->expect, counter_found, r);
}

static void counters_are_sorted_by_level_and_bitmap_block(void **state)
{
	struct rts r = rts_new(false, 0);

	(void)state;
	put_word(&r, 0, 9);
	put_word(&r, 3, 8);	     /* level 1, block 1 */
	put_word(&r, 15 * 2 + 1, 1); /* the last one */
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 0);
	assert_int_equal(r.count, 3);
	assert_seen(&r, 0, 0, 0, 9);
	assert_seen(&r, 1, 1, 1, 8);
	assert_seen(&r, 2, 15, 1, 1);
}

static void words_behind_the_last_counter_are_zero(void **state)
{
	struct rts r = rts_new(false, 0);

	(void)state;
	put_word(&r, 32, 5);
	assert_true(decode(&r));
	assert_reported_once(&r.reported, F_RTSUMMARY_BEYOND, 5, 0);
	assert_int_equal(r.reported.problems[0].offset, 128);
	assert_int_equal(r.count, 0);
}

static void no_more_runs_than_fit_are_counted(void **state)
{
	struct rts r = rts_new(false, 0);

	(void)state;
	put_word(&r, 0, 16384); /* every second extent */
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 0);
	put_word(&r, 0, UINT32_MAX);
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 1);
	assert_int_equal(r.reported.problems[0].finding, F_RTSUMMARY_COUNTER);
	assert_int_equal(r.count, 0);
}

static void groups_have_a_header_and_big_endian_words(void **state)
{
	struct rts r = rts_new(true, MAGIC);

	(void)state;
	put_word(&r, 14, 1);
	put_crc(&r);
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 0);
	assert_int_equal(r.count, 1);
	assert_seen(&r, 0, 14, 0, 1);
	assert_header_checked(r, decode, MAGIC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_sorted_by_level_and_bitmap_block),
		cmocka_unit_test(words_behind_the_last_counter_are_zero),
		cmocka_unit_test(no_more_runs_than_fit_are_counted),
		cmocka_unit_test(groups_have_a_header_and_big_endian_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
