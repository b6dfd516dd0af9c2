/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which paths --extract wants. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "inventory/extract/wanted.h"

static enum wanted_how look(struct wanted *w, const char *path)
{
	return wanted_look(w, (const uint8_t *)path, strlen(path));
}

static void by_names(void **state)
{
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("/a/b/,//c", &w), 0);
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
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("/a\\,b\\\\,/", &w), 0);
	assert_true(w.all);
	assert_int_equal(w.paths[0].len, 5);
	assert_memory_equal(w.paths[0].path, "/a,b\\", 5);
	assert_int_equal(look(&w, ""), WANTED_YES);
	assert_int_equal(look(&w, "/anything"), WANTED_YES);
	wanted_free(&w);
}

static void refused(void **state)
{
	struct wanted w;

	(void)state;
	assert_int_equal(wanted_parse("", &w), -EINVAL);
	assert_int_equal(wanted_parse("a", &w), -EINVAL);
	assert_int_equal(wanted_parse("/a,", &w), -EINVAL);
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
	const struct CMUnitTest tests[] = { cmocka_unit_test(by_names), cmocka_unit_test(root_and_commas),
					    cmocka_unit_test(refused), cmocka_unit_test(archives) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
