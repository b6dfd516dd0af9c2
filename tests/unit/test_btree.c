/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

/* A bnobt leaf with three free extents. */
static void make_leaf(struct btrees *b)
{
	start(b, BT_BNO, 0);
	put_alloc(b, 1000, 10);
	put_alloc(b, 2000, 20);
	put_alloc(b, 3000, 30);
}

/* A bnobt node with three children, in blocks 201 to 203. */
static void make_node(struct btrees *b)
{
	start(b, BT_BNO, 1);
	put_entry(b, 1000ull << 32 | 10, 201);
	put_entry(b, 2000ull << 32 | 20, 202);
	put_entry(b, 3000ull << 32 | 30, 203);
}

/* A bmbt leaf with 3 extents at file blocks 0, 10, 20. */
static void make_long_leaf(struct btrees *b)
{
	start(b, BT_BMAP, 0);
	for (uint64_t i = 0; i < 3; i++) {
		uint8_t *p = put_record(b, 16);

		put64(p, i * 10 << 9);
		put64(p + 8, (500 + i * 100) << 21 | 10);
	}
}

static void words_of_keys_are_compared_from_the_first(void **state)
{
	struct btkey a = { { 5, 7, 9 } }, b = a;

	(void)state;
	assert_int_equal(btkey_cmp(&a, &b), 0);
	b.k[2] = 10;
	assert_true(btkey_cmp(&a, &b) < 0);
	b.k[1] = 6;
	assert_true(btkey_cmp(&a, &b) > 0);
	b.k[0] = UINT64_MAX;
	assert_true(btkey_cmp(&a, &b) < 0);
}

static void records_of_a_sound_leaf_are_visited(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 3);
	assert_int_equal(b.records[1].alloc.start.v, 2000);
	assert_int_equal(b.records[1].alloc.len, 20);
	assert_int_equal(b.found.numrecs, 3);
	assert_true(b.found.left == NULL_FSBNO);
	assert_true(b.found.right == NULL_FSBNO);
	assert_true(b.found.keys_ok);
}

/* A block with only its address wrong is visited if it begins with the key in its parent. */
static void block_of_another_place_that_begins_otherwise_is_not_visited(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put64(b.block + 16, 77);
	b.expect.has_low = true;
	b.expect.low = (struct btkey){ { 1000, 10 } };
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 1);
	assert_int_equal(b.nrecords, 3);
	b.expect.low = (struct btkey){ { 500, 10 } };
	b.nrecords = 0;
	assert_false(decode(&b));
	assert_int_equal(reported_times(&b.reported, F_BLOCK_BLKNO), 1);
	assert_int_equal(b.nrecords, 0);
	/* the key of the parent is wrong, the block is where it says it is */
	put64(b.block + 16, (AG_LEN + AGBNO) * 8);
	assert_true(decode(&b));
	assert_int_equal(b.nrecords, 3);
}

static void block_of_another_place_and_owner_is_not_visited(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put64(b.block + 16, 77);
	put32(b.block + 48, AGNO + 1);
	assert_false(decode(&b));
	assert_int_equal(b.reported.count, 2);
	assert_int_equal(reported_times(&b.reported, F_BLOCK_BLKNO), 1);
	assert_int_equal(reported_times(&b.reported, F_BLOCK_OWNER), 1);
	assert_int_equal(b.nrecords, 0);
	make_long_leaf(&b);
	put64(b.block + 24, 77);
	put64(b.block + 56, INO + 1);
	assert_false(decode(&b));
	assert_int_equal(b.reported.count, 2);
	assert_int_equal(b.nrecords, 0);
}

static void empty_root_leaf_is_sound(void **state)
{
	struct btrees b;

	(void)state;
	for (enum btree_kind kind = 0; kind < BT_NR; kind++) {
		start(&b, kind, 0);
		assert_true(decode(&b));
		assert_int_equal(b.reported.count, 0);
	}
}

static void other_magic_ends_decoding(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put32(b.block, 0x41423343);
	assert_false(decode(&b));
	assert_reported_once(&b.reported, F_BLOCK_MAGIC, 0x41423343, 0x41423342);
	assert_int_equal(b.nrecords, 0);
}

