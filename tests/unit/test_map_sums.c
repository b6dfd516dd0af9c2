/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of an extent map, in one go and leaf by leaf. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "check/walk/map_sums.h"

/* off, start, len, unwritten */
static const struct bmap_record records[] = {
	{ { 0 }, { 100 }, 10, false }, { { 10 }, { 110 }, 5, false }, /* goes on on the device, too */
	{ { 15 }, { 300 }, 5, true },  { { 20 }, { 115 }, 5, false }, /* after the written one before it */
	{ { 30 }, { 50 }, 10, false },				      /* after a hole */
	{ { 40 }, { 60 }, 8, true },
};
#define RECORDS (sizeof(records) / sizeof(records[0]))

static void check(const struct map_sums *sums)
{
	assert_int_equal(sums->extents, 6);
	assert_int_equal(sums->ranges, 2);
	assert_int_equal(sums->jumps, 2);
	assert_int_equal(sums->blocks, 43);
	assert_int_equal(sums->unwritten, 13);
	assert_int_equal(sums->beyond, 13); /* the file has 35 blocks */
	assert_int_equal(sums->off, 0);
	assert_int_equal(sums->end, 48);
}

static void extents_add_up(void **state)
{
	struct map_sums sums = { 0 };

	(void)state;
	for (size_t i = 0; i < RECORDS; i++)
		map_sums_add(&sums, &records[i], 35);
	check(&sums);
}

static void leaves_join_wherever_they_are_cut(void **state)
{
	(void)state;
	for (size_t first = 0; first <= RECORDS; first++) {
		for (size_t second = first; second <= RECORDS; second++) {
			struct map_sums leaf[3], all = { 0 };

			memset(leaf, 0, sizeof(leaf));
			for (size_t i = 0; i < RECORDS; i++)
				map_sums_add(&leaf[(i >= first) + (i >= second)], &records[i], 35);
			for (unsigned i = 0; i < 3; i++)
				map_sums_join(&all, &leaf[i]);
			check(&all);
		}
	}
}

static void nothing_is_read_of_unwritten_extents(void **state)
{
	struct map_sums sums = { 0 };

	(void)state;
	map_sums_add(&sums, &records[2], 0);
	map_sums_add(&sums, &records[5], 0);
	assert_int_equal(sums.jumps, 0);
	assert_int_equal(sums.ranges, 2);
	assert_int_equal(sums.beyond, 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(extents_add_up),
		cmocka_unit_test(leaves_join_wherever_they_are_cut),
		cmocka_unit_test(nothing_is_read_of_unwritten_extents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
