/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rts.h"

#define MAGIC 0x424d505a

static void free_found(void *ctx, uint64_t start, uint32_t len)
{
	remember(ctx, start, len, 0);
}

static bool decode(struct rts *r)
{
	const struct check c = { &r->geo, reported_add, &r->reported };

	r->count = 0;
	memset(&r->reported, 0, sizeof(r->reported));
	return rtbitmap_decode(&c, r->block, &r->expect, free_found, r);
}

static void set_bits(struct rts *r, uint32_t first, uint32_t count)
{
	uint32_t words[1024] = { 0 };

	for (uint32_t bit = first; bit < first + count; bit++)
		words[bit / 32] |= 1u << bit % 32;
	for (uint32_t i = 0; i < rt_block_words(&r->geo); i++)
		if (words[i])
			put_word(r, i, words[i]);
}

static void nothing_is_free_in_an_empty_block(void **state)
{
	struct rts r = rts_new(false, 0);

	(void)state;
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 0);
	assert_int_equal(r.count, 0);
}

static void runs_begin_with_the_lowest_bit(void **state)
{
	struct rts r = rts_new(false, 0);

	(void)state;
	put_word(&r, 0, 0x1);
	put_word(&r, 1, 0x80000006);
	put_word(&r, 2, 0xffffffff);
	put_word(&r, 3, 0x3);
	put_word(&r, 1023, 0x80000000);
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 0);
	assert_int_equal(r.count, 4);
	assert_seen(&r, 0, 0, 1, 0);
	assert_seen(&r, 1, 33, 2, 0);
	assert_seen(&r, 2, 63, 35, 0);
	assert_seen(&r, 3, 32767, 1, 0);
}

static void runs_of_any_place_and_length_are_found(void **state)
{
	(void)state;
	for (uint32_t first = 0; first < 70; first++) {
		for (uint32_t count = 1; count < 100; count++) {
			struct rts r = rts_new(false, 0);

			set_bits(&r, first, count);
			assert_true(decode(&r));
			assert_int_equal(r.count, 1);
			assert_seen(&r, 0, first, count, 0);
		}
	}
}

static void later_blocks_go_on_counting(void **state)
{
	struct rts r = rts_new(false, 0);

	(void)state;
	r.expect.block = 1;
	set_bits(&r, 7000, 232); /* up to the last of 40000 */
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 0);
	assert_seen(&r, 0, 32768 + 7000, 232, 0);
}

static void bits_behind_the_last_extent_are_reported_and_left_out(void **state)
{
	struct rts r = rts_new(false, 0);

	(void)state;
	r.expect.block = 1;
	put_word(&r, 7232 / 32, 0x80000001);
	assert_true(decode(&r));
	assert_reported_once(&r.reported, F_RTBITMAP_BEYOND, 0x80000001, 0);
	assert_int_equal(r.reported.problems[0].offset, 7232 / 8);
	assert_int_equal(r.count, 0);
}

static void groups_have_a_header_and_big_endian_words(void **state)
{
	struct rts r = rts_new(true, MAGIC);

	(void)state;
	put_word(&r, 0, 0xfffffffe);
	put_crc(&r);
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 0);
	assert_int_equal(r.count, 1);
	assert_seen(&r, 0, 1, 31, 0);
	assert_header_checked(r, decode, MAGIC);
	r.block[4] ^= 1;
	assert_true(decode(&r));
	assert_int_equal(r.reported.count, 1);
	assert_int_equal(r.reported.problems[0].finding, F_BLOCK_CRC);
	assert_int_equal(r.count, 1);
}

static void the_last_group_is_shorter(void **state)
{
	struct rts r = rts_new(true, MAGIC);

	(void)state;
	r.expect.rgno = 2;
	put_word(&r, 31, 0x000001ff); /* 1000 is bit 8 */
	put_crc(&r);
	assert_true(decode(&r));
	assert_reported_once(&r.reported, F_RTBITMAP_BEYOND, 0x1ff, 0xff);
	assert_int_equal(r.count, 1);
	assert_seen(&r, 0, 992, 8, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_free_in_an_empty_block),
		cmocka_unit_test(runs_begin_with_the_lowest_bit),
		cmocka_unit_test(runs_of_any_place_and_length_are_found),
		cmocka_unit_test(later_blocks_go_on_counting),
		cmocka_unit_test(bits_behind_the_last_extent_are_reported_and_left_out),
		cmocka_unit_test(groups_have_a_header_and_big_endian_words),
		cmocka_unit_test(the_last_group_is_shorter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
