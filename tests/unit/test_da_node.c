/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dirs.h"

/* A root with three children, hashes 100, 200, 200. */
static void make(struct dirs *d)
{
	dirs_init(d, 12, 0, 0);
	d->expect.dablk.v = leaf_space(d);
	put_da_header(d, 0x3ebe, 3);
	put16(d->block + 58, 1);
	put_leaf(d->block + 64, 100, leaf_space(d) + 1);
	put_leaf(d->block + 72, 200, leaf_space(d) + 3);
	put_leaf(d->block + 80, 200, leaf_space(d) + 2);
	seal(d, 12);
}

static bool decode(struct dirs *d, struct da_node *node)
{
	struct check c = dirs_check(d);

	seal(d, 12);
	return da_node_decode(&c, d->block, d->geo.dir_block_size, &d->expect, remember_child, d, node);
}

static void children_of_a_sound_node_are_visited_in_order(void **state)
{
	struct dirs d;
	struct da_node node;

	(void)state;
	make(&d);
	assert_true(decode(&d, &node));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nchildren, 3);
	assert_int_equal(d.children[1].v, leaf_space(&d) + 3);
	assert_int_equal(node.count, 3);
	assert_int_equal(node.level, 1);
	assert_int_equal(node.first_hash, 100);
	assert_int_equal(node.last_hash, 200);
	assert_int_equal(node.forw.v, 0);
}

static void node_of_another_place_and_owner_is_not_visited(void **state)
{
	struct dirs d;
	struct da_node node;

	(void)state;
	make(&d);
	put64(d.block + 16, DIR_DADDR + 8);
	put64(d.block + 48, DIR_INO + 1);
	assert_false(decode(&d, &node));
	assert_int_equal(d.reported.count, 2);
	assert_int_equal(reported_times(&d.reported, F_BLOCK_BLKNO), 1);
	assert_int_equal(reported_times(&d.reported, F_BLOCK_OWNER), 1);
	assert_int_equal(d.nchildren, 0);
}

static void full_node_is_sound_and_one_more_entry_is_reported(void **state)
{
	struct dirs d;
	struct da_node node;
	uint32_t max = (4096 - 64) / 8;

	(void)state;
	make(&d);
	for (uint32_t i = 0; i < max; i++)
		put_leaf(d.block + 64 + 8 * i, i, leaf_space(&d) + 1 + i);
	put16(d.block + 56, max);
	assert_true(decode(&d, &node));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nchildren, max);

	put16(d.block + 56, max + 1);
	assert_false(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_COUNT, max + 1, max);
	assert_int_equal(d.nchildren, 0);
}

static void node_without_entries_is_reported(void **state)
{
	struct dirs d;
	struct da_node node;

	(void)state;
	make(&d);
	put16(d.block + 56, 0);
	assert_false(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_COUNT, 0, (4096 - 64) / 8);
}

static void count_that_takes_in_unused_space_is_reported_once(void **state)
{
	struct dirs d;
	struct da_node node;

	(void)state;
	for (uint32_t more = 1; more < 100; more += 49) {
		make(&d);
		put16(d.block + 56, 3 + more);
		assert_true(decode(&d, &node));
		assert_reported_once(&d.reported, F_DA_COUNT, 3 + more, 3);
		assert_int_equal(d.nchildren, 3);
		assert_int_equal(node.last_hash, 200);
	}
}

static void impossible_level_is_reported_and_left_open(void **state)
{
	static const uint16_t wrong[] = { 0, 6, 0x8001 };
	struct dirs d;
	struct da_node node;

	(void)state;
	for (int i = 0; i < 3; i++) {
		make(&d);
		put16(d.block + 58, wrong[i]);
		assert_true(decode(&d, &node));
		assert_reported_once(&d.reported, F_DA_LEVEL, wrong[i], 5);
		assert_int_equal(node.level, 0);
		assert_int_equal(d.nchildren, 3);
	}
}

