/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

#define ATTR	  (1ull << 63)
#define BMBT	  (1ull << 62)
#define UNWRITTEN (1ull << 61)

#define LAST_OFFSET ((1ull << 54) - 1 + (1ull << 21) - 1) /* that a block of a file can have */

static void put_rmap(struct btrees *b, uint32_t agbno, uint32_t len, uint64_t owner, uint64_t offset)
{
	uint8_t *p = put_record(b, 24);

	put32(p, agbno);
	put32(p + 4, len);
	put64(p + 8, owner);
	put64(p + 16, offset);
}

static void check_one(struct btrees *b, uint32_t agbno, uint32_t len, uint64_t owner, uint64_t offset)
{
	start(b, BT_RMAP, 0);
	put_rmap(b, agbno, len, owner, offset);
	assert_true(decode(b));
}

static void put_key(uint8_t *p, uint32_t agbno, uint64_t owner, uint64_t offset)
{
	put32(p, agbno);
	put64(p + 4, owner);
	put64(p + 12, offset);
}

/* Every kind of owner and mapping. */
static void make_leaf(struct btrees *b)
{
	start(b, BT_RMAP, 0);
	put_rmap(b, 0, 1, OWNER_FS, 0);
	put_rmap(b, 1, 5, OWNER_AG, 0);
	put_rmap(b, 6, 1, OWNER_INOBT, 0);
	put_rmap(b, 7, 1, OWNER_REFC, 0);
	put_rmap(b, 8, 8, OWNER_INODES, 0);
	put_rmap(b, 16, 100, OWNER_LOG, 0);
	put_rmap(b, 116, 4, OWNER_COW, 0);
	put_rmap(b, 200, 10, INO, 50);
	put_rmap(b, 210, 10, INO, 60 | UNWRITTEN);
	put_rmap(b, 220, 1, INO, ATTR | 3);
	put_rmap(b, 221, 2, INO, BMBT);
	put_rmap(b, 223, 1, INO, BMBT | ATTR);
}

static void mappings_of_every_kind_are_sound(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 12);
	assert_true(b.records[0].rmap.owner == OWNER_FS);
	assert_int_equal(b.records[7].rmap.start.v, 200);
	assert_int_equal(b.records[7].rmap.len, 10);
	assert_true(b.records[7].rmap.owner == INO);
	assert_true(b.records[7].rmap.offset == 50);
	assert_int_equal(b.records[7].rmap.flags, 0);
	assert_int_equal(b.records[8].rmap.flags, RMAP_UNWRITTEN);
	assert_true(b.records[8].rmap.offset == 60);
	assert_int_equal(b.records[9].rmap.flags, RMAP_ATTR);
	assert_int_equal(b.records[11].rmap.flags, RMAP_ATTR | RMAP_BMBT);
}

static void neighbours_that_should_be_one_are_reported(void **state)
{
	static const struct {
		uint64_t owner, first, second;
		bool one;
	} cases[] = {
		{ INO, 50, 60, true },
		{ INO, 50, 61, false },
		{ INO, 50, 60 | UNWRITTEN, false },
		{ INO, ATTR | 5, ATTR | 15, true },
		{ INO, BMBT, BMBT, true },
		{ INO, BMBT, BMBT | ATTR, false },
		{ OWNER_INODES, 0, 0, true },
	};
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(&b, BT_RMAP, 0);
		put_rmap(&b, 200, 10, cases[i].owner, cases[i].first);
		put_rmap(&b, 210, 10, cases[i].owner, cases[i].second);
		assert_true(decode(&b));
		assert_int_equal(b.nrecords, 2);
		if (cases[i].one)
			assert_reported_once(&b.reported, F_RMAP_UNMERGED, 210, 0);
		else
			assert_int_equal(b.reported.count, 0);
	}
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, OWNER_INODES, 0);
	put_rmap(&b, 210, 10, OWNER_INOBT, 0);
	put_rmap(&b, 221, 10, OWNER_INOBT, 0);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
}

static void owners_that_cant_be_are_reported(void **state)
{
	static const uint64_t owners[] = { 0, 7, (uint64_t)-1, (uint64_t)-2, (uint64_t)-10, 1ull << 63, 4ull << 18 };
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		check_one(&b, 200, 10, owners[i], 0);
		assert_reported_once(&b.reported, F_RMAP_OWNER, owners[i], 0);
		assert_int_equal(b.reported.problems[0].offset, 56 + 8);
		assert_int_equal(b.nrecords, 0);
	}
}

