/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The usage of directories with all that is below them, in a tree and in a damaged one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../repair/ask/usage/usage.h"
#include "dir_table_made.h"

#define ROOT 128u

static const struct geometry geo = { .rootino = { ROOT } };

/* Directories and their parents: 130 is in 140, whose number is greater; 150 and 160 are in each other. */
static const uint64_t tree[][2] = { { 130, 140 }, { 140, ROOT }, { 141, ROOT }, { 150, 160 }, { 160, 150 } };
#define DIRECTORIES (sizeof(tree) / sizeof(tree[0]))

static struct path_table *paths_of_tree(void)
{
	struct path_table *paths = path_table_new(&geo, 1);
	struct dir_parent dirs[DIRECTORIES];
	struct dir_table known;

	assert_non_null(paths);
	for (size_t i = 0; i < DIRECTORIES; i++) {
		dirs[i] = (struct dir_parent){ .dir = { tree[i][0] } };
		path_table_add(paths, 0,
			       &(struct entry_fact){ .directory = { tree[i][1] },
						     .target = { tree[i][0] },
						     .ftype = FT_DIR,
						     .name = (const uint8_t *)"d",
						     .namelen = 1 });
	}
	dir_table_made(&known, dirs, DIRECTORIES, SIZE_MAX);
	assert_int_equal(path_table_settle(paths, &known), 0);
	dir_table_free(&known);
	return paths;
}

static void what_is_below_is_added(void **state)
{
	struct path_table *paths = paths_of_tree();
	struct tree_usage usage;
	size_t number;

	(void)state;
	assert_int_equal(tree_usage_new(&usage, paths), 0);
	for (size_t i = 0; i < usage.count; i++)
		usage.of[i] = (struct usage){ 1, 10, 100 };
	assert_int_equal(tree_usage_settle(&usage, (xino_t){ ROOT }), 0);
	number = path_table_find(paths, (xino_t){ ROOT });
	assert_int_equal(usage.of[number].files, 4);
	assert_int_equal(usage.of[number].apparent, 40);
	assert_int_equal(usage.of[number].used, 400);
	assert_int_equal(usage.depth[number], 0);
	number = path_table_find(paths, (xino_t){ 140 });
	assert_int_equal(usage.of[number].files, 2);
	assert_int_equal(usage.depth[number], 1);
	number = path_table_find(paths, (xino_t){ 130 });
	assert_int_equal(usage.of[number].files, 1);
	assert_int_equal(usage.depth[number], 2);
	number = path_table_find(paths, (xino_t){ 150 });
	assert_int_equal(usage.depth[number], NO_DEPTH);
	tree_usage_free(&usage);
	path_table_free(paths);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_below_is_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