static void hash_out_of_order_is_reported_once_whether_too_high_or_too_low(void **state)
{
	struct dirs d;
	struct da_node node;

	(void)state;
	make(&d);
	put32(d.block + 64, 300);
	assert_true(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_ORDER, 200, 300);
	assert_int_equal(d.reported.problems[0].index, 1);
	assert_int_equal(d.nchildren, 3);

	make(&d);
	put32(d.block + 72, 99);
	assert_true(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_ORDER, 99, 100);
}

static void child_outside_of_the_leaf_space_is_reported_and_not_visited(void **state)
{
	struct dirs d;
	struct da_node node;
	uint32_t wrong[4];

	(void)state;
	make(&d);
	wrong[0] = 0;
	wrong[1] = leaf_space(&d) - 1;
	wrong[2] = leaf_space(&d); /* the node itself */
	wrong[3] = free_space(&d);
	for (int i = 0; i < 4; i++) {
		make(&d);
		put32(d.block + 76, wrong[i]);
		assert_true(decode(&d, &node));
		assert_reported_once(&d.reported, F_DA_BEFORE, wrong[i], 0);
		assert_int_equal(d.nchildren, 2);
	}
	make(&d);
	put32(d.block + 76, free_space(&d) - 1);
	assert_true(decode(&d, &node));
	assert_int_equal(d.reported.count, 0);
}

static void last_child_that_cant_be_is_a_wrong_pointer_if_its_hash_fits(void **state)
{
	struct dirs d;
	struct da_node node;

	(void)state;
	make(&d);
	put32(d.block + 84, 5);
	assert_true(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_BEFORE, 5, 0);
	assert_int_equal(node.count, 3);
}

/* Header 16 bytes, count and level at 12, entries of the root of 512-byte blocks after it. */
static void node_of_v4_has_a_short_header_and_no_identity(void **state)
{
	struct dirs d;
	struct da_node node;
	uint32_t max = (512 - 16) / 8;

	(void)state;
	dirs_init_v4(&d, 9, 0, 0, false);
	d.expect.dablk.v = leaf_space(&d);
	put_da_header(&d, 0xfebe, max);
	put16(d.block + 14, 2);
	for (uint32_t i = 0; i < max; i++)
		put_leaf(d.block + 16 + 8 * i, 1000 + i, leaf_space(&d) + 1 + i);
	assert_true(decode(&d, &node));
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nchildren, max);
	assert_int_equal(d.children[max - 1].v, leaf_space(&d) + max);
	assert_int_equal(node.level, 2);
	assert_int_equal(node.first_hash, 1000);
	assert_int_equal(node.last_hash, 1000 + max - 1);

	put16(d.block + 14, 0);
	assert_true(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_LEVEL, 0, 5);
	assert_int_equal(d.reported.problems[0].offset, 14);

	put16(d.block + 14, 1);
	put16(d.block + 12, max + 1);
	assert_false(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_COUNT, max + 1, max);
	assert_int_equal(d.reported.problems[0].offset, 12);

	put16(d.block + 12, max);
	put32(d.block + 16 + 8 * 5, 7);
	assert_true(decode(&d, &node));
	assert_reported_once(&d.reported, F_DA_ORDER, 7, 1004);

	put16(d.block + 8, 0x3ebe); /* of V5 */
	assert_false(decode(&d, &node));
	assert_reported_once(&d.reported, F_BLOCK_MAGIC, 0x3ebe, 0xfebe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_of_a_sound_node_are_visited_in_order),
		cmocka_unit_test(node_of_another_place_and_owner_is_not_visited),
		cmocka_unit_test(full_node_is_sound_and_one_more_entry_is_reported),
		cmocka_unit_test(node_without_entries_is_reported),
		cmocka_unit_test(count_that_takes_in_unused_space_is_reported_once),
		cmocka_unit_test(impossible_level_is_reported_and_left_open),
		cmocka_unit_test(hash_out_of_order_is_reported_once_whether_too_high_or_too_low),
		cmocka_unit_test(child_outside_of_the_leaf_space_is_reported_and_not_visited),
		cmocka_unit_test(last_child_that_cant_be_is_a_wrong_pointer_if_its_hash_fits),
		cmocka_unit_test(node_of_v4_has_a_short_header_and_no_identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
