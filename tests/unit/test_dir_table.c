/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/names/dir_table.c: directories are found by number, however these lie. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../repair/names/dir_table.h"
#include "../../repair/walk/walker.h"

/* Number `count` directories, each at most `step` behind the one before and the last one `gap` further on. */
static void number(uint64_t *inos, size_t count, uint64_t step, uint64_t gap)
{
	uint64_t ino = 100;

	for (size_t i = 0; i < count; i++) {
		ino += 1 + (uint64_t)rand() % step + (i + 1 == count ? gap : 0);
		inos[i] = ino;
	}
}

static void collect(struct dir_table *table, const uint64_t *inos, size_t count)
{
	struct walker *walker = calloc(1, sizeof(*walker));
	struct traverse traverse = { .walkers = &walker, .nwalkers = 1 };

	assert_non_null(walker);
	walker->dirs = calloc(count + 1, sizeof(*walker->dirs));
	assert_non_null(walker->dirs);
	for (; walker->ndirs < count; walker->ndirs++) /* the last one first */
		walker->dirs[walker->ndirs].dir.v = inos[count - 1 - walker->ndirs];
	*table = (struct dir_table){ 0 };
	assert_int_equal(dir_table_collect(&traverse, table), 0);
	assert_int_equal(table->count, count);
	free(walker);
}

static void check(size_t count, uint64_t step, uint64_t gap)
{
	static uint64_t inos[3000];
	struct dir_table table;

	number(inos, count, step, gap);
	collect(&table, inos, count);
	for (size_t i = 0; i < count; i++) {
		bool next_too = i + 1 < count && inos[i + 1] == inos[i] + 1;

		assert_int_equal(dir_table_find(&table, (xino_t){ inos[i] }), i);
		assert_int_equal(dir_table_find(&table, (xino_t){ inos[i] + 1 }), next_too ? i + 1 : count);
	}
	assert_int_equal(dir_table_find(&table, (xino_t){ 0 }), count);
	assert_int_equal(dir_table_find(&table, (xino_t){ 99 }), count);
	assert_int_equal(dir_table_find(&table, (xino_t){ NULL_INO }), count);
	dir_table_free(&table);
}

static void each_directory_is_found_and_no_other(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 7, 8, 9, 100, 3000 };
	static const uint64_t steps[] = { 1, 2, 64, 1000000 };

	(void)state;
	srand(3);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		for (size_t k = 0; k < sizeof(steps) / sizeof(steps[0]); k++)
			check(counts[i], steps[k], 0);
}

static void one_far_away_from_all_others_is_found(void **state)
{
	(void)state;
	check(3000, 4, 1ull << 40);
	check(3000, 4, UINT64_MAX - 100000);
	check(2, 4, 1ull << 40);
}

static void of_several_with_one_number_the_first_is_found(void **state)
{
	uint64_t inos[40];
	struct dir_table table;

	(void)state;
	for (size_t i = 0; i < 40; i++)
		inos[i] = 1000 + i / 3 * 5;
	collect(&table, inos, 40);
	for (size_t i = 0; i < 40; i++)
		assert_int_equal(dir_table_find(&table, (xino_t){ inos[i] }), i / 3 * 3);
	dir_table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_directory_is_found_and_no_other),
		cmocka_unit_test(one_far_away_from_all_others_is_found),
		cmocka_unit_test(of_several_with_one_number_the_first_is_found),
	};

	return cmocka_run_group_tests_name("dir_table", tests, NULL, NULL);
}
