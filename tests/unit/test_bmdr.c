/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

#define FORK_SIZE 336u
#define MAX	  ((FORK_SIZE - 4) / 16) /* 20 */

/* A root in a fork of FORK_SIZE bytes, and the result of decoding it. */
struct root {
	struct btrees b;
	uint8_t fork[FORK_SIZE];
	uint8_t level;
};

static void make(struct root *r, uint32_t level, uint32_t numrecs)
{
	memset(r, 0, sizeof(*r));
	r->b.geo = btrees_geometry();
	r->b.rules = (struct bmap_rules){ .max_off = 1ull << 51 };
	r->b.expect = (struct btree_expect){ .kind = BT_BMAP, .owner = INO, .rules = &r->b.rules };
	put16(r->fork, level);
	put16(r->fork + 2, numrecs);
	for (uint32_t i = 0; i < MAX; i++) {
		put64(r->fork + 4 + 8 * i, i * 1000);
		put64(r->fork + 4 + 8 * MAX + 8 * i, 2 << 15 | (500 + i));
	}
}

static bool decode_size(struct root *r, size_t size)
{
	struct btrees *b = &r->b;
	struct check c = { &b->geo, reported_add, &b->reported };
	struct btree_visitor visitor = { .ctx = b, .record = remember_record, .child = remember_child };

	memset(&b->reported, 0, sizeof(b->reported));
	b->nchildren = 0;
	return bmdr_decode(&c, r->fork, size, &b->expect, &visitor, &b->found, &r->level);
}

static void children_of_a_sound_root_are_visited(void **state)
{
	struct root r;
	const struct btree_expect *child;

	(void)state;
	make(&r, 2, 3);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_int_equal(r.b.reported.count, 0);
	assert_int_equal(r.level, 2);
	assert_int_equal(r.b.found.numrecs, 3);
	assert_true(r.b.found.left == NULL_FSBNO);
	assert_true(r.b.found.keys_ok);
	assert_int_equal(r.b.nchildren, 3);
	child = &r.b.children[1];
	assert_int_equal(child->kind, BT_BMAP);
	assert_int_equal(child->agno.v, 2);
	assert_int_equal(child->agbno.v, 501);
	assert_true(child->owner == INO);
	assert_ptr_equal(child->rules, &r.b.rules);
	assert_int_equal(child->level, 1);
	assert_false(child->root);
	assert_true(child->keys_ok);
	assert_true(child->has_low);
	assert_true(child->low.k[0] == 1000);
	assert_true(child->has_bound);
	assert_true(child->bound.k[0] == 2000);
	assert_false(r.b.children[2].has_bound);
}

static void pointers_lie_behind_the_room_for_keys(void **state)
{
	struct root r;

	(void)state;
	make(&r, 1, 1);
	/* in a fork of 100 bytes there is room for 6 keys */
	put64(r.fork + 4 + 8 * 6, 3 << 15 | 77);
	assert_true(decode_size(&r, 100));
	assert_int_equal(r.b.reported.count, 0);
	assert_int_equal(r.b.children[0].agno.v, 3);
	assert_int_equal(r.b.children[0].agbno.v, 77);
}

static void only_child_may_be_less_than_half_full(void **state)
{
	struct root r;

	(void)state;
	make(&r, 1, 1);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_true(r.b.children[0].root);
	make(&r, 1, 2);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_false(r.b.children[0].root);
}

static void full_root_is_sound_and_one_more_child_is_reported(void **state)
{
	struct root r;

	(void)state;
	make(&r, 1, MAX);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_int_equal(r.b.reported.count, 0);
	assert_int_equal(r.b.nchildren, MAX);
	make(&r, 1, MAX + 1);
	assert_false(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BMDR_NUMRECS, MAX + 1, MAX);
	assert_int_equal(r.b.nchildren, 0);
}

static void root_without_children_is_reported(void **state)
{
	struct root r;

	(void)state;
	make(&r, 1, 0);
	assert_false(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BMDR_NUMRECS, 0, MAX);
}

static void level_zero_or_beyond_the_limit_is_reported(void **state)
{
	struct root r;

	(void)state;
	make(&r, 0, 1);
	assert_false(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BMDR_LEVEL, 0, 4);
	make(&r, 4, 1);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_int_equal(r.b.reported.count, 0);
	make(&r, 5, 1);
	assert_false(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BMDR_LEVEL, 5, 4);
	make(&r, 0x101, 1);
	assert_false(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BMDR_LEVEL, 0x101, 4);
}

