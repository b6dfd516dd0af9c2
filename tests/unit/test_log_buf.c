/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers in the log (ondisk 11, "BUF"). */
#include "log_items.h"

enum { FLAGS = 4, LEN = 6, BLKNO = 8, MAP_SIZE = 16, MAP = 20, TYPE_SHIFT = 11, BTREE = 4 };

/* A block of 4096 bytes of which chunks 0, 1 and 31 were logged. */
static void begin(struct item *i, bool be)
{
	item_begin(i, be, BUF, 3, 24);
	item16(i, 0, FLAGS, BTREE << TYPE_SHIFT);
	item16(i, 0, LEN, 8);
	item64(i, 0, BLKNO, 64);
	item32(i, 0, MAP_SIZE, 1);
	item32(i, 0, MAP, 0x80000003);
	set_region_len(i, 1, 256);
	set_region_len(i, 2, 128);
}

static void pieces_are_where_the_map_says(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_buf_position position = { 0 };
		struct log_buf_range range;
		struct log_buf buf;
		struct item i;

		begin(&i, be);
		assert_true(log_buf_decode(&i.c, &i.item, &buf));
		assert_nothing(&i);
		assert_true(buf.daddr.v == 64);
		assert_int_equal(buf.len, 8);
		assert_int_equal(buf.flags, 0);
		assert_int_equal(buf.type, LB_BTREE);
		assert_true(log_buf_next(&i.item, &position, &range));
		assert_int_equal(range.offset, 0);
		assert_int_equal(range.len, 256);
		assert_ptr_equal(range.bytes, i.bytes[1]);
		assert_true(log_buf_next(&i.item, &position, &range));
		assert_int_equal(range.offset, 31 * 128);
		assert_int_equal(range.len, 128);
		assert_ptr_equal(range.bytes, i.bytes[2]);
		assert_false(log_buf_next(&i.item, &position, &range));
	}
}

static void a_run_may_come_in_several_regions(void **state)
{
	struct log_buf_position position = { 0 };
	struct log_buf_range range;
	struct log_buf buf;
	struct item i;

	(void)state;
	begin(&i, false);
	item32(&i, 0, MAP, 0x1c);
	set_region_len(&i, 1, 128);
	set_region_len(&i, 2, 256);
	assert_true(log_buf_decode(&i.c, &i.item, &buf));
	assert_true(log_buf_next(&i.item, &position, &range));
	assert_int_equal(range.offset, 2 * 128);
	assert_true(log_buf_next(&i.item, &position, &range));
	assert_int_equal(range.offset, 3 * 128);
	assert_int_equal(range.len, 256);
	assert_false(log_buf_next(&i.item, &position, &range));
}

static void runs_go_on_across_words_of_the_map(void **state)
{
	struct log_buf_position position = { 0 };
	struct log_buf_range range;
	struct log_buf buf;
	struct item i;

	(void)state;
	item_begin(&i, true, BUF, 2, 28);
	item16(&i, 0, LEN, 16);
	item32(&i, 0, MAP_SIZE, 2);
	item32(&i, 0, MAP, 0x80000000);
	item32(&i, 0, MAP + 4, 1);
	set_region_len(&i, 1, 256);
	assert_true(log_buf_decode(&i.c, &i.item, &buf));
	assert_nothing(&i);
	assert_true(log_buf_next(&i.item, &position, &range));
	assert_int_equal(range.offset, 31 * 128);
	assert_int_equal(range.len, 256);
}

static void of_what_was_cancelled_the_map_does_not_count(void **state)
{
	struct log_buf_position position = { 0 };
	struct log_buf_range range;
	struct log_buf buf;
	struct item i;

	(void)state;
	begin(&i, false);
	item16(&i, 0, FLAGS, 2);
	set_nregions(&i, 1);
	assert_true(log_buf_decode(&i.c, &i.item, &buf));
	assert_nothing(&i);
	assert_int_equal(buf.flags, LOG_BUF_CANCEL);
	assert_false(log_buf_next(&i.item, &position, &range));
	set_nregions(&i, 2);
	assert_false(log_buf_decode(&i.c, &i.item, &buf));
	assert_only(&i, F_LOG_ITEM_REGIONS, 2, 1);
}

static void fields_are_checked(void **state)
{
	static const struct {
		uint8_t offset, size;
		uint64_t value;
		enum finding finding;
		uint64_t got, want;
	} faults[] = {
		{ LEN, 2, 0, F_LOG_ITEM_SECTORS, 64, 0 },
		{ LEN, 2, 129, F_LOG_ITEM_SECTORS, 64, 129 },
		{ LEN, 2, 7, F_LOG_BUF_MAP, 4096, 3584 },
		{ BLKNO, 8, 1ull << 63, F_LOG_ITEM_SECTORS, 1ull << 63, 8 },
		{ FLAGS, 2, 0x20, F_LOG_BUF_FLAGS, 0x20, 0x1f },
		{ FLAGS, 2, 21 << TYPE_SHIFT, F_LOG_BUF_TYPE, 21, 20 },
		{ MAP_SIZE, 4, 2, F_LOG_BUF_MAP_SIZE, 2, 1 },
		{ MAP_SIZE, 4, 0x80000001, F_LOG_BUF_MAP_SIZE, 0x80000001, 1 },
		{ MAP_SIZE, 4, 0, F_LOG_BUF_REGION, 256, 0 },
		{ MAP, 4, 1, F_LOG_BUF_REGION, 256, 128 },
		{ MAP, 4, 3, F_LOG_BUF_REGION, 128, 0 },
		{ MAP, 4, 0x80000103, F_LOG_BUF_REGION, 0, 128 },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof(faults) / sizeof(faults[0]); k++) {
		struct log_buf buf;
		struct item i;

		begin(&i, k % 2);
		put_bytes(&i, 0, faults[k].offset, faults[k].value, faults[k].size);
		assert_false(log_buf_decode(&i.c, &i.item, &buf));
		assert_only(&i, faults[k].finding, faults[k].got, faults[k].want);
	}
}

static void regions_hold_whole_chunks(void **state)
{
	struct log_buf buf;
	struct item i;

	(void)state;
	begin(&i, false);
	set_region_len(&i, 1, 132);
	assert_false(log_buf_decode(&i.c, &i.item, &buf));
	assert_only(&i, F_LOG_BUF_REGION, 132, 256);
	begin(&i, false);
	set_region_len(&i, 2, 0);
	assert_false(log_buf_decode(&i.c, &i.item, &buf));
	assert_only(&i, F_LOG_BUF_REGION, 0, 128);
}

static void a_format_that_is_cut_off_is_reported(void **state)
{
	struct log_buf buf;
	struct item i;

	(void)state;
	begin(&i, false);
	set_region_len(&i, 0, 16);
	assert_false(log_buf_decode(&i.c, &i.item, &buf));
	assert_only(&i, F_LOG_ITEM_LEN, 16, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_where_the_map_says),
		cmocka_unit_test(a_run_may_come_in_several_regions),
		cmocka_unit_test(runs_go_on_across_words_of_the_map),
		cmocka_unit_test(of_what_was_cancelled_the_map_does_not_count),
		cmocka_unit_test(fields_are_checked),
		cmocka_unit_test(regions_hold_whole_chunks),
		cmocka_unit_test(a_format_that_is_cut_off_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
