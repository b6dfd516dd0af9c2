/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/base/mend_map.c: maps of a few extents are changed, and checked block by block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../repair/mend/base/mend_map.h"

#define BLOCKS 64u /* of the files */

static void add(struct mend_map *map, uint64_t off, uint64_t start, uint32_t len)
{
	const struct bmap_record extent = { .off.v = off, .start.v = start, .len = len };

	assert_int_equal(mend_map_add(map, &extent), 0);
}

/* Returns where a block of the file lies; 0: in a hole. */
static uint64_t block_at(const struct mend_map *map, uint64_t off)
{
	uint64_t found = 0;

	for (size_t i = 0; i < map->count; i++) {
		const struct bmap_record *e = &map->v[i];

		if (off < e->off.v || off >= mend_map_end(e))
			continue;
		assert_int_equal(found, 0); /* no block twice */
		found = e->start.v + (off - e->off.v);
	}
	return found;
}

static void assert_sorted(const struct mend_map *map)
{
	for (size_t i = 0; i < map->count; i++) {
		assert_int_not_equal(map->v[i].len, 0);
		assert_true(!i || mend_map_end(&map->v[i - 1]) <= map->v[i].off.v);
	}
}

static struct mend_map sample(void)
{
	struct mend_map map = { 0 };

	add(&map, 2, 100, 6);
	add(&map, 8, 200, 4);
	add(&map, 20, 300, 1);
	add(&map, 30, 400, 20);
	return map;
}

static void what_is_cut_out_is_all_that_was_there(void **state)
{
	const struct mend_map before = sample();

	(void)state;
	for (uint64_t from = 0; from < BLOCKS; from++) {
		for (uint64_t to = from; to < BLOCKS; to++) {
			struct mend_map map = sample(), cut = { 0 };

			assert_int_equal(mend_map_cut(&map, from, to, &cut), 0);
			assert_sorted(&map);
			assert_sorted(&cut);
			for (uint64_t off = 0; off < BLOCKS; off++) {
				bool inside = off >= from && off < to;

				assert_int_equal(block_at(&map, off), inside ? 0 : block_at(&before, off));
				assert_int_equal(block_at(&cut, off), inside ? block_at(&before, off) : 0);
			}
			assert_int_equal(mend_map_blocks(map.v, map.count) + mend_map_blocks(cut.v, cut.count),
					 mend_map_blocks(before.v, before.count));
			free(map.v);
			free(cut.v);
		}
	}
	free(before.v);
}

static void only_holes_are_filled(void **state)
{
	struct mend_map map = sample(), more = { 0 };

	(void)state;
	add(&more, 0, 1000, BLOCKS);
	assert_int_equal(mend_map_merge(&map, &more), 0);
	assert_sorted(&map);
	assert_int_equal(mend_map_blocks(map.v, map.count), BLOCKS);
	assert_int_equal(block_at(&map, 1), 1001);
	assert_int_equal(block_at(&map, 2), 100);
	assert_int_equal(block_at(&map, 19), 1019);
	assert_int_equal(block_at(&map, 20), 300);
	assert_int_equal(block_at(&map, 63), 1063);
	free(map.v);
	free(more.v);
}

static void only_what_follows_in_both_is_joined(void **state)
{
	struct mend_map map = { 0 };

	(void)state;
	add(&map, 0, 100, 2);
	add(&map, 2, 102, 3); /* follows */
	add(&map, 5, 106, 1); /* not on the device */
	add(&map, 7, 107, 1); /* not in the file */
	add(&map, 8, 108, 1);
	map.v[4].unwritten = true;
	mend_map_join(&map);
	assert_int_equal(map.count, 4);
	assert_int_equal(map.v[0].len, 5);
	assert_int_equal(map.v[3].start.v, 108);
	free(map.v);
}

/* An rmap record may be longer than an extent record. */
static void what_is_too_long_for_a_record_becomes_several(void **state)
{
	const uint32_t len = 5u << 20;
	struct mend_map map = { 0 };
	uint64_t at = 0;

	(void)state;
	add(&map, 7, 100, len);
	assert_int_equal(map.count, 3);
	for (size_t i = 0; i < map.count; i++) {
		assert_int_equal(map.v[i].off.v, 7 + at);
		assert_int_equal(map.v[i].start.v, 100 + at);
		assert_in_range(map.v[i].len, 1, (1u << 21) - 1);
		at += map.v[i].len;
	}
	assert_int_equal(at, len);
	mend_map_join(&map);
	assert_int_equal(map.count, 3);
	free(map.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_cut_out_is_all_that_was_there),
		cmocka_unit_test(only_holes_are_filled),
		cmocka_unit_test(only_what_follows_in_both_is_joined),
		cmocka_unit_test(what_is_too_long_for_a_record_becomes_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