static void wrong_checksum_is_reported_and_records_are_visited(void **state)
{
	struct btrees b;
	struct check c = { &b.geo, reported_add, &b.reported };
	struct btree_visitor visitor = { .ctx = &b, .record = remember_record, .child = remember_child };

	(void)state;
	make_leaf(&b);
	assert_true(decode(&b));
	b.nrecords = 0;
	b.block[4095] ^= 1;
	assert_true(btree_decode(&c, b.block, &b.expect, &visitor, &b.found));
	assert_int_equal(b.reported.count, 1);
	assert_int_equal(b.reported.problems[0].finding, F_BLOCK_CRC);
	assert_int_equal(b.reported.problems[0].offset, 52);
	assert_int_equal(b.nrecords, 3);
}

static void wrong_identity_is_reported_and_records_are_visited(void **state)
{
	static const struct {
		bool wide;
		uint32_t offset, size;
		uint32_t reported_at;
		enum finding finding;
		uint64_t want;
	} fields[] = {
		{ false, 16, 8, 16, F_BLOCK_BLKNO, (AG_LEN + AGBNO) * 8 },
		{ false, 48, 4, 48, F_BLOCK_OWNER, AGNO },
		{ true, 24, 8, 24, F_BLOCK_BLKNO, (AG_LEN + AGBNO) * 8 },
		{ true, 40, 8, 40, F_BLOCK_UUID, 0xa0a1a2a3a4a5a6a7 },
		{ true, 48, 8, 40, F_BLOCK_UUID, 0xa8a9aaabacadaeaf },
		{ true, 56, 8, 56, F_BLOCK_OWNER, INO },
		{ true, 68, 4, 68, F_BTREE_PAD, 0 },
	};
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (fields[i].wide)
			make_long_leaf(&b);
		else
			make_leaf(&b);
		if (fields[i].size == 8)
			put64(b.block + fields[i].offset, 77);
		else
			put32(b.block + fields[i].offset, 77);
		assert_true(decode(&b));
		assert_reported_once(&b.reported, fields[i].finding, 77, fields[i].want);
		assert_int_equal(b.reported.problems[0].offset, fields[i].reported_at);
		assert_int_equal(b.nrecords, 3);
	}
}

static void lsn_not_before_the_head_of_the_log_is_reported(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put64(b.block + 24, 0x5000000ff);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	put64(b.block + 24, 0x500000100);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BLOCK_LSN, 0x500000100, 0x500000100);
	make_long_leaf(&b);
	put64(b.block + 32, 0x500000101);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BLOCK_LSN, 0x500000101, 0x500000100);
}

static void level_that_the_contents_belie_is_reported_and_records_are_visited(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put16(b.block + 4, 1);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_LEVEL, 1, 0);
	assert_int_equal(b.nrecords, 3);
	make_leaf(&b);
	b.expect.unsure = true;
	put16(b.block + 4, 1);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_LEVEL, 1, 0);
	assert_int_equal(b.found.level, 0);
}

static void level_that_nothing_bears_out_ends_decoding(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put16(b.block + 4, 7);
	b.expect.level = 1;
	assert_false(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_LEVEL, 7, 1);
	assert_int_equal(b.nrecords, 0);
}

static void a_root_knows_its_level_better_than_the_header(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	b.expect.unsure = true;
	b.expect.level = 1;
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.found.level, 0);
	assert_int_equal(b.nrecords, 3);
	make_node(&b);
	b.expect.unsure = true;
	b.expect.level = 0;
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.found.level, 1);
	assert_int_equal(b.nchildren, 3);
	assert_true(b.children[0].unsure);
	assert_int_equal(b.children[0].level, 0);
	make_node(&b);
	b.expect.unsure = true;
	assert_true(decode(&b));
	assert_false(b.children[0].unsure);
	b.expect.level = UINT8_MAX; /* as if the header said 0 */
	b.nchildren = 0;
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 3);
}

