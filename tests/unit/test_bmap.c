/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

/* An EXTENTS fork that is built, and the result of decoding it. */
struct extents {
	struct geometry geo;
	struct bmap_rules rules;
	uint8_t fork[336];
	uint32_t count;
	struct reported reported;
	unsigned nrecords;
	struct bmap_record records[32];
};

static void init(struct extents *e)
{
	memset(e, 0, sizeof(*e));
	e->geo = btrees_geometry();
	e->rules = (struct bmap_rules){ .unwritten_ok = true, .max_off = 1ull << 51 };
}

/* The packed record, put together bit by bit as ondisk 05 has it. */
static void pack(uint8_t at[16], bool unwritten, uint64_t off, uint64_t start, uint32_t len)
{
	put64(at, (uint64_t)unwritten << 63 | off << 9 | start >> 43);
	put64(at + 8, start << 21 | len);
}

static void put(struct extents *e, bool unwritten, uint64_t off, uint64_t start, uint32_t len)
{
	pack(e->fork + 16 * e->count++, unwritten, off, start, len);
}

static void remember(void *ctx, const struct bmap_record *record)
{
	struct extents *e = ctx;

	e->records[e->nrecords++] = *record;
}

static void decode_count(struct extents *e, uint64_t count)
{
	struct check c = { &e->geo, reported_add, &e->reported };

	memset(&e->reported, 0, sizeof(e->reported));
	e->nrecords = 0;
	bmap_inline_decode(&c, e->fork, sizeof(e->fork), count, &e->rules, remember, e);
}

/* Decodes one extent alone. */
static void decode_one(struct extents *e, bool unwritten, uint64_t off, uint64_t start, uint32_t len)
{
	e->count = 0;
	put(e, unwritten, off, start, len);
	decode_count(e, 1);
}

static void packed_fields_are_split(void **state)
{
	uint8_t packed[16];
	struct bmap_record r;

	(void)state;
	pack(packed, true, 0x2aaaaaaaaaaaaa, 0xd555555555555, 0x155555);
	r = bmap_record_get(packed);
	assert_true(r.unwritten);
	assert_true(r.off.v == 0x2aaaaaaaaaaaaa);
	assert_true(r.start.v == 0xd555555555555);
	assert_int_equal(r.len, 0x155555);

	pack(packed, false, 0x15555555555555, 0x2aaaaaaaaaaaa, 0x0aaaaa);
	r = bmap_record_get(packed);
	assert_false(r.unwritten);
	assert_true(r.off.v == 0x15555555555555);
	assert_true(r.start.v == 0x2aaaaaaaaaaaa);
	assert_int_equal(r.len, 0x0aaaaa);
}

static void sound_extents_are_visited(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	put(&e, false, 0, 2 << 15 | 1, 10);
	put(&e, true, 10, 2 << 15 | 11, 10); /* neighbours need not be merged, nor in order on the disk */
	put(&e, false, 500, 1 << 15 | 7, AG_LEN - 7);
	decode_count(&e, 3);
	assert_int_equal(e.reported.count, 0);
	assert_int_equal(e.nrecords, 3);
	assert_true(e.records[1].unwritten);
	assert_true(e.records[2].off.v == 500);
	assert_true(e.records[2].start.v == (1 << 15 | 7));
	assert_int_equal(e.records[2].len, AG_LEN - 7);
}

static void start_that_is_no_block_is_reported(void **state)
{
	/* headers, a gap in the numbering, an AG too many, a delayed allocation */
	static const uint64_t starts[] = { 0, 1 << 15, 1 << 15 | AG_LEN, 4 << 15 | 5, 0xffffffffe0000 };
	struct extents e;

	(void)state;
	init(&e);
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		decode_one(&e, false, 0, starts[i], 1);
		assert_reported_once(&e.reported, F_BMAP_START, starts[i], 0);
		assert_int_equal(e.nrecords, 0);
	}
}

static void length_zero_or_beyond_the_ag_is_reported(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	decode_one(&e, false, 0, 2 << 15 | 100, 0);
	assert_reported_once(&e.reported, F_BMAP_LENGTH, 0, AG_LEN - 100);
	assert_int_equal(e.nrecords, 0);
	decode_one(&e, false, 0, 2 << 15 | (AG_LEN - 10), 11);
	assert_reported_once(&e.reported, F_BMAP_LENGTH, 11, 10);
	decode_one(&e, false, 0, 2 << 15 | (AG_LEN - 10), 10);
	assert_int_equal(e.reported.count, 0);
}

static void extent_beyond_the_greatest_offset_is_reported(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	e.rules.max_off = 1000;
	decode_one(&e, false, 990, 2 << 15 | 100, 10);
	assert_int_equal(e.reported.count, 0);
	decode_one(&e, false, 990, 2 << 15 | 100, 11);
	assert_reported_once(&e.reported, F_BMAP_OFFSET, 990, 1000);
	assert_int_equal(e.nrecords, 0);
	decode_one(&e, false, 1000, 2 << 15 | 100, 1);
	assert_reported_once(&e.reported, F_BMAP_OFFSET, 1000, 1000);
}

static void unwritten_extent_that_may_not_be_is_reported_and_visited(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	e.rules.unwritten_ok = false;
	decode_one(&e, true, 0, 2 << 15 | 100, 10);
	assert_reported_once(&e.reported, F_BMAP_UNWRITTEN, 1, 0);
	assert_int_equal(e.nrecords, 1);
}

