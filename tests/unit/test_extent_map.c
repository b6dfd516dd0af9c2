/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extents that overlap, against a naive twin: for each sector, the last extent of the file that has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../cache/extent_map.h"
#include "units.h"

#define SECTORS 300u

/* Finds the first extent that ends after this sector.  False: there is none. */
static bool find(const struct extent_map *map, uint64_t sector, struct map_extent *ret_found)
{
	struct map_walk walk;

	extent_map_from(map, sector, &walk);
	return extent_map_next(&walk, ret_found);
}

static void later_extents_cover_earlier_ones(void **state)
{
	static const size_t mosts[] = { 0, 2, 3, 7, 1000 };
	unsigned seed = 3;

	(void)state;
	for (unsigned round = 0; round < 1500; round++) {
		struct extent_map map = { .most = mosts[round % 5] };
		uint64_t twin[SECTORS] = { 0 }, at = 24, covered = 0;
		const unsigned longest = round % 2 ? 40 : 2, count = 1 + round % 400;
		struct map_extent found;
		struct map_walk walk;

		for (unsigned i = 0; i < count; i++) {
			const struct map_extent extent = { (unsigned)rand_r(&seed) % (SECTORS - 40),
							   1 + (unsigned)rand_r(&seed) % longest, at };

			assert_int_equal(extent_map_add(&map, &extent), 0);
			for (uint64_t k = 0; k < extent.len; k++)
				twin[extent.addr + k] = at + (k << SECTOR_LOG);
			at += (extent.len << SECTOR_LOG) + (rand_r(&seed) % 2 ? 12 : 0);
		}
		assert_int_equal(extent_map_settle(&map), 0);
		for (uint64_t sector = 0; sector < SECTORS; sector++) {
			const bool any = find(&map, sector, &found);

			if (!twin[sector]) {
				assert_true(!any || found.addr > sector);
				continue;
			}
			covered++;
			assert_true(any);
			assert_true(found.addr <= sector && sector < found.addr + found.len);
			assert_int_equal(found.at + ((sector - found.addr) << SECTOR_LOG), twin[sector]);
		}
		/* without overlaps, they come out as they went in */
		extent_map_from(&map, 0, &walk);
		for (uint64_t end = 0; extent_map_next(&walk, &found); end = found.addr + found.len) {
			assert_true(found.len && found.addr >= end);
			covered -= found.len;
		}
		assert_int_equal(walk.error, 0);
		assert_int_equal(covered, 0);
		extent_map_free(&map);
	}
}

static void what_goes_on_is_one_extent(void **state)
{
	struct extent_map map = { 0 };
	struct map_extent found;
	struct map_walk walk;

	(void)state;
	for (uint64_t i = 0; i < 63; i++)
		assert_int_equal(extent_map_add(&map, &(struct map_extent){ 8 + i, 1, 512 + i * 512 }), 0);
	assert_int_equal(map.count, 1);
	assert_int_equal(extent_map_add(&map, &(struct map_extent){ 71, 1, 40000 }), 0);
	assert_int_equal(map.count, 2);
	assert_int_equal(extent_map_settle(&map), 0);
	assert_int_equal(map.end, 72);
	extent_map_from(&map, 8, &walk);
	assert_true(extent_map_next(&walk, &found));
	assert_int_equal(found.len, 63);
	assert_true(extent_map_next(&walk, &found));
	assert_int_equal(found.addr, 71);
	assert_false(extent_map_next(&walk, &found));
	assert_false(find(&map, 72, &found));
	extent_map_free(&map);
}

/* Many extents, in an order in which they don't merge: at most `most` of them are in memory, and each is found. */
static void many_extents_are_in_a_file(void **state)
{
	struct extent_map map = { .most = 1000 };
	struct map_extent found;

	(void)state;
	for (uint64_t i = 0; i < 100003; i++) {
		assert_int_equal(extent_map_add(&map, &(struct map_extent){ i * 7919 % 100003 * 2, 1, i << 10 }), 0);
		assert_true(map.count <= map.most && map.room <= 2 * map.most);
	}
	assert_int_equal(extent_map_settle(&map), 0);
	assert_true(map.file.open);
	assert_null(map.extents);
	assert_int_equal(map.file.count, 100003);
	for (uint64_t i = 0; i < 100003; i += 13) {
		assert_true(find(&map, i * 7919 % 100003 * 2, &found));
		assert_int_equal(found.addr, i * 7919 % 100003 * 2);
		assert_int_equal(found.at, i << 10);
	}
	assert_int_equal(map.end, 100002 * 2 + 1);
	assert_false(find(&map, map.end, &found));
	extent_map_free(&map);
}

static void nothing_is_in_an_empty_map(void **state)
{
	struct extent_map map = { 0 };
	struct map_extent found;

	(void)state;
	assert_int_equal(extent_map_settle(&map), 0);
	assert_false(find(&map, 0, &found));
	assert_int_equal(map.end, 0);
	extent_map_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_extents_cover_earlier_ones),
		cmocka_unit_test(what_goes_on_is_one_extent),
		cmocka_unit_test(many_extents_are_in_a_file),
		cmocka_unit_test(nothing_is_in_an_empty_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