static void range_outside_of_the_ag_is_reported(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 0, 1, OWNER_AG, 0);
	assert_reported_once(&b.reported, F_RMAP_START, 0, 1);
	check_one(&b, AG_LEN, 1, INO, 0);
	assert_reported_once(&b.reported, F_RMAP_START, AG_LEN, AG_LEN - 1);
	check_one(&b, AG_LEN - 5, 6, INO, 0);
	assert_reported_once(&b.reported, F_RMAP_LENGTH, 6, 5);
	check_one(&b, 200, 0, INO, 0);
	assert_reported_once(&b.reported, F_RMAP_LENGTH, 0, AG_LEN - 200);
	assert_int_equal(b.nrecords, 0);
}

static void headers_are_the_first_blocks_and_no_others(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_RMAP, 0);
	b.geo.first_data_agbno = 4;
	put_rmap(&b, 0, 4, OWNER_FS, 0);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	check_one(&b, 0, 2, OWNER_FS, 0);
	assert_reported_once(&b.reported, F_RMAP_LENGTH, 2, 1);
	check_one(&b, 100, 1, OWNER_FS, 0);
	assert_reported_once(&b.reported, F_RMAP_START, 100, 0);
}

static void flags_that_the_owner_cant_have_are_reported(void **state)
{
	static const struct {
		uint64_t owner, flags, want;
	} cases[] = {
		{ OWNER_AG, ATTR, 0 },
		{ OWNER_COW, UNWRITTEN, 0 },
		{ OWNER_INODES, BMBT, 0 },
		{ INO, UNWRITTEN | ATTR, ATTR },
		{ INO, UNWRITTEN | BMBT, BMBT },
		{ INO, 1ull << 60, 0 },
		{ INO, 1ull << 54 | ATTR, ATTR },
	};
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check_one(&b, 200, 10, cases[i].owner, cases[i].flags);
		assert_reported_once(&b.reported, F_RMAP_FLAGS, cases[i].flags, cases[i].want);
		assert_int_equal(b.reported.problems[0].offset, 56 + 16);
		assert_int_equal(b.nrecords, 0);
	}
}

static void offset_that_the_owner_cant_have_is_reported(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 200, 10, OWNER_AG, 5);
	assert_reported_once(&b.reported, F_RMAP_OFFSET, 5, 0);
	check_one(&b, 200, 10, INO, BMBT | 5);
	assert_reported_once(&b.reported, F_RMAP_OFFSET, 5, 0);
	check_one(&b, 200, 10, INO, (1ull << 54) - 1);
	assert_int_equal(b.reported.count, 0);

	/* mappings that join extents may be longer than an extent, but reach no further than the last one can */
	for (uint32_t more = 0; more < 2; more++) {
		start(&b, BT_RMAP, 0);
		b.geo.agblocks = 1u << 22;
		b.geo.dblocks = 4ull << 22;
		b.geo.agblock_log = 22;
		put64(b.block + 16, ((1ull << 22) + AGBNO) * 8);
		put_rmap(&b, 200, (1u << 21) + more, 1ull << 25 | 8000, (1ull << 54) - 1);
		assert_true(decode(&b));
		if (more)
			assert_reported_once(&b.reported, F_RMAP_OFFSET, (1ull << 54) - 1, LAST_OFFSET - (1u << 21));
		else
			assert_int_equal(b.reported.count, 0);
	}
}

static void files_may_share_blocks(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 100, INO, 0);
	put_rmap(&b, 200, 10, INO + 1, 0);
	put_rmap(&b, 205, 200, INO + 2, 0);
	put_rmap(&b, 250, 1, INO, 500);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);

	b.geo.reflink = false;
	assert_true(decode(&b));
	assert_int_equal(reported_times(&b.reported, F_BTREE_OVERLAP), 3);
	assert_int_equal(b.reported.count, 3);
}