static void fork_too_small_for_a_root_is_reported(void **state)
{
	struct root r;

	(void)state;
	make(&r, 1, 1);
	assert_false(decode_size(&r, 19));
	assert_reported_once(&r.b.reported, F_BMDR_NUMRECS, 1, 0);
	assert_false(decode_size(&r, 3));
	assert_reported_once(&r.b.reported, F_BMDR_NUMRECS, 0, 0);
	assert_false(decode_size(&r, 0));
	assert_reported_once(&r.b.reported, F_BMDR_NUMRECS, 0, 0);
}

static void keys_and_pointers_are_checked_as_in_any_node(void **state)
{
	struct root r;

	(void)state;
	make(&r, 1, 3);
	put64(r.fork + 4 + 8, 9000);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BTREE_ORDER, 2000, 9000);
	assert_int_equal(r.b.reported.problems[0].offset, 4 + 16);
	assert_false(r.b.found.keys_ok);
	make(&r, 1, 3);
	put64(r.fork + 4 + 8 * MAX + 8, 7ull << 15);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BTREE_POINTER, 7ull << 15, 0);
	assert_int_equal(r.b.reported.problems[0].offset, 4 + 8 * MAX + 8);
	assert_int_equal(r.b.nchildren, 2);
}

/* ---- realtime trees, which can have records in the root: ondisk 09 ---- */

static void make_rt(struct root *r, enum btree_kind kind, uint32_t level, uint32_t numrecs)
{
	make(r, level, numrecs);
	memset(r->fork + 4, 0, sizeof(r->fork) - 4);
	r->b.expect.kind = kind;
	r->b.expect.rgno = 1;
}

static void realtime_records_can_lie_in_the_root(void **state)
{
	struct root r;

	(void)state;
	make_rt(&r, BT_RTREFC, 0, 1);
	put32(r.fork + 4, 100);
	put32(r.fork + 8, 5);
	put32(r.fork + 12, 2);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_int_equal(r.b.reported.count, 0);
	assert_int_equal(r.level, 0);
	assert_int_equal(r.b.nrecords, 1);
	assert_int_equal(r.b.records[0].refcount.start.v, 100);
	make_rt(&r, BT_RTRMAP, 0, 0);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_int_equal(r.b.reported.count, 0);
	/* (336 - 4) / 24 fit */
	make_rt(&r, BT_RTRMAP, 0, 14);
	assert_false(decode_size(&r, FORK_SIZE));
	assert_reported_once(&r.b.reported, F_BMDR_NUMRECS, 14, 13);
}

static void pointers_of_realtime_roots_lie_behind_two_keys_a_child(void **state)
{
	struct root r;

	(void)state;
	/* (336 - 4) / (2 * 4 + 8) = 20 children; the pointers lie after 20 keys of 4 bytes */
	make_rt(&r, BT_RTREFC, 1, 2);
	put32(r.fork + 4, 100);
	put32(r.fork + 8, 200);
	put64(r.fork + 4 + 20 * 4, 2 << 15 | 500);
	put64(r.fork + 4 + 20 * 4 + 8, 2 << 15 | 501);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_int_equal(r.b.reported.count, 0);
	assert_int_equal(r.b.nchildren, 2);
	assert_int_equal(r.b.children[1].agbno.v, 501);
	assert_int_equal(r.b.children[1].rgno, 1);
	/* (336 - 4) / (40 + 8) = 6 */
	make_rt(&r, BT_RTRMAP, 1, 1);
	put64(r.fork + 4 + 6 * 40, 2 << 15 | 502);
	assert_true(decode_size(&r, FORK_SIZE));
	assert_int_equal(r.b.nchildren, 1);
	assert_int_equal(r.b.children[0].agbno.v, 502);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_of_a_sound_root_are_visited),
		cmocka_unit_test(pointers_lie_behind_the_room_for_keys),
		cmocka_unit_test(only_child_may_be_less_than_half_full),
		cmocka_unit_test(full_root_is_sound_and_one_more_child_is_reported),
		cmocka_unit_test(root_without_children_is_reported),
		cmocka_unit_test(level_zero_or_beyond_the_limit_is_reported),
		cmocka_unit_test(fork_too_small_for_a_root_is_reported),
		cmocka_unit_test(keys_and_pointers_are_checked_as_in_any_node),
		cmocka_unit_test(realtime_records_can_lie_in_the_root),
		cmocka_unit_test(pointers_of_realtime_roots_lie_behind_two_keys_a_child),
	};

	return cmocka_run_group_tests_name("bmdr", tests, NULL, NULL);
}