static void extents_that_overlap_in_the_file_are_reported_and_visited(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	put(&e, false, 0, 2 << 15 | 100, 11);
	put(&e, false, 10, 2 << 15 | 200, 10);
	put(&e, false, 20, 2 << 15 | 300, 10);
	decode_count(&e, 3);
	assert_reported_once(&e.reported, F_BMAP_ORDER, 10, 11);
	assert_int_equal(e.reported.problems[0].index, 1);
	assert_int_equal(e.reported.problems[0].offset, 16);
	assert_int_equal(e.nrecords, 3);
}

static void extent_out_of_order_is_reported_once(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	put(&e, false, 0, 2 << 15 | 100, 10);
	put(&e, false, 5000, 2 << 15 | 200, 10);
	put(&e, false, 20, 2 << 15 | 300, 10);
	put(&e, false, 30, 2 << 15 | 400, 10);
	decode_count(&e, 4);
	assert_reported_once(&e.reported, F_BMAP_ORDER, 20, 5010);
	assert_int_equal(e.nrecords, 4);
}

static void no_more_extents_are_looked_at_than_fit_in_the_fork(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	for (uint32_t i = 0; i < 21; i++)
		put(&e, false, i * 10, 2 << 15 | (100 + 10 * i), 10);
	decode_count(&e, UINT64_MAX);
	assert_int_equal(e.reported.count, 0);
	assert_int_equal(e.nrecords, 21);
}

static void leaves_of_a_bmbt_hold_the_same_records(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BMAP, 0);
	pack(put_record(&b, 16), false, 0, 2 << 15 | 100, 10);
	pack(put_record(&b, 16), true, 10, 3 << 15 | 200, 20);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 2);
	assert_true(b.records[1].bmap.off.v == 10);
	assert_true(b.records[1].bmap.start.v == (3 << 15 | 200));
	assert_int_equal(b.records[1].bmap.len, 20);
	assert_true(b.records[1].bmap.unwritten);

	/* the rules are those of the fork */
	b.rules.unwritten_ok = false;
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BMAP_UNWRITTEN, 1, 0);
	assert_int_equal(b.reported.problems[0].index, 1);
	assert_int_equal(b.reported.problems[0].offset, 72 + 16);
}

static void extents_in_a_leaf_may_not_overlap_in_the_file(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BMAP, 0);
	pack(put_record(&b, 16), false, 0, 2 << 15 | 100, 11);
	pack(put_record(&b, 16), false, 10, 2 << 15 | 200, 20);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_OVERLAP, 10, 11);
	assert_int_equal(b.nrecords, 2);

	b.expect.has_bound = true;
	b.expect.bound = (struct btkey){ { 29 } };
	put_right(&b, 3 << 15 | 9);
	pack(b.block + 72, false, 0, 2 << 15 | 100, 10);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_OVERLAP_NEXT, 30, 29);
}

/* ---- realtime files: ondisk 09; 2 groups of 16384 and 8192 blocks in extents of 4 ---- */

static void realtime_extents_lie_in_one_group_behind_the_superblock(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	e.rules.realtime = true;
	decode_one(&e, false, 0, 4, 16380);
	assert_int_equal(e.reported.count, 0);
	assert_int_equal(e.nrecords, 1);
	decode_one(&e, false, 0, 1 << 14, 8192);
	assert_int_equal(e.reported.count, 0);
	decode_one(&e, false, 0, 0, 4);
	assert_reported_once(&e.reported, F_BMAP_START, 0, 0);
	assert_int_equal(e.nrecords, 0);
	decode_one(&e, false, 0, 4, 16381);
	assert_reported_once(&e.reported, F_BMAP_LENGTH, 16381, 16380);
	decode_one(&e, false, 0, 1 << 14 | 8192, 1);
	assert_reported_once(&e.reported, F_BMAP_START, 1 << 14 | 8192, 0);
	decode_one(&e, false, 0, 2 << 14, 1);
	assert_reported_once(&e.reported, F_BMAP_START, 2 << 14, 0);
}

static void offset_and_block_are_at_the_same_place_of_their_realtime_extents(void **state)
{
	struct extents e;

	(void)state;
	init(&e);
	e.rules.realtime = true;
	decode_one(&e, false, 101, 9, 2);
	assert_int_equal(e.reported.count, 0);
	decode_one(&e, false, 102, 9, 2);
	assert_reported_once(&e.reported, F_BMAP_RT_ALIGN, 102, 1);
	assert_int_equal(e.nrecords, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_fields_are_split),
		cmocka_unit_test(sound_extents_are_visited),
		cmocka_unit_test(start_that_is_no_block_is_reported),
		cmocka_unit_test(length_zero_or_beyond_the_ag_is_reported),
		cmocka_unit_test(extent_beyond_the_greatest_offset_is_reported),
		cmocka_unit_test(unwritten_extent_that_may_not_be_is_reported_and_visited),
		cmocka_unit_test(extents_that_overlap_in_the_file_are_reported_and_visited),
		cmocka_unit_test(extent_out_of_order_is_reported_once),
		cmocka_unit_test(no_more_extents_are_looked_at_than_fit_in_the_fork),
		cmocka_unit_test(leaves_of_a_bmbt_hold_the_same_records),
		cmocka_unit_test(extents_in_a_leaf_may_not_overlap_in_the_file),
		cmocka_unit_test(realtime_extents_lie_in_one_group_behind_the_superblock),
		cmocka_unit_test(offset_and_block_are_at_the_same_place_of_their_realtime_extents),
	};

	return cmocka_run_group_tests_name("bmap", tests, NULL, NULL);
}