static void what_is_no_written_data_is_never_shared(void **state)
{
	static const struct {
		uint64_t owner, offset;
	} unshared[] = { { OWNER_INODES, 0 }, { INO + 5, ATTR }, { INO + 5, BMBT }, { INO + 5, UNWRITTEN } };
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(unshared) / sizeof(unshared[0]); i++) {
		start(&b, BT_RMAP, 0);
		put_rmap(&b, 200, 100, INO, 0);
		put_rmap(&b, 220, 10, unshared[i].owner, unshared[i].offset);
		assert_true(decode(&b));
		assert_reported_once(&b.reported, F_BTREE_OVERLAP, 220, 300);

		start(&b, BT_RMAP, 0);
		put_rmap(&b, 200, 100, unshared[i].owner, unshared[i].offset);
		put_rmap(&b, 220, 10, INO, 0);
		assert_true(decode(&b));
		assert_reported_once(&b.reported, F_BTREE_OVERLAP, 220, 300);
		assert_int_equal(b.nrecords, 2);
	}
}

static void next_block_may_begin_in_a_shared_extent_only(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 100, INO, 0);
	put_right(&b, 300);
	b.expect.has_bound = true;
	b.expect.bound = (struct btkey){ { 250, INO + 1, 0 } };
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	put64(b.block + 56 + 16, UNWRITTEN);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_OVERLAP_NEXT, 300, 250);
}

static void equal_starts_are_sorted_by_owner_then_offset(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, INO, 7);
	put_rmap(&b, 200, 10, INO, 8);
	put_rmap(&b, 200, 10, INO + 1, 2);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, INO, 8);
	put_rmap(&b, 200, 10, INO, 7);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_ORDER, 7, 8);
}

static void expect_high(struct btrees *b, uint32_t agbno, uint64_t owner, uint64_t offset)
{
	b->expect.has_high = true;
	b->expect.high = (struct btkey){ { agbno, owner, offset } };
	assert_true(decode(b));
}

static void highest_key_of_a_leaf_must_be_what_the_parent_says(void **state)
{
	struct btrees b;

	(void)state;
	/* the highest key is not that of the last record */
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 100, INO, 50);
	put_rmap(&b, 210, 10, INO + 1, 0);
	expect_high(&b, 299, INO, 149);
	assert_int_equal(b.reported.count, 0);
	expect_high(&b, 298, INO, 149);
	assert_reported_once(&b.reported, F_BTREE_HIGH_KEY, 299, 298);
	assert_true(b.found.keys_ok);
	expect_high(&b, 299, INO, 148);
	assert_reported_once(&b.reported, F_BTREE_HIGH_KEY, 149, 148);

	/* offsets keep their flags, but for unwritten, and advance in data and attributes only */
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, INO, UNWRITTEN | 50);
	expect_high(&b, 209, INO, 59);
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, INO, ATTR | 50);
	expect_high(&b, 209, INO, ATTR | 59);
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, INO, BMBT);
	expect_high(&b, 209, INO, BMBT);
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, OWNER_AG, 0);
	expect_high(&b, 209, OWNER_AG, 0);
	assert_int_equal(b.reported.count, 0);
}

static void bad_record_is_not_held_against_the_highest_key(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_RMAP, 0);
	put_rmap(&b, 200, 10, INO, 50);
	put_rmap(&b, 210, 0, INO, 60);
	expect_high(&b, 219, INO, 69);
	assert_reported_once(&b.reported, F_RMAP_LENGTH, 0, AG_LEN - 210);
}

/* Two children: 200 to 299 and 250 to 270, in blocks 301 and 302; the unwritten bit in keys as old kernels have it. */
static void make_node(struct btrees *b)
{
	uint8_t *keys, *ptrs;

	start(b, BT_RMAP, 1);
	keys = b->block + 56;
	ptrs = keys + 91 * 40;
	put_key(keys, 200, INO, 50 | UNWRITTEN);
	put_key(keys + 20, 299, INO, 149 | UNWRITTEN);
	put_key(keys + 40, 250, INO + 1, ATTR | 7);
	put_key(keys + 60, 270, INO + 1, ATTR | 9);
	put32(ptrs, 301);
	put32(ptrs + 4, 302);
	put16(b->block + 6, 2);
}

static void children_expect_both_keys_without_the_unwritten_bit(void **state)
{
	struct btrees b;

	(void)state;
	make_node(&b);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 2);
	assert_int_equal(b.children[0].agbno.v, 301);
	assert_true(b.children[0].low.k[0] == 200);
	assert_true(b.children[0].low.k[1] == INO);
	assert_true(b.children[0].low.k[2] == 50);
	assert_true(b.children[0].has_high);
	assert_true(b.children[0].high.k[0] == 299);
	assert_true(b.children[0].high.k[2] == 149);
	assert_true(b.children[0].bound.k[0] == 250);
	assert_true(b.children[1].low.k[2] == (ATTR | 7));
	assert_true(b.children[1].high.k[2] == (ATTR | 9));
}