static void more_records_than_fit_end_decoding(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put16(b.block + 6, 506);
	assert_false(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_NUMRECS, 506, 505);
	make_node(&b);
	put16(b.block + 6, 337);
	assert_false(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_NUMRECS, 337, 336);
	assert_int_equal(b.nchildren, 0);
}

static void count_that_takes_in_unused_space_is_reported_once(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put16(b.block + 6, 500);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_NUMRECS, 500, 3);
	assert_int_equal(b.nrecords, 3);
	make_node(&b);
	put16(b.block + 6, 4);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_NUMRECS, 4, 3);
	assert_int_equal(b.nchildren, 3);
}

static void full_leaf_is_sound(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 0);
	for (uint32_t i = 0; i < 505; i++)
		put_alloc(&b, 1 + 40 * i, 39);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 505);
}

static void only_a_root_may_be_less_than_half_full(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 0);
	b.expect.root = false;
	for (uint32_t i = 0; i < 252; i++)
		put_alloc(&b, 1 + 40 * i, 39);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);

	put16(b.block + 6, 251);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_UNDERFULL, 251, 252);
	assert_int_equal(b.nrecords, 251);

	start(&b, BT_BNO, 1);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_UNDERFULL, 0, 1);
}

static void root_has_no_siblings(void **state)
{
	struct btrees b;

	(void)state;
	make_leaf(&b);
	put32(b.block + 8, 300);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_LEFTSIB, 300, NULL_FSBNO);
	assert_true(b.found.left == 300);
	make_leaf(&b);
	put32(b.block + 12, 300);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_RIGHTSIB, 300, NULL_FSBNO);
	assert_int_equal(b.nrecords, 3);
}

/* A leaf somewhere in the middle of a level: 252 free extents at 40, 80 ... */
static void make_middle(struct btrees *b)
{
	start(b, BT_BNO, 0);
	b->expect.root = false;
	b->expect.has_low = true;
	b->expect.low = (struct btkey){ { 40, 30 } };
	b->expect.has_bound = true;
	b->expect.bound = (struct btkey){ { 40 + 252 * 40, 5 } };
	for (uint32_t i = 0; i < 252; i++)
		put_alloc(b, 40 + 40 * i, 30);
	put32(b->block + 8, 300);
	put32(b->block + 12, 301);
}

static void siblings_are_blocks_of_the_ag_other_than_the_block_itself(void **state)
{
	static const uint32_t impossible[] = { 0, AGBNO, AG_LEN, 0xfffffffe };
	struct btrees b;

	(void)state;
	make_middle(&b);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_true(b.found.left == 300);
	assert_true(b.found.right == 301);
	for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		make_middle(&b);
		put32(b.block + 8, impossible[i]);
		assert_true(decode(&b));
		assert_reported_once(&b.reported, F_BTREE_LEFTSIB, impossible[i], NULL_FSBNO);
		make_middle(&b);
		put32(b.block + 12, impossible[i]);
		assert_true(decode(&b));
		assert_reported_once(&b.reported, F_BTREE_RIGHTSIB, impossible[i], NULL_FSBNO);
	}
}

static void only_the_last_block_of_a_level_has_no_right_sibling(void **state)
{
	struct btrees b;

	(void)state;
	make_middle(&b);
	put32(b.block + 12, 0xffffffff);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_RIGHTSIB, NULL_FSBNO, NULL_FSBNO);
	make_middle(&b);
	b.expect.has_bound = false;
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_RIGHTSIB, 301, NULL_FSBNO);
}

static void long_siblings_may_lie_in_another_ag(void **state)
{
	struct btrees b;

	(void)state;
	make_long_leaf(&b);
	b.expect.has_bound = true;
	b.expect.bound = (struct btkey){ { 30 } };
	put_right(&b, 3 << 15 | AGBNO);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_true(b.found.right == (3 << 15 | AGBNO));
	put_right(&b, AGNO << 15 | AGBNO);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_RIGHTSIB, AGNO << 15 | AGBNO, NULL_FSBNO);
	put_right(&b, 4 << 15 | AGBNO);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_RIGHTSIB, 4 << 15 | AGBNO, NULL_FSBNO);
}

