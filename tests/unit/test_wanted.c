/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which paths --extract selects. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "ask/extract/wanted.h"

static enum wanted_how look(struct wanted *w, const char *path)
{
	return wanted_look(w, (const uint8_t *)path, strlen(path));
}

static void by_names(void **state)
{
	char why[WANTED_WHY];
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("/a/b/,//c", NULL, &w, why), 0);
	assert_false(w.all);
	assert_int_equal(w.count, 2);
	assert_int_equal(look(&w, ""), WANTED_WAY);
	assert_int_equal(look(&w, "/a"), WANTED_WAY);
	assert_false(w.paths[0].met);
	assert_int_equal(look(&w, "/a/b"), WANTED_YES);
	assert_true(w.paths[0].met);
	assert_false(w.paths[1].met);
	assert_int_equal(look(&w, "/a/b/x/y"), WANTED_YES);
	assert_int_equal(look(&w, "/a/bc"), WANTED_NOT);
	assert_int_equal(look(&w, "/c"), WANTED_YES);
	assert_int_equal(look(&w, "/cc"), WANTED_NOT);
	wanted_free(&w);
}

static void root_and_commas(void **state)
{
	char why[WANTED_WHY];
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("/a\\,b\\\\,/", NULL, &w, why), 0);
	assert_true(w.all);
	assert_int_equal(w.paths[1].len, 5);
	assert_memory_equal(w.paths[1].path, "/a,b\\", 5);
	assert_int_equal(look(&w, ""), WANTED_YES);
	assert_int_equal(look(&w, "/anything"), WANTED_YES);
	wanted_free(&w);
}

static void refused(void **state)
{
	char why[WANTED_WHY];
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("", NULL, &w, why), -EINVAL);
	assert_int_equal(wanted_parse("a", NULL, &w, why), -EINVAL);
	assert_int_equal(wanted_parse("/a,", NULL, &w, why), -EINVAL);
	wanted_free(&w);
}

static void excluded(void **state)
{
	char why[WANTED_WHY];
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("/a,/b,130", "/a/x/,*.iso,/b", &w, why), 0);
	assert_int_equal(w.ninos, 1);
	assert_int_equal(w.inos[0].ino.v, 130);
	assert_int_equal(look(&w, "/a"), WANTED_YES);
	assert_int_equal(look(&w, "/a/x"), WANTED_NOT);
	assert_int_equal(look(&w, "/a/x/y"), WANTED_NOT);
	assert_int_equal(look(&w, "/a/xy"), WANTED_YES);
	assert_int_equal(look(&w, "/a/1.iso"), WANTED_NOT);
	assert_int_equal(look(&w, "/a/1.iso/below"), WANTED_NOT);
	assert_int_equal(look(&w, "/b"), WANTED_NOT);
	wanted_free(&w);
	assert_int_equal(wanted_parse("/a", "/a,", &w, why), -EINVAL);
}

/* "-" and "." come before "/" in the order of bytes. */
static void among_neighbours(void **state)
{
	char why[WANTED_WHY];
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("/a-,/a/b/c,/a.b,/a", NULL, &w, why), 0);
	assert_int_equal(look(&w, "/a/b/c/d"), WANTED_YES);
	for (size_t i = 0; i < w.count; i++)
		assert_int_equal(w.paths[i].met, w.paths[i].len == 2 || w.paths[i].len == 6);
	wanted_free(&w);
	assert_int_equal(wanted_parse("/a-,/a/b/c,/a.b", NULL, &w, why), 0);
	assert_int_equal(look(&w, "/a"), WANTED_WAY);
	assert_int_equal(look(&w, "/a/b"), WANTED_WAY);
	assert_int_equal(look(&w, "/a.b/c"), WANTED_YES);
	assert_int_equal(look(&w, "/a-b"), WANTED_NOT);
	wanted_free(&w);
}

static void archives(void **state)
{
	(void)state;
	assert_true(wanted_is_archive("-"));
	assert_true(wanted_is_archive("x.tar"));
	assert_true(wanted_is_archive("./x.tar"));
	assert_false(wanted_is_archive(".tar"));
	assert_false(wanted_is_archive("x.tar/"));
	assert_false(wanted_is_archive("x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(by_names),		cmocka_unit_test(root_and_commas),
					    cmocka_unit_test(refused),		cmocka_unit_test(excluded),
					    cmocka_unit_test(among_neighbours), cmocka_unit_test(archives) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
