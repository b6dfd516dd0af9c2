/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dirs.h"

#define MAX_BESTS ((4096 - 64) / 2)

/* The third block of the free index: five slots, one of them of a hole. */
static void make(struct dirs *d)
{
	static const uint16_t bests[] = { 0, 16, 0xffff, 4096 - 64, 1000 };

	dirs_init(d, 12, 0, 0);
	d->expect.dablk.v = free_space(d) + 2;
	put_dir_header(d, 0x58444633);
	put32(d->block + 48, 2 * MAX_BESTS);
	put32(d->block + 52, 5);
	put32(d->block + 56, 4);
	for (int i = 0; i < 5; i++)
		put16(d->block + 64 + 2 * i, bests[i]);
}

static bool decode(struct dirs *d, struct dir_free *index)
{
	struct check c = dirs_check(d);

	seal(d, 4);
	return dir_free_decode(&c, d->block, &d->expect, index);
}

static void sound_block_is_accepted(void **state)
{
	struct dirs d;
	struct dir_free index;

	(void)state;
	make(&d);
	assert_true(decode(&d, &index));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(index.firstdb, 2 * MAX_BESTS);
	assert_int_equal(index.nvalid, 5);
	assert_int_equal(index.nused, 4);
	assert_int_equal(be16_get(index.bests[4]), 1000);
}

static void full_block_is_sound_and_one_more_slot_is_reported(void **state)
{
	struct dirs d;
	struct dir_free index;

	(void)state;
	make(&d);
	memset(d.block + 64, 0, 4096 - 64);
	put32(d.block + 52, MAX_BESTS);
	put32(d.block + 56, MAX_BESTS);
	assert_true(decode(&d, &index));
	assert_int_equal(d.reported.count, 0);

	put32(d.block + 52, MAX_BESTS + 1);
	assert_false(decode(&d, &index));
	assert_reported_once(&d.reported, F_DIR_FREE_NVALID, MAX_BESTS + 1, MAX_BESTS);
}

static void wrong_magic_is_no_free_index(void **state)
{
	struct dirs d;
	struct dir_free index;

	(void)state;
	make(&d);
	put32(d.block, 0);
	assert_false(decode(&d, &index));
	assert_reported_once(&d.reported, F_BLOCK_MAGIC, 0, 0x58444633);
}

static void firstdb_that_does_not_fit_the_place_is_reported(void **state)
{
	static const uint32_t wrong[] = { 0, MAX_BESTS, 2 * MAX_BESTS + 1, UINT32_MAX };
	struct dirs d;
	struct dir_free index;

	(void)state;
	for (int i = 0; i < 4; i++) {
		make(&d);
		put32(d.block + 48, wrong[i]);
		assert_true(decode(&d, &index));
		assert_reported_once(&d.reported, F_DIR_FREE_FIRSTDB, wrong[i], 2 * MAX_BESTS);
	}
}

static void place_counts_in_directory_blocks(void **state)
{
	struct dirs d;
	struct dir_free index;
	uint32_t max = (16384 - 64) / 2;

	(void)state;
	dirs_init(&d, 12, 2, 0);
	d.expect.dablk.v = free_space(&d) + 4;
	put_dir_header(&d, 0x58444633);
	put32(d.block + 48, max);
	put32(d.block + 52, 1);
	put32(d.block + 56, 1);
	put16(d.block + 64, 16384 - 64);
	assert_true(decode(&d, &index));
	assert_int_equal(d.reported.count, 0);
}

static void wrong_count_of_used_slots_is_reported(void **state)
{
	static const uint32_t wrong[] = { 0, 3, 5, UINT32_MAX };
	struct dirs d;
	struct dir_free index;

	(void)state;
	for (int i = 0; i < 4; i++) {
		make(&d);
		put32(d.block + 56, wrong[i]);
		assert_true(decode(&d, &index));
		assert_reported_once(&d.reported, F_DIR_FREE_NUSED, wrong[i], 4);
	}
}

static void count_of_slots_that_cuts_some_off_is_told_by_those_in_use(void **state)
{
	struct dirs d;
	struct dir_free index;

	(void)state;
	make(&d);
	put32(d.block + 52, 4);
	assert_true(decode(&d, &index));
	assert_reported_once(&d.reported, F_DIR_FREE_NUSED, 4, 3);
}

static void slot_that_no_data_block_can_have_is_reported(void **state)
{
	static const uint16_t wrong[] = { 12, 4096 - 56, 0xfffe };
	struct dirs d;
	struct dir_free index;

	(void)state;
	for (int i = 0; i < 3; i++) {
		make(&d);
		put16(d.block + 64 + 2 * 3, wrong[i]);
		assert_true(decode(&d, &index));
		assert_reported_once(&d.reported, F_DIR_FREE_BESTS, wrong[i], 0);
		assert_int_equal(d.reported.problems[0].index, 3);
		assert_int_equal(d.reported.problems[0].offset, 70);
	}
}

/* V4: the range at 4, slots from 16 on; directory blocks of two 512-byte blocks. */
static void block_of_v4_has_more_slots(void **state)
{
	struct dirs d;
	struct dir_free index;
	uint32_t max = (1024 - 16) / 2;

	(void)state;
	dirs_init_v4(&d, 9, 1, 0, false);
	d.expect.dablk.v = free_space(&d) + 2;
	put_dir_header(&d, 0x58443246);
	put32(d.block + 4, max);
	put32(d.block + 8, max);
	put32(d.block + 12, max);
	for (uint32_t i = 0; i < max; i++)
		put16(d.block + 16 + 2 * i, 1024 - 16);
	assert_true(decode(&d, &index));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(index.firstdb, max);
	assert_int_equal(index.nvalid, max);
	assert_int_equal(be16_get(index.bests[max - 1]), 1024 - 16);

	put32(d.block + 4, max + 1);
	assert_true(decode(&d, &index));
	assert_reported_once(&d.reported, F_DIR_FREE_FIRSTDB, max + 1, max);
	assert_int_equal(d.reported.problems[0].offset, 4);

	put32(d.block + 4, max);
	put32(d.block + 12, 3);
	assert_true(decode(&d, &index));
	assert_reported_once(&d.reported, F_DIR_FREE_NUSED, 3, max);
	assert_int_equal(d.reported.problems[0].offset, 12);

	put32(d.block + 8, max + 1);
	assert_false(decode(&d, &index));
	assert_reported_once(&d.reported, F_DIR_FREE_NVALID, max + 1, max);
	assert_int_equal(d.reported.problems[0].offset, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_block_is_accepted),
		cmocka_unit_test(full_block_is_sound_and_one_more_slot_is_reported),
		cmocka_unit_test(wrong_magic_is_no_free_index),
		cmocka_unit_test(firstdb_that_does_not_fit_the_place_is_reported),
		cmocka_unit_test(place_counts_in_directory_blocks),
		cmocka_unit_test(wrong_count_of_used_slots_is_reported),
		cmocka_unit_test(count_of_slots_that_cuts_some_off_is_told_by_those_in_use),
		cmocka_unit_test(slot_that_no_data_block_can_have_is_reported),
		cmocka_unit_test(block_of_v4_has_more_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
