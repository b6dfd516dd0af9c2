/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that could lead out of a folder. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "ask/extract/safe_name.h"

static void expect_made(const char *name, size_t len, const char *want)
{
	uint8_t bytes[SAFE_NAME_ROOM];

	memcpy(bytes, name, len);
	assert_int_equal(safe_name_make(bytes, len), memcmp(name, want, len) != 0);
	assert_memory_equal(bytes, want, len);
}

static void harmful_names(void **state)
{
	(void)state;
	expect_made("a", 1, "a");
	expect_made(".", 1, "_");
	expect_made("..", 2, "__");
	expect_made("...", 3, "...");
	expect_made(".a", 2, ".a");
	expect_made("../x", 4, ".._x");
	expect_made("/etc", 4, "_etc");
	expect_made("a\0b", 3, "a_b");
	expect_made("\xff\xfe\n", 3, "\xff\xfe\n");
}

static void paths(void **state)
{
	static const uint8_t good[] = "/a//bc/\xff/", dots[] = "/a/../b", nul[] = "/a\0b";
	const uint8_t *at = good;
	char name[SAFE_NAME_ROOM];
	uint8_t longest[SAFE_NAME_ROOM + 1];

	(void)state;
	assert_int_equal(safe_name_next(&at, good + sizeof(good) - 1, name), 1);
	assert_string_equal(name, "a");
	assert_int_equal(safe_name_next(&at, good + sizeof(good) - 1, name), 1);
	assert_string_equal(name, "bc");
	assert_int_equal(safe_name_next(&at, good + sizeof(good) - 1, name), 1);
	assert_string_equal(name, "\xff");
	assert_int_equal(safe_name_next(&at, good + sizeof(good) - 1, name), 0);
	at = dots + 2;
	assert_int_equal(safe_name_next(&at, dots + sizeof(dots) - 1, name), -EINVAL);
	at = nul;
	assert_int_equal(safe_name_next(&at, nul + sizeof(nul) - 1, name), -EINVAL);
	memset(longest, 'x', sizeof(longest));
	at = longest;
	assert_int_equal(safe_name_next(&at, longest + 256, name), -EINVAL);
	at = longest;
	assert_int_equal(safe_name_next(&at, longest + 255, name), 1);
	assert_int_equal(strlen(name), 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(harmful_names), cmocka_unit_test(paths) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