static void first_key_must_be_what_the_parent_says(void **state)
{
	struct btrees b;

	(void)state;
	make_middle(&b);
	b.expect.low.k[0] = 41;
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_FIRST_KEY, 40, 41);
	assert_false(b.found.keys_ok);
	assert_int_equal(b.nrecords, 252);

	/* the second word of the key counts as well */
	make_middle(&b);
	b.expect.low.k[1] = 31;
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_FIRST_KEY, 30, 31);
}

static void first_record_that_is_bad_is_not_held_against_the_parent(void **state)
{
	struct btrees b;

	(void)state;
	make_middle(&b);
	put32(b.block + 56, 0);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_ALLOC_START, 0, 1);
	assert_int_equal(b.nrecords, 251);
}

static void last_key_must_be_below_the_next_block(void **state)
{
	struct btrees b;

	(void)state;
	make_middle(&b);
	b.expect.bound = (struct btkey){ { 40 + 251 * 40, 30 } };
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_BOUND, 40 + 251 * 40, 40 + 251 * 40);
	assert_false(b.found.keys_ok);
	make_middle(&b);
	b.expect.bound = (struct btkey){ { 41, 30 } };
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_BOUND, 40 + 251 * 40, 41);
}

static void record_that_reaches_into_the_next_block_is_reported(void **state)
{
	struct btrees b;

	(void)state;
	make_middle(&b);
	b.expect.bound = (struct btkey){ { 40 + 251 * 40 + 31, 5 } };
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	/* touching is as bad as overlapping in the bnobt */
	b.expect.bound.k[0]--;
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_OVERLAP_NEXT, 40 + 251 * 40 + 31, 40 + 251 * 40 + 30);
	assert_true(b.found.keys_ok);
}

static void record_out_of_order_is_reported_once_and_visited(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 0);
	put_alloc(&b, 1000, 10);
	put_alloc(&b, 15000, 10);
	put_alloc(&b, 2000, 10);
	put_alloc(&b, 3000, 10);
	put_alloc(&b, 4000, 10);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_ORDER, 2000, 15000);
	assert_int_equal(b.reported.problems[0].index, 2);
	assert_int_equal(b.reported.problems[0].offset, 56 + 2 * 8);
	assert_false(b.found.keys_ok);
	assert_int_equal(b.nrecords, 5);
}

static void equal_keys_are_out_of_order(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_CNT, 0);
	put_alloc(&b, 1000, 10);
	put_alloc(&b, 1000, 10);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_ORDER, 10, 10);
}

static void long_record_over_many_is_reported_once(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 0);
	put_alloc(&b, 1000, 9000);
	put_alloc(&b, 2000, 10);
	put_alloc(&b, 3000, 10);
	put_alloc(&b, 4000, 10);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_OVERLAP, 2000, 10001);
	assert_int_equal(b.reported.problems[0].index, 1);
	assert_int_equal(b.nrecords, 4);
	assert_true(b.found.keys_ok);
}

static void bad_record_is_neither_visited_nor_compared(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 0);
	put_alloc(&b, 1000, 10);
	put_alloc(&b, 30000, 10);
	put_alloc(&b, 2000, 10);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_ALLOC_START, 30000, AG_LEN - 1);
	assert_int_equal(b.reported.problems[0].index, 1);
	assert_int_equal(b.nrecords, 2);
	assert_int_equal(b.found.numrecs, 3);
}

static void children_of_a_sound_node_know_what_is_expected_of_them(void **state)
{
	struct btrees b;

	(void)state;
	make_node(&b);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 3);
	for (unsigned i = 0; i < 3; i++) {
		const struct btree_expect *child = &b.children[i];

		assert_int_equal(child->kind, BT_BNO);
		assert_int_equal(child->agno.v, AGNO);
		assert_int_equal(child->agbno.v, 201 + i);
		assert_true(child->owner == AGNO);
		assert_int_equal(child->level, 0);
		assert_false(child->root);
		assert_true(child->keys_ok);
		assert_true(child->has_low);
		assert_true(child->low.k[0] == (i + 1) * 1000);
		assert_true(child->low.k[1] == (i + 1) * 10);
		assert_false(child->has_high);
		assert_int_equal(child->has_bound, i < 2);
		if (i < 2)
			assert_true(child->bound.k[0] == (i + 2) * 1000);
	}
}

