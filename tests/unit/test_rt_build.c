/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of the realtime section: byte for byte by ondisk 09, and read back by their decoders. */
#include "rts.h"
#include "libxfs/rt_build.h"

static void nothing_free(void *ctx, uint64_t start, uint32_t len)
{
	remember(ctx, start, len, 0);
}

static void counter_seen(void *ctx, uint32_t level, uint32_t block, uint32_t count)
{
	remember(ctx, level, block, count);
}

static void block_of_the_bitmap_is_as_the_format_says(void **state)
{
	struct rts by_hand = rts_new(true, RTBITMAP_MAGIC);
	uint32_t words[1024] = { 0x80000001, 6 };
	uint8_t block[4096];

	(void)state;
	memset(block, 0x5a, sizeof(block));
	rt_build_block(&by_hand.geo, block, RTBITMAP_MAGIC, &by_hand.expect, words);
	store(by_hand.block + 24, 0, 8); /* no LSN */
	put_word(&by_hand, 0, 0x80000001);
	put_word(&by_hand, 1, 6);
	put_crc(&by_hand);
	assert_memory_equal(block, by_hand.block, sizeof(block));
}

static void older_form_is_words_alone(void **state)
{
	struct rts by_hand = rts_new(false, 0);
	uint32_t words[1024] = { [0] = 0x80000001, [1023] = 6 };
	uint8_t block[4096];

	(void)state;
	rt_build_block(&by_hand.geo, block, RTBITMAP_MAGIC, &by_hand.expect, words);
	put_word(&by_hand, 0, 0x80000001);
	put_word(&by_hand, 1023, 6);
	assert_memory_equal(block, by_hand.block, sizeof(block));
}

static void blocks_are_read_back(void **state)
{
	struct rts r = rts_new(true, 0);
	const struct check c = { &r.geo, reported_add, &r.reported };
	uint32_t words[1024] = { 0xf0, 3 };

	(void)state;
	rt_build_block(&r.geo, r.block, RTBITMAP_MAGIC, &r.expect, words);
	assert_true(rtbitmap_decode(&c, r.block, &r.expect, nothing_free, &r));
	assert_int_equal(r.count, 2);
	assert_seen(&r, 0, 4, 4, 0);
	assert_seen(&r, 1, 32, 2, 0);
	r.count = 0;
	rt_build_block(&r.geo, r.block, RTSUMMARY_MAGIC, &r.expect, words);
	assert_true(rtsummary_decode(&c, r.block, &r.expect, counter_seen, &r));
	assert_int_equal(r.count, 2);
	assert_seen(&r, 0, 0, 0, 0xf0);
	assert_seen(&r, 1, 1, 0, 3);
	assert_int_equal(r.reported.count, 0);
}

static void superblock_is_read_back(void **state)
{
	struct rts r = { .geo = rts_geometry(true) };
	const struct check c = { &r.geo, reported_add, &r.reported };

	(void)state;
	memset(r.block, 0x5a, sizeof(r.block));
	rt_build_sb(&r.geo, r.block);
	rtsb_check(&c, r.block);
	assert_int_equal(r.reported.count, 0);
	assert_memory_equal(r.block + 12, "twelve bytes", 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(block_of_the_bitmap_is_as_the_format_says),
		cmocka_unit_test(older_form_is_words_alone),
		cmocka_unit_test(blocks_are_read_back),
		cmocka_unit_test(superblock_is_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
