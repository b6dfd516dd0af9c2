/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rts.h"

static struct rts sound(void)
{
	struct rts r = { .geo = rts_geometry(true) };

	store(r.block, 0x46726f67, 4);
	memcpy(r.block + 12, "twelve bytes", 12);
	memset(r.block + 24, 0x11, 16);
	memset(r.block + 40, 0xa5, 16);
	put_crc(&r);
	return r;
}

static void check_it(struct rts *r)
{
	const struct check c = { &r->geo, reported_add, &r->reported };

	memset(&r->reported, 0, sizeof(r->reported));
	rtsb_check(&c, r->block);
}

static void names_of_the_file_system_are_sound(void **state)
{
	struct rts r = sound();

	(void)state;
	check_it(&r);
	assert_int_equal(r.reported.count, 0);
}

static void each_byte_that_differs_is_reported_once(void **state)
{
	static const struct {
		uint32_t offset;
		enum finding finding;
	} faults[] = {
		{ 0, F_BLOCK_MAGIC }, { 8, F_RTSB_PAD },     { 12, F_RTSB_FNAME },     { 23, F_RTSB_FNAME },
		{ 24, F_RTSB_UUID },  { 39, F_RTSB_UUID },   { 40, F_RTSB_META_UUID }, { 55, F_RTSB_META_UUID },
		{ 56, F_RTSB_TAIL },  { 4095, F_RTSB_TAIL },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct rts r = sound();

		r.block[faults[i].offset] ^= 0x40;
		put_crc(&r);
		check_it(&r);
		assert_int_equal(r.reported.count, 1);
		assert_int_equal(r.reported.problems[0].finding, faults[i].finding);
	}
}

static void checksum_covers_the_whole_block(void **state)
{
	struct rts r = sound();

	(void)state;
	r.block[4] ^= 1;
	check_it(&r);
	assert_int_equal(r.reported.count, 1);
	assert_int_equal(r.reported.problems[0].finding, F_BLOCK_CRC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_file_system_are_sound),
		cmocka_unit_test(each_byte_that_differs_is_reported_once),
		cmocka_unit_test(checksum_covers_the_whole_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
