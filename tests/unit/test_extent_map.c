/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extents that cover each other against a naive twin: for each sector, the last one of the file that has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../cache/extent_map.h"
#include "units.h"

#define SECTORS 300u

static void later_extents_cover_earlier_ones(void **state)
{
	unsigned seed = 3;

	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct extent_map map = { 0 };
		uint64_t twin[SECTORS] = { 0 }, at = 24;

		for (unsigned i = 0; i < 1 + round % 40; i++) {
			const struct map_extent extent = { (unsigned)rand_r(&seed) % (SECTORS - 40),
							   1 + (unsigned)rand_r(&seed) % 40, at };

			assert_int_equal(extent_map_add(&map, &extent), 0);
			for (uint64_t k = 0; k < extent.len; k++)
				twin[extent.addr + k] = at + (k << SECTOR_LOG);
			at += (extent.len << SECTOR_LOG) + (rand_r(&seed) % 2 ? 12 : 0);
		}
		assert_int_equal(extent_map_settle(&map), 0);
		for (uint64_t sector = 0; sector < SECTORS; sector++) {
			const struct map_extent *found = extent_map_from(&map, sector);

			if (!twin[sector]) {
				assert_true(!found || found->addr > sector);
				continue;
			}
			assert_non_null(found);
			assert_true(found->addr <= sector && sector < found->addr + found->len);
			assert_int_equal(found->at + ((sector - found->addr) << SECTOR_LOG), twin[sector]);
		}
		extent_map_free(&map);
	}
}

static void what_goes_on_is_one_extent(void **state)
{
	struct extent_map map = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 63; i++)
		assert_int_equal(extent_map_add(&map, &(struct map_extent){ 8 + i, 1, 512 + i * 512 }), 0);
	assert_int_equal(map.count, 1);
	assert_int_equal(extent_map_add(&map, &(struct map_extent){ 71, 1, 40000 }), 0);
	assert_int_equal(map.count, 2);
	assert_int_equal(extent_map_settle(&map), 0);
	assert_int_equal(extent_map_end(&map), 72);
	assert_ptr_equal(extent_map_next(&map, extent_map_from(&map, 8)), extent_map_from(&map, 71));
	assert_null(extent_map_from(&map, 72));
	extent_map_free(&map);
}

static void nothing_is_in_an_empty_map(void **state)
{
	struct extent_map map = { 0 };

	(void)state;
	assert_int_equal(extent_map_settle(&map), 0);
	assert_null(extent_map_from(&map, 0));
	assert_int_equal(extent_map_end(&map), 0);
	extent_map_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_extents_cover_earlier_ones),
		cmocka_unit_test(what_goes_on_is_one_extent),
		cmocka_unit_test(nothing_is_in_an_empty_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