static void last_child_is_bound_as_its_parent_is(void **state)
{
	struct btrees b;

	(void)state;
	make_node(&b);
	put_right(&b, 300);
	b.expect.has_bound = true;
	b.expect.bound = (struct btkey){ { 5000, 1 } };
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_true(b.children[2].has_bound);
	assert_true(b.children[2].bound.k[0] == 5000);
}

static void only_child_of_a_root_is_held_to_no_more_than_a_root(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 1);
	put_entry(&b, 1000ull << 32 | 10, 201);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 1);
	assert_true(b.children[0].root);
}

static void long_pointers_lead_into_other_ags(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BMAP, 2);
	put_entry(&b, 0, 2 << 15 | 50);
	put_entry(&b, 1000, 3 << 15 | 60);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 2);
	assert_int_equal(b.children[1].kind, BT_BMAP);
	assert_int_equal(b.children[1].agno.v, 3);
	assert_int_equal(b.children[1].agbno.v, 60);
	assert_true(b.children[1].owner == INO);
	assert_ptr_equal(b.children[1].rules, &b.rules);
	assert_int_equal(b.children[1].level, 1);
	assert_true(b.children[1].low.k[0] == 1000);
}

static void pointers_that_cant_be_are_reported_and_not_followed(void **state)
{
	static const uint32_t impossible[] = { 0, AGBNO, AG_LEN, 0xffffffff };
	static const uint64_t impossible_long[] = { 0, AGNO << 15 | AGBNO, 4 << 15 | 50, 1 << 15 | AG_LEN, UINT64_MAX };
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		make_node(&b);
		put32(b.block + 56 + 336 * 8 + 4, impossible[i]);
		assert_true(decode(&b));
		assert_int_equal(b.reported.count, 1);
		assert_int_equal(b.reported.problems[0].finding, F_BTREE_POINTER);
		assert_int_equal(b.reported.problems[0].index, 1);
		assert_int_equal(b.reported.problems[0].offset, 56 + 336 * 8 + 4);
		assert_int_equal(b.nchildren, 2);
		assert_int_equal(b.children[1].agbno.v, 203);
		/* the keys that are lost with it are known */
		assert_int_equal(b.nlost, 1);
		assert_int_equal(b.lost.low.k[0], 2000);
		assert_int_equal(b.lost.bound.k[0], 3000);
		assert_int_equal(b.lost.level, 0);
	}
	for (size_t i = 0; i < sizeof(impossible_long) / sizeof(impossible_long[0]); i++) {
		start(&b, BT_BMAP, 1);
		put_entry(&b, 0, impossible_long[i]);
		put_entry(&b, 1000, 3 << 15 | 60);
		assert_true(decode(&b));
		assert_reported_once(&b.reported, F_BTREE_POINTER, impossible_long[i], 0);
		assert_int_equal(b.nchildren, 1);
	}
}

static void first_key_of_a_node_must_be_what_its_parent_says(void **state)
{
	struct btrees b;

	(void)state;
	make_node(&b);
	b.expect.has_low = true;
	b.expect.low = (struct btkey){ { 1000, 11 } };
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_FIRST_KEY, 10, 11);
	assert_false(b.found.keys_ok);
	/* the block may be the wrong one, or either key be wrong: no low key is expected of the child */
	assert_int_equal(b.nchildren, 3);
	assert_false(b.children[0].has_low);
	assert_true(b.children[1].has_low);
	assert_false(b.children[0].keys_ok);
	assert_false(b.children[1].keys_ok);
}

