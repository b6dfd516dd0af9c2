/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths from a table of names of directories: in a tree, and in a damaged one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/path_table.h"
#include "dir_table_made.h"

#define ROOT 128u

static const struct geometry geo = { .rootino = { ROOT } };

struct name {
	uint64_t dir, parent;
	const char *name;
};

/* Makes a table of these names; all their targets and parents are directories. */
static struct path_table *table_of(const struct name *names, size_t count)
{
	struct path_table *table = path_table_new(&geo, 2);
	struct dir_parent *dirs = calloc(count + 1, sizeof(*dirs));
	struct dir_table known;

	assert_non_null(table);
	assert_non_null(dirs);
	for (size_t i = 0; i < count; i++) {
		const struct entry_fact entry = { .directory = { names[i].parent },
						  .target = { names[i].dir },
						  .ftype = i % 2 ? FT_DIR : FT_UNKNOWN,
						  .name = (const uint8_t *)names[i].name,
						  .namelen = (uint8_t)strlen(names[i].name) };

		dirs[i] = (struct dir_parent){ .dir = { names[i].dir } };
		path_table_add(table, i % 2, &entry);
	}
	dir_table_made(&known, dirs, count, SIZE_MAX);
	assert_int_equal(path_table_settle(table, &known), 0);
	dir_table_free(&known);
	free(dirs);
	return table;
}

static void expect_path(const struct path_table *table, uint64_t dir, const char *want)
{
	struct byte_buffer path = { 0 };

	assert_int_equal(path_table_path(table, (xino_t){ dir }, &path), 0);
	assert_int_equal(path.len, strlen(want));
	assert_memory_equal(path.bytes ? path.bytes : (uint8_t *)"", want, path.len);
	free(path.bytes);
}

/* Checks the path of a directory, derived from the path of the directory before. */
static void expect_way(struct path_way *way, uint64_t dir, uint64_t top, const char *want)
{
	assert_int_equal(path_way_to(way, (xino_t){ dir }), 0);
	assert_int_equal(way->top.v, top);
	assert_int_equal(way->path.len, strlen(want));
	assert_memory_equal(way->path.bytes ? way->path.bytes : (uint8_t *)"", want, way->path.len);
}

static void end_way(struct path_way *way)
{
	free(way->path.bytes);
	free(way->steps);
}

/* From each directory to each, the root and unknown ones among them. */
static void ways(void **state)
{
	static const struct name names[] = { { 131, ROOT, "a" }, { 132, 131, "b" },  { 133, 132, "c" },
					     { 134, 132, "d" },	 { 140, ROOT, "a" }, { 150, 999, "a" },
					     { 151, 150, "b" },	 { 160, 161, "l" },  { 161, 160, "m" } };
	static const struct {
		uint64_t dir, top;
		const char *path;
	} all[] = { { ROOT, ROOT, "" },	     { 131, ROOT, "/a" },     { 132, ROOT, "/a/b" },
		    { 133, ROOT, "/a/b/c" }, { 134, ROOT, "/a/b/d" }, { 140, ROOT, "/a" },
		    { 150, 999, "/a" },	     { 151, 999, "/a/b" },    { 777, 777, "" } };
	struct path_table *table = table_of(names, sizeof(names) / sizeof(names[0]));
	struct path_way way = { .table = table };

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
			expect_way(&way, all[i].dir, all[i].top, all[i].path);
			expect_way(&way, all[k].dir, all[k].top, all[k].path);
		}
	}
	/* one directory of a loop loses its parent */
	assert_int_equal(path_way_to(&way, (xino_t){ 161 }), 0);
	assert_true(way.path.len == 2 || way.path.len == 4);
	end_way(&way);
	path_table_free(table);
}

static void tree(void **state)
{
	static const struct name names[] = {
		{ 131, ROOT, "a" }, { 132, 131, "b" }, { 133, 132, "c" }, { 140, ROOT, "d" }
	};
	struct path_table *table = table_of(names, 4);

	(void)state;
	assert_int_equal(path_table_count(table), 5);
	expect_path(table, ROOT, "");
	expect_path(table, 131, "/a");
	expect_path(table, 133, "/a/b/c");
	expect_path(table, 140, "/d");
	assert_int_equal(path_table_ino(table, path_table_parent(table, path_table_find(table, (xino_t){ 133 }))).v,
			 132);
	assert_int_equal(path_table_parent(table, path_table_find(table, (xino_t){ ROOT })), path_table_count(table));
	path_table_free(table);
}

static void without_a_way_to_the_root(void **state)
{
	static const struct name names[] = { { 131, 999, "a" }, { 132, 131, "b" } };
	struct path_table *table = table_of(names, 2);

	(void)state;
	expect_path(table, 132, "…/a/b");
	expect_path(table, 777, "…");
	path_table_free(table);
}

/* Each path ends, and has each name at most once. */
static void loop(void **state)
{
	static const struct name names[] = {
		{ 131, 133, "a" }, { 132, 131, "b" }, { 133, 132, "c" }, { 140, 133, "d" }, { 150, 150, "e" }
	};
	struct path_table *table = table_of(names, 5);
	struct byte_buffer path = { 0 };

	(void)state;
	for (uint64_t ino = 131; ino <= 150; ino++) {
		assert_int_equal(path_table_path(table, (xino_t){ ino }, &path), 0);
		assert_true(path.len >= 3 && path.len <= 3 + 2 * 5);
		assert_memory_equal(path.bytes, "…", 3);
	}
	free(path.bytes);
	path_table_free(table);
}

/* The name in the directory with the smallest number is used, whatever the order in which they come. */
static void several_names(void **state)
{
	static const struct name names[] = {
		{ 131, ROOT, "x" }, { 131, 5, "z" }, { 131, ROOT, "b" }, { 131, ROOT, "bb" }, { ROOT, 131, "up" }
	};
	struct path_table *table = table_of(names, 5);

	(void)state;
	assert_int_equal(path_table_count(table), 2);
	expect_path(table, 131, "…/z");
	expect_path(table, ROOT, "");
	path_table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree), cmocka_unit_test(ways),		 cmocka_unit_test(without_a_way_to_the_root),
		cmocka_unit_test(loop), cmocka_unit_test(several_names),
	};

	return cmocka_run_group_tests_name("path_table", tests, NULL, NULL);
}
