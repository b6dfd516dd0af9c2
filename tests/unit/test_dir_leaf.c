/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dirs.h"

#define LEAF1 0x3df1
#define LEAFN 0x3dff

/* Hashes 10, 20, 20, 30, the third one stale; leaf1: three data blocks, the second one a hole. */
static void make(struct dirs *d, uint16_t magic)
{
	uint32_t end;

	dirs_init(d, 12, 0, 0);
	end = d->geo.dir_block_size;
	d->expect.dablk.v = leaf_space(d);
	put_da_header(d, magic, 4);
	put16(d->block + 58, 1);
	put_leaf(d->block + 64, 10, 64 / 8);
	put_leaf(d->block + 72, 20, (4096 - 16) / 8);
	put_leaf(d->block + 80, 20, 0);
	put_leaf(d->block + 88, 30, (2 * 4096 + 512) / 8);
	if (magic != LEAF1)
		return;
	put32(d->block + end - 4, 3);
	put16(d->block + end - 4 - 6, 0);
	put16(d->block + end - 4 - 4, 0xffff);
	put16(d->block + end - 4 - 2, 4096 - 64);
}

static bool decode(struct dirs *d, struct dir_leaf *leaf)
{
	struct check c = dirs_check(d);

	seal(d, 12);
	return dir_leaf_decode(&c, d->block, &d->expect, remember_leaf, d, leaf);
}

static void sound_leaf1_is_accepted_and_its_live_entries_visited(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	make(&d, LEAF1);
	assert_true(decode(&d, &leaf));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nleaves, 3);
	assert_int_equal(d.leaves[1].hash, 20);
	assert_int_equal(d.leaves[1].address, (4096 - 16) / 8);
	assert_true(leaf.leaf1);
	assert_int_equal(leaf.count, 4);
	assert_int_equal(leaf.stale, 1);
	assert_int_equal(leaf.first_hash, 10);
	assert_int_equal(leaf.last_hash, 30);
	assert_int_equal(leaf.nbests, 3);
	assert_int_equal(be16_get(leaf.bests[2]), 4096 - 64);
}

static void sound_leafn_is_accepted_anywhere_in_the_leaf_space(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	make(&d, LEAFN);
	assert_true(decode(&d, &leaf)); /* alone, as the root */
	assert_int_equal(d.reported.count, 0);
	assert_false(leaf.leaf1);
	assert_int_equal(leaf.nbests, 0);

	d.expect.dablk.v = leaf_space(&d) + 9;
	put32(d.block, leaf_space(&d) + 3);
	put32(d.block + 4, leaf_space(&d) + 4);
	assert_true(decode(&d, &leaf));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nleaves, 3);
	assert_int_equal(leaf.forw.v, leaf_space(&d) + 3);
	assert_int_equal(leaf.back.v, leaf_space(&d) + 4);
}

static void full_leafn_is_sound_and_one_more_entry_is_reported(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;
	uint32_t max = (4096 - 64) / 8;

	(void)state;
	make(&d, LEAFN);
	for (uint32_t i = 0; i < max; i++)
		put_leaf(d.block + 64 + 8 * i, i, 0);
	put16(d.block + 56, max);
	put16(d.block + 58, max);
	assert_true(decode(&d, &leaf));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nleaves, 0);

	put16(d.block + 56, max + 1);
	assert_false(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_COUNT, max + 1, max);
}

static void leaf_that_is_neither_kind_is_reported(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	make(&d, LEAF1);
	put16(d.block + 8, 0x3ebe);
	assert_false(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_BLOCK_MAGIC, 0x3ebe, LEAFN);
	assert_int_equal(d.nleaves, 0);
}

static void leaf1_away_from_the_root_is_reported(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	make(&d, LEAF1);
	d.expect.dablk.v = leaf_space(&d) + 1;
	assert_false(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_BLOCK_MAGIC, LEAF1, LEAFN);
}