static void highest_key_of_a_node_must_be_what_the_parent_says(void **state)
{
	struct btrees b;

	(void)state;
	make_node(&b);
	expect_high(&b, 299, INO, 149);
	assert_int_equal(b.reported.count, 0);
	expect_high(&b, 270, INO + 1, ATTR | 9);
	assert_reported_once(&b.reported, F_BTREE_HIGH_KEY, 299, 270);
	assert_int_equal(b.nchildren, 2);
}

/* ---- realtime groups: ondisk 09; the first has a superblock of one extent, which is 4 blocks ---- */

static void check_rt(struct btrees *b, uint32_t rgno, uint32_t rgbno, uint32_t len, uint64_t owner, uint64_t offset)
{
	start(b, BT_RTRMAP, 0);
	b->expect.rgno = rgno;
	put_rmap(b, rgbno, len, owner, offset);
	assert_true(decode(b));
}

static void realtime_groups_hold_files_and_a_superblock(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_RTRMAP, 0);
	put_rmap(&b, 0, 4, OWNER_FS, 0);
	put_rmap(&b, 4, 100, INO, 7);
	put_rmap(&b, 104, 100, INO, 107 | UNWRITTEN);
	put_rmap(&b, 16380, 4, OWNER_COW, 0);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 4);
	check_rt(&b, 1, 0, 8192, INO, 0);
	assert_int_equal(b.reported.count, 0);
}

static void other_owners_and_forks_are_not_on_the_realtime_device(void **state)
{
	struct btrees b;

	(void)state;
	for (uint64_t owner = OWNER_INODES; owner < OWNER_FS; owner++) {
		check_rt(&b, 0, 8, 4, owner, 0);
		assert_reported_once(&b.reported, F_RMAP_OWNER, owner, 0);
	}
	check_rt(&b, 0, 8, 4, INO, ATTR);
	assert_reported_once(&b.reported, F_RMAP_FLAGS, ATTR, 0);
	check_rt(&b, 0, 8, 4, INO, BMBT);
	assert_reported_once(&b.reported, F_RMAP_FLAGS, BMBT, 0);
}

static void realtime_mappings_lie_in_their_group(void **state)
{
	struct btrees b;

	(void)state;
	check_rt(&b, 0, 3, 4, INO, 0);
	assert_reported_once(&b.reported, F_RMAP_START, 3, 4);
	check_rt(&b, 0, 16384, 1, INO, 0);
	assert_reported_once(&b.reported, F_RMAP_START, 16384, 16383);
	check_rt(&b, 1, 8000, 193, INO, 0);
	assert_reported_once(&b.reported, F_RMAP_LENGTH, 193, 192);
	/* no superblock but in the first group */
	check_rt(&b, 1, 0, 4, OWNER_FS, 0);
	assert_reported_once(&b.reported, F_RMAP_LENGTH, 4, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mappings_of_every_kind_are_sound),
		cmocka_unit_test(neighbours_that_should_be_one_are_reported),
		cmocka_unit_test(owners_that_cant_be_are_reported),
		cmocka_unit_test(range_outside_of_the_ag_is_reported),
		cmocka_unit_test(headers_are_the_first_blocks_and_no_others),
		cmocka_unit_test(flags_that_the_owner_cant_have_are_reported),
		cmocka_unit_test(offset_that_the_owner_cant_have_is_reported),
		cmocka_unit_test(files_may_share_blocks),
		cmocka_unit_test(what_is_no_written_data_is_never_shared),
		cmocka_unit_test(next_block_may_begin_in_a_shared_extent_only),
		cmocka_unit_test(equal_starts_are_sorted_by_owner_then_offset),
		cmocka_unit_test(highest_key_of_a_leaf_must_be_what_the_parent_says),
		cmocka_unit_test(bad_record_is_not_held_against_the_highest_key),
		cmocka_unit_test(children_expect_both_keys_without_the_unwritten_bit),
		cmocka_unit_test(highest_key_of_a_node_must_be_what_the_parent_says),
		cmocka_unit_test(realtime_groups_hold_files_and_a_superblock),
		cmocka_unit_test(other_owners_and_forks_are_not_on_the_realtime_device),
		cmocka_unit_test(realtime_mappings_lie_in_their_group),
	};

	return cmocka_run_group_tests_name("rmapbt", tests, NULL, NULL);
}