static void children_of_a_block_in_doubt_are_in_doubt(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 1);
	b.expect.root = false;
	for (uint32_t i = 0; i < 168; i++)
		put_entry(&b, (1000ull + i) << 32, 201 + i);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_false(b.children[1].keys_ok);
	b.expect.keys_ok = true;
	assert_true(decode(&b));
	assert_true(b.children[1].keys_ok);
}

static void keys_of_a_node_must_rise(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_BNO, 1);
	put_entry(&b, 1000ull << 32 | 10, 201);
	put_entry(&b, 9000ull << 32 | 20, 202);
	put_entry(&b, 3000ull << 32 | 30, 203);
	put_entry(&b, 4000ull << 32 | 40, 204);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_ORDER, 3000, 9000);
	assert_int_equal(b.reported.problems[0].index, 2);
	assert_int_equal(b.reported.problems[0].offset, 56 + 2 * 8);
	assert_false(b.found.keys_ok);

	/* either of the two keys is wrong: neither is used to check a child */
	assert_int_equal(b.nchildren, 4);
	assert_true(b.children[0].has_low);
	assert_false(b.children[1].has_low);
	assert_false(b.children[2].has_low);
	assert_true(b.children[3].has_low);
	assert_true(b.children[0].keys_ok);
	assert_false(b.children[1].keys_ok);
	assert_false(b.children[2].keys_ok);
	/* but none of them is the last of its level */
	assert_true(b.children[1].has_bound);
	assert_true(b.children[1].bound.k[0] == UINT64_MAX);
	assert_true(b.children[2].bound.k[0] == 4000);
}

static void last_key_of_a_node_must_be_below_the_next_node(void **state)
{
	struct btrees b;

	(void)state;
	make_node(&b);
	put_right(&b, 300);
	b.expect.has_bound = true;
	b.expect.bound = (struct btkey){ { 3000, 30 } };
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_BOUND, 3000, 3000);
	assert_false(b.found.keys_ok);
	assert_int_equal(b.nchildren, 3);
	assert_false(b.children[2].has_low);
}

static void leaves_of_version_4_begin_behind_the_siblings(void **state)
{
	struct btrees b;
	uint8_t *p;

	(void)state;
	start_v4(&b, BT_BNO, 0);
	put_alloc(&b, 1000, 10);
	put_alloc(&b, 2000, 20);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 2);
	assert_int_equal(b.records[0].alloc.start.v, 1000);

	start_v4(&b, BT_INO, 0);
	p = put_record(&b, 16);
	put32(p, 128);
	put32(p + 4, 2);
	put64(p + 8, 3ull << 62);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.records[0].inobt.start.v, 128);
	assert_int_equal(b.records[0].inobt.freecount, 2);

	start_v4(&b, BT_BMAP, 0);
	p = put_record(&b, 16);
	put64(p, 7 << 9);
	put64(p + 8, 500 << 21 | 10);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.records[0].bmap.off.v, 7);
}

static void nodes_of_version_4_have_their_pointers_further_on(void **state)
{
	struct btrees b;

	(void)state;
	start_v4(&b, BT_CNT, 1);
	put_entry(&b, 1000ull << 32 | 10, 201);
	put_entry(&b, 900ull << 32 | 20, 202);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 2);
	assert_int_equal(b.children[1].agbno.v, 202);

	start_v4(&b, BT_BMAP, 1);
	put_entry(&b, 0, 201);
	put_entry(&b, 10, 202);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nchildren, 2);
	assert_int_equal(b.children[1].agbno.v, 202);
}

static void full_leaf_of_version_4_has_more_records(void **state)
{
	struct btrees b;

	(void)state;
	start_v4(&b, BT_BNO, 0);
	for (uint32_t i = 0; i < 510; i++)
		put_alloc(&b, 100 + 10 * i, 3);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 510);
	put16(b.block + 6, 511);
	assert_false(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_NUMRECS, 511, 510);
}

static void magic_of_the_other_version_ends_decoding(void **state)
{
	struct btrees b;

	(void)state;
	start_v4(&b, BT_BNO, 0);
	put32(b.block, 0x41423342);
	assert_false(decode(&b));
	assert_reported_once(&b.reported, F_BLOCK_MAGIC, 0x41423342, 0x41425442);
	make_leaf(&b);
	put32(b.block, 0x41425442);
	assert_false(decode(&b));
	assert_reported_once(&b.reported, F_BLOCK_MAGIC, 0x41425442, 0x41423342);
}