static void wrong_stale_count_is_reported(void **state)
{
	static const uint16_t wrong[] = { 0, 2, 5, 0x8001 };
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	for (int i = 0; i < 4; i++) {
		make(&d, LEAFN);
		put16(d.block + 58, wrong[i]);
		assert_true(decode(&d, &leaf));
		assert_reported_once(&d.reported, F_DIR_LEAF_STALE, wrong[i], 1);
		assert_int_equal(d.nleaves, 3);
	}
}

static void hash_out_of_order_is_reported_once_even_at_a_stale_entry(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	make(&d, LEAFN);
	put32(d.block + 80, 40);
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_ORDER, 30, 40);
	assert_int_equal(d.reported.problems[0].index, 3);
	assert_int_equal(d.nleaves, 3);

	make(&d, LEAFN);
	put32(d.block + 80, 5);
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_ORDER, 5, 20);
}

static void address_in_a_header_or_too_close_to_the_end_is_reported(void **state)
{
	static const uint32_t wrong[] = { 1, 7, 4096 / 8 + 7, (4096 - 8) / 8, UINT32_MAX };
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	for (int i = 0; i < 5; i++) {
		make(&d, LEAFN);
		put32(d.block + 68, wrong[i]);
		assert_true(decode(&d, &leaf));
		assert_reported_once(&d.reported, F_DIR_LEAF_ADDRESS, wrong[i], 0);
		assert_int_equal(d.reported.problems[0].index, 0);
		assert_int_equal(d.reported.problems[0].offset, 68);
		assert_int_equal(d.nleaves, 2);
	}
}

static void stale_entry_that_got_an_impossible_address_is_reported_once(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	make(&d, LEAFN);
	put32(d.block + 84, 3);
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_ADDRESS, 3, 0);
}

static void address_in_a_block_that_bests_dont_know_is_reported(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;
	uint32_t hole = (4096 + 512) / 8, beyond = (3 * 4096 + 512) / 8;

	(void)state;
	make(&d, LEAF1);
	put32(d.block + 68, hole);
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_ADDRESS, hole, 0);

	make(&d, LEAF1);
	put32(d.block + 92, beyond);
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_ADDRESS, beyond, 0);
}

static void best_that_no_data_block_can_have_is_reported(void **state)
{
	static const uint16_t wrong[] = { 12, 4096 - 56, 0xfff8 };
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	for (int i = 0; i < 3; i++) {
		make(&d, LEAF1);
		put16(d.block + 4096 - 6, wrong[i]);
		assert_true(decode(&d, &leaf));
		assert_reported_once(&d.reported, F_DIR_LEAF_BESTS, wrong[i], 0);
		assert_int_equal(d.reported.problems[0].index, 2);
		assert_int_equal(d.nleaves, 3);
	}
}

static void bestcount_without_room_is_reported_and_the_entries_visited(void **state)
{
	static const uint32_t wrong[] = { 0, (4096 - 64 - 4) / 2 + 1, 0x80000003 };
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	for (int i = 0; i < 3; i++) {
		make(&d, LEAF1);
		put32(d.block + 4092, wrong[i]);
		assert_true(decode(&d, &leaf));
		assert_reported_once(&d.reported, F_DIR_LEAF_BESTCOUNT, wrong[i], (4096 - 64 - 4) / 2);
		assert_int_equal(d.nleaves, 3);
		assert_int_equal(leaf.nbests, 0);
	}
}

static void of_two_counts_that_exclude_each_other_the_one_against_the_order_is_wrong(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	make(&d, LEAF1);
	put32(d.block + 4092, (4096 - 64 - 4) / 2 - 12); /* bests would begin in the fourth entry */
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_BESTCOUNT, 2002, 1998);
	assert_int_equal(d.nleaves, 3);

	make(&d, LEAF1);
	put16(d.block + 56, 503); /* the last ones would be bests */
	assert_false(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_COUNT, 503, 502);
}

