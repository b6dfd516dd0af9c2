/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/names/dir_table.c: directories are found by number, sparse or dense, in memory or in a file. */
#include <errno.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "dir_table_made.h"
#include "in_range.h"

/* Numbers `count` directories, each at most `step` after the one before and the last one `gap` further on. */
static void number(uint64_t *inos, size_t count, uint64_t step, uint64_t gap)
{
	uint64_t ino = 100;

	for (size_t i = 0; i < count; i++) {
		ino += 1 + (uint64_t)rand() % step + (i + 1 == count ? gap : 0);
		inos[i] = ino;
	}
}

/* Makes a table of these, the last one first; the parent of each comes earlier in inos[]. */
static void collect(struct dir_table *table, const uint64_t *inos, size_t count, size_t limit)
{
	struct dir_parent *dirs = calloc(count + 1, sizeof(*dirs));

	assert_non_null(dirs);
	for (size_t i = 0; i < count; i++)
		dirs[count - 1 - i] = (struct dir_parent){ { inos[i] }, { inos[i / 3] } };
	dir_table_made(table, dirs, count, limit);
	free(dirs);
}

static void check_with(const uint64_t *inos, size_t count, size_t limit)
{
	struct dir_table table;

	collect(&table, inos, count, limit);
	assert_int_equal(dir_table_spilled(&table) > 0, limit == 0 && count > 0);
	for (size_t i = 0; i < count; i++) {
		const bool next_too = i + 1 < count && inos[i + 1] == inos[i] + 1;
		const struct dir_parent at = dir_table_at(&table, i);

		assert_int_equal(at.dir.v, inos[i]);
		assert_int_equal(at.parent.v, inos[i / 3]);
		assert_int_equal(dir_table_find(&table, (xino_t){ inos[i] }), i);
		assert_int_equal(dir_table_find(&table, (xino_t){ inos[i] + 1 }), next_too ? i + 1 : count);
	}
	assert_int_equal(dir_table_find(&table, (xino_t){ 0 }), count);
	assert_int_equal(dir_table_find(&table, (xino_t){ 99 }), count);
	assert_int_equal(dir_table_find(&table, (xino_t){ NULL_INO }), count);
	assert_int_equal(dir_table_error(&table), 0);
	dir_table_free(&table);
}

/* Parents are in memory, or in a file. */
static void check(size_t count, uint64_t step, uint64_t gap)
{
	static uint64_t inos[3000];

	number(inos, count, step, gap);
	check_with(inos, count, SIZE_MAX);
	check_with(inos, count, 0);
}

static void each_directory_is_found_and_no_other(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 31, 32, 33, 100, 3000 };
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
	uint64_t inos[200];
	struct dir_table table;

	(void)state;
	for (size_t i = 0; i < 200; i++)
		inos[i] = 1000 + i / 50 * 5;
	collect(&table, inos, 200, SIZE_MAX);
	for (size_t i = 0; i < 200; i++)
		assert_int_equal(dir_table_find(&table, (xino_t){ inos[i] }), i / 50 * 50);
	dir_table_free(&table);
}

static void a_directory_may_have_no_parent(void **state)
{
	const struct dir_parent dirs[] = { { { 5 }, { NULL_INO } }, { { 6 }, { 5 } }, { { 7 }, { NULL_INO } } };
	struct dir_table table;

	(void)state;
	dir_table_made(&table, dirs, 3, SIZE_MAX);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(dir_table_at(&table, i).parent.v, dirs[i].parent.v);
	dir_table_free(&table);
}

static void directories_are_exchanged_for_others(void **state)
{
	const struct dir_parent dirs[] = { { { 5 }, { 5 } }, { { 7 }, { 5 } }, { { 7 }, { 9 } }, { { 9 }, { 5 } } };
	const struct dir_parent off[] = { { { 7 }, { 9 } }, { { 9 }, { 5 } } };
	const struct dir_parent on[] = { { { 8 }, { 7 } }, { { 9 }, { 7 } } };
	const struct dir_parent want[] = { dirs[0], dirs[1], on[0], on[1] };
	struct dir_table table, changed = { 0 }, none = { 0 };

	(void)state;
	dir_table_made(&table, dirs, 4, SIZE_MAX);
	assert_int_equal(dir_table_change(&changed, &table, off, 2, on, 2, SIZE_MAX), 0);
	assert_int_equal(changed.count, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct dir_parent at = dir_table_at(&changed, i);

		assert_memory_equal(&at, &want[i], sizeof(at));
	}
	assert_int_equal(dir_table_change(&none, &table, on, 2, off, 2, SIZE_MAX), -ENOENT);
	dir_table_free(&changed);
	dir_table_free(&table);
}

static void a_way_up_ends_even_if_it_is_a_circle(void **state)
{
	const struct dir_parent dirs[] = { { { 5 }, { 6 } }, { { 6 }, { 7 } }, { { 7 }, { 5 } }, { { 8 }, { 7 } } };
	struct dir_table table;

	(void)state;
	dir_table_made(&table, dirs, 4, SIZE_MAX);
	assert_true(dir_table_below(&table, (xino_t){ 8 }, (xino_t){ 5 }));
	assert_true(dir_table_below(&table, (xino_t){ 8 }, (xino_t){ 8 }));
	assert_false(dir_table_below(&table, (xino_t){ 5 }, (xino_t){ 8 }));
	assert_false(dir_table_below(&table, (xino_t){ 9 }, (xino_t){ 5 }));
	dir_table_free(&table);
}

/* Files in one place and directories in another, one in twenty: as in a large file system. */
static void directories_take_few_bytes(void **state)
{
	enum { COUNT = 200000 };
	struct dir_parent *dirs = calloc(COUNT, sizeof(*dirs));
	struct dir_table table;

	(void)state;
	assert_non_null(dirs);
	for (uint64_t i = 0; i < COUNT; i++)
		dirs[i] = (struct dir_parent){ { (i % 256 << 31) + i / 256 * 20 },
					       { (i * 31 % 256 << 31) + i / 20 / 256 * 20 } };
	dir_table_made(&table, dirs, COUNT, SIZE_MAX);
	assert_in_range(dir_table_bytes(&table), COUNT, 9 * COUNT);
	dir_table_free(&table);
	dir_table_made(&table, dirs, COUNT, 0);
	assert_in_range(dir_table_bytes(&table), COUNT, 3 * COUNT);
	dir_table_free(&table);
	free(dirs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_directory_is_found_and_no_other),
		cmocka_unit_test(one_far_away_from_all_others_is_found),
		cmocka_unit_test(of_several_with_one_number_the_first_is_found),
		cmocka_unit_test(a_directory_may_have_no_parent),
		cmocka_unit_test(directories_are_exchanged_for_others),
		cmocka_unit_test(a_way_up_ends_even_if_it_is_a_circle),
		cmocka_unit_test(directories_take_few_bytes),
	};

	return cmocka_run_group_tests_name("dir_table", tests, NULL, NULL);
}