/* Not even one whose magic is zero. */
static void version_4_has_no_block_of_later_trees(void **state)
{
	static const enum btree_kind later[] = { BT_FINO, BT_RMAP, BT_REFC, BT_RTRMAP, BT_RTREFC };
	struct btrees b;

	(void)state;
	start_v4(&b, BT_BNO, 0);
	put32(b.block, 0);
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		b.expect.kind = later[i];
		assert_false(decode(&b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_keys_are_compared_from_the_first),
		cmocka_unit_test(records_of_a_sound_leaf_are_visited),
		cmocka_unit_test(empty_root_leaf_is_sound),
		cmocka_unit_test(other_magic_ends_decoding),
		cmocka_unit_test(wrong_checksum_is_reported_and_records_are_visited),
		cmocka_unit_test(wrong_identity_is_reported_and_records_are_visited),
		cmocka_unit_test(block_of_another_place_that_begins_otherwise_is_not_visited),
		cmocka_unit_test(block_of_another_place_and_owner_is_not_visited),
		cmocka_unit_test(lsn_not_before_the_head_of_the_log_is_reported),
		cmocka_unit_test(level_that_the_contents_belie_is_reported_and_records_are_visited),
		cmocka_unit_test(level_that_nothing_bears_out_ends_decoding),
		cmocka_unit_test(a_root_knows_its_level_better_than_the_header),
		cmocka_unit_test(more_records_than_fit_end_decoding),
		cmocka_unit_test(count_that_takes_in_unused_space_is_reported_once),
		cmocka_unit_test(full_leaf_is_sound),
		cmocka_unit_test(only_a_root_may_be_less_than_half_full),
		cmocka_unit_test(root_has_no_siblings),
		cmocka_unit_test(siblings_are_blocks_of_the_ag_other_than_the_block_itself),
		cmocka_unit_test(only_the_last_block_of_a_level_has_no_right_sibling),
		cmocka_unit_test(long_siblings_may_lie_in_another_ag),
		cmocka_unit_test(first_key_must_be_what_the_parent_says),
		cmocka_unit_test(first_record_that_is_bad_is_not_held_against_the_parent),
		cmocka_unit_test(last_key_must_be_below_the_next_block),
		cmocka_unit_test(record_that_reaches_into_the_next_block_is_reported),
		cmocka_unit_test(record_out_of_order_is_reported_once_and_visited),
		cmocka_unit_test(equal_keys_are_out_of_order),
		cmocka_unit_test(long_record_over_many_is_reported_once),
		cmocka_unit_test(bad_record_is_neither_visited_nor_compared),
		cmocka_unit_test(children_of_a_sound_node_know_what_is_expected_of_them),
		cmocka_unit_test(last_child_is_bound_as_its_parent_is),
		cmocka_unit_test(only_child_of_a_root_is_held_to_no_more_than_a_root),
		cmocka_unit_test(long_pointers_lead_into_other_ags),
		cmocka_unit_test(pointers_that_cant_be_are_reported_and_not_followed),
		cmocka_unit_test(first_key_of_a_node_must_be_what_its_parent_says),
		cmocka_unit_test(children_of_a_block_in_doubt_are_in_doubt),
		cmocka_unit_test(keys_of_a_node_must_rise),
		cmocka_unit_test(last_key_of_a_node_must_be_below_the_next_node),
		cmocka_unit_test(leaves_of_version_4_begin_behind_the_siblings),
		cmocka_unit_test(nodes_of_version_4_have_their_pointers_further_on),
		cmocka_unit_test(full_leaf_of_version_4_has_more_records),
		cmocka_unit_test(magic_of_the_other_version_ends_decoding),
		cmocka_unit_test(version_4_has_no_block_of_later_trees),
	};

	return cmocka_run_group_tests_name("btree", tests, NULL, NULL);
}