/* V4: header of 16 bytes, stale at 14; two entries, one of them stale, and one data block. */
static void leaf1_of_v4_has_a_short_header(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;

	(void)state;
	dirs_init_v4(&d, 9, 0, 0, false);
	d.expect.dablk.v = leaf_space(&d);
	put_da_header(&d, 0xd2f1, 2);
	put16(d.block + 14, 1);
	put_leaf(d.block + 16, 10, 16 / 8);
	put_leaf(d.block + 24, 20, 0);
	put32(d.block + 508, 1);
	put16(d.block + 506, 512 - 16);
	assert_true(decode(&d, &leaf));
	assert_int_equal(d.reported.count, 0);
	assert_true(leaf.leaf1);
	assert_int_equal(leaf.count, 2);
	assert_int_equal(d.nleaves, 1);
	assert_int_equal(d.leaves[0].hash, 10);
	assert_int_equal(d.leaves[0].address, 2);
	assert_int_equal(be16_get(leaf.bests[0]), 512 - 16);

	put16(d.block + 506, 512 - 8); /* more than there is after the header */
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_BESTS, 512 - 8, 0);

	put16(d.block + 506, 0);
	put32(d.block + 20, 8 / 8); /* in the header */
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_ADDRESS, 1, 0);

	put32(d.block + 20, 16 / 8);
	put16(d.block + 14, 2);
	assert_true(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_STALE, 2, 1);
	assert_int_equal(d.reported.problems[0].offset, 14);
}

static void full_leafn_of_v4_is_sound_and_one_more_entry_is_reported(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;
	uint32_t max = (512 - 16) / 8;

	(void)state;
	dirs_init_v4(&d, 9, 0, 0, true);
	d.expect.dablk.v = leaf_space(&d) + 1;
	put_da_header(&d, 0xd2ff, max);
	put16(d.block + 14, max);
	for (uint32_t i = 0; i < max; i++)
		put_leaf(d.block + 16 + 8 * i, i, 0);
	assert_true(decode(&d, &leaf));
	assert_int_equal(d.reported.count, 0);

	put16(d.block + 12, max + 1);
	assert_false(decode(&d, &leaf));
	assert_reported_once(&d.reported, F_DIR_LEAF_COUNT, max + 1, max);
	assert_int_equal(d.reported.problems[0].offset, 12);
}

/* Blocks of 64 KiB: offsets, lengths and counts need all of their 16 bits. */
static void largest_leafn_is_sound(void **state)
{
	struct dirs d;
	struct dir_leaf leaf;
	uint32_t max = (65536 - 64) / 8;

	(void)state;
	dirs_init(&d, 16, 0, 0);
	d.expect.dablk.v = leaf_space(&d) + 1;
	put_da_header(&d, LEAFN, max);
	for (uint32_t i = 0; i < max; i++)
		put_leaf(d.block + 64 + 8 * i, i, (65536 - 16) / 8);
	assert_true(decode(&d, &leaf));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(leaf.count, max);
	assert_int_equal(d.nleaves, max);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_leaf1_is_accepted_and_its_live_entries_visited),
		cmocka_unit_test(sound_leafn_is_accepted_anywhere_in_the_leaf_space),
		cmocka_unit_test(full_leafn_is_sound_and_one_more_entry_is_reported),
		cmocka_unit_test(leaf_that_is_neither_kind_is_reported),
		cmocka_unit_test(leaf1_away_from_the_root_is_reported),
		cmocka_unit_test(wrong_stale_count_is_reported),
		cmocka_unit_test(hash_out_of_order_is_reported_once_even_at_a_stale_entry),
		cmocka_unit_test(address_in_a_header_or_too_close_to_the_end_is_reported),
		cmocka_unit_test(stale_entry_that_got_an_impossible_address_is_reported_once),
		cmocka_unit_test(address_in_a_block_that_bests_dont_know_is_reported),
		cmocka_unit_test(best_that_no_data_block_can_have_is_reported),
		cmocka_unit_test(bestcount_without_room_is_reported_and_the_entries_visited),
		cmocka_unit_test(of_two_counts_that_exclude_each_other_the_one_against_the_order_is_wrong),
		cmocka_unit_test(leaf1_of_v4_has_a_short_header),
		cmocka_unit_test(full_leafn_of_v4_is_sound_and_one_more_entry_is_reported),
		cmocka_unit_test(largest_leafn_is_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
