/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/blocks/mend_own.c: which of its own blocks a rebuilt object can use, and when they are written. */
#include <errno.h>

#include "nothing_free.h"

static void take_is(struct nothing_free *f, uint32_t want, uint32_t agbno, uint32_t len)
{
	nothing_free_assert_take(f, want, nothing_free_block(f, agbno), len);
}

static void all_blocks_of_the_fork_are_handed_out_once_in_order(void **state)
{
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	nothing_free_extent(&f, 0, 200, 3);
	nothing_free_extent(&f, 5, 100, 4);
	nothing_free_extent(&f, 9, 102, 3); /* some of these again */
	nothing_free_node(&f, 150, true);
	nothing_free_assert_none_free(&f);
	assert_true(mend_own_begin(&f.m, &f.inode, DATA_FORK));
	take_is(&f, 2, 100, 2);
	take_is(&f, 9, 102, 3);
	take_is(&f, 9, 150, 1);
	take_is(&f, 3, 200, 3);
	nothing_free_assert_none_free(&f);
	assert_int_equal(mend_own_end(&f.m, true, 0), 0);
	nothing_free_assert_none_free(&f);
	assert_true(mend_space_took(&f.m, nothing_free_block(&f, 103), false));
	assert_false(mend_space_took(&f.m, nothing_free_block(&f, 105), false));
	nothing_free_close(&f);
}

static void what_another_has_got_is_not_handed_out(void **state)
{
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	nothing_free_extent(&f, 0, 100, 4);
	nothing_free_lose(&f, 101);
	assert_true(mend_own_begin(&f.m, &f.inode, DATA_FORK));
	take_is(&f, 9, 100, 1);
	take_is(&f, 9, 102, 2);
	nothing_free_assert_none_free(&f);
	assert_int_equal(mend_own_end(&f.m, true, 0), 0);
	nothing_free_close(&f);
}

/* The last block of the last group is handed out, the one after it is not. */
static void what_lies_outside_is_not_handed_out(void **state)
{
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	nothing_free_extent(&f, 0, NOTHING_FREE_LEN - 1, 3);
	assert_true(mend_own_begin(&f.m, &f.inode, DATA_FORK));
	take_is(&f, 9, NOTHING_FREE_LEN - 1, 1);
	nothing_free_assert_none_free(&f);
	assert_int_equal(mend_own_end(&f.m, true, 0), 0);
	nothing_free_close(&f);
}

static void one_object_at_a_time_and_none_of_realtime_blocks(void **state)
{
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	assert_true(mend_own_begin(&f.m, &f.inode, DATA_FORK));
	assert_false(mend_own_begin(&f.m, &f.inode, DATA_FORK));
	assert_int_equal(mend_own_end(&f.m, false, -EIO), -EIO); /* for an object that did not begin */
	assert_non_null(f.m.own);
	assert_int_equal(mend_own_end(&f.m, true, 0), 0);
	assert_null(f.m.own);
	f.inode.inode.fork[DATA_FORK].rules.realtime = true;
	assert_false(mend_own_begin(&f.m, &f.inode, DATA_FORK));
	nothing_free_close(&f);
}

static uint64_t staged(const struct nothing_free *f)
{
	return device_staged(f->scratch.device, LAYER_MEND);
}

static void what_is_written_waits_until_the_object_is_whole(void **state)
{
	static const uint8_t block[4096] = { 7 };

	(void)state;
	for (int error = 0; error >= -ENOSPC; error -= ENOSPC) {
		struct nothing_free f;
		uint64_t offset;
		uint8_t now[4096];

		nothing_free_open(&f);
		offset = bytes_of_daddr(daddr_of_fsbno(&f.rc.geo, nothing_free_block(&f, 100)));
		nothing_free_extent(&f, 0, 100, 1);
		assert_true(mend_own_begin(&f.m, &f.inode, DATA_FORK));
		/* before an old block was handed out there is no reason to wait */
		assert_int_equal(mend_own_write(&f.m, block, 0, sizeof(block)), 0);
		assert_true(staged(&f) > 0);
		take_is(&f, 1, 100, 1);
		assert_int_equal(mend_own_write(&f.m, block, offset, sizeof(block)), 0);
		assert_int_equal(mend_read(&f.m, now, offset, sizeof(now)), 0);
		assert_int_equal(now[0], scratch_byte(offset));
		assert_int_equal(mend_own_end(&f.m, true, error), error);
		assert_int_equal(mend_read(&f.m, now, offset, sizeof(now)), 0);
		assert_int_equal(now[0], error ? scratch_byte(offset) : 7);
		nothing_free_close(&f);
	}
}

static void a_block_says_whose_it_is_and_where_it_lies(void **state)
{
	const xino_t ino = { 131 }, other = { 132 };
	struct nothing_free f;
	fsbno_t at;
	uint8_t byte[512];
	uint64_t offset;

	(void)state;
	nothing_free_open(&f);
	at = nothing_free_block(&f, 100);
	offset = bytes_of_daddr(daddr_of_fsbno(&f.rc.geo, at));
	assert_false(mend_own_says(&f.m, ino, at));
	nothing_free_dir_block(&f, 131, 100, 100, 4096);
	assert_true(mend_own_says(&f.m, ino, at));
	assert_false(mend_own_says(&f.m, other, at));
	assert_false(mend_own_says(&f.m, ino, nothing_free_block(&f, 101)));
	nothing_free_dir_block(&f, 131, 100, 101, 4096);
	assert_false(mend_own_says(&f.m, ino, at));
	nothing_free_dir_block(&f, 131, 100, 100, 4096);
	assert_int_equal(mend_read(&f.m, byte, offset, sizeof(byte)), 0);
	byte[511] ^= 1;
	assert_int_equal(mend_write(&f.m, byte, offset, sizeof(byte)), 0);
	assert_false(mend_own_says(&f.m, ino, at)); /* its checksum is wrong */
	nothing_free_dir_block(&f, 131, 100, 100, 16384);
	assert_false(mend_own_says(&f.m, ino, at));
	f.rc.geo.dir_block_size = 16384;
	assert_true(mend_own_says(&f.m, ino, at));
	nothing_free_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_blocks_of_the_fork_are_handed_out_once_in_order),
		cmocka_unit_test(what_another_has_got_is_not_handed_out),
		cmocka_unit_test(what_lies_outside_is_not_handed_out),
		cmocka_unit_test(one_object_at_a_time_and_none_of_realtime_blocks),
		cmocka_unit_test(what_is_written_waits_until_the_object_is_whole),
		cmocka_unit_test(a_block_says_whose_it_is_and_where_it_lies),
	};

	return cmocka_run_group_tests_name("mend_own", tests, NULL, NULL);
}
