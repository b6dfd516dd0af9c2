/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that get their name once they are complete. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "output.h"

static int set_up(void **state)
{
	char *folder = strdup("/tmp/xfsck-nameless-XXXXXX");

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	*state = folder;
	return 0;
}

static int tear_down(void **state)
{
	unlink("file");
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(*state), 0); /* so nothing else was left there */
	free(*state);
	return 0;
}

static void whole_one_appears(void **state)
{
	struct nameless file;
	struct stat st;

	(void)state;
	assert_int_equal(nameless_open(&file, "file", O_WRONLY), 0);
	assert_int_equal(write(file.fd, "abc", 3), 3);
	if (!file.named)
		assert_int_equal(stat("file", &st), -1);
	assert_int_equal(nameless_finish(&file), 0);
	assert_int_equal(nameless_close(&file), 0);
	assert_int_equal(nameless_close(&file), 0);
	assert_int_equal(stat("file", &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(st.st_nlink, 1);
}

static void unfinished_one_is_gone(void **state)
{
	struct nameless file;
	struct stat st;

	(void)state;
	assert_int_equal(nameless_open(&file, "file", O_RDWR), 0);
	assert_int_equal(nameless_close(&file), 0);
	assert_int_equal(stat("file", &st), -1);
}

static void nothing_is_overwritten(void **state)
{
	struct nameless file;

	(void)state;
	assert_int_equal(symlink("nowhere", "file"), 0);
	assert_int_equal(nameless_open(&file, "file", O_WRONLY), -EEXIST);
	assert_int_equal(nameless_close(&file), 0);
	assert_int_equal(unlink("file"), 0);
	/* another process has created one meanwhile */
	assert_int_equal(nameless_open(&file, "file", O_WRONLY), 0);
	if (!file.named) {
		assert_int_equal(symlink("nowhere", "file"), 0);
		assert_int_equal(nameless_finish(&file), -EEXIST);
	}
	assert_int_equal(nameless_close(&file), 0);
	assert_int_equal(nameless_open(&file, "no/folder", O_WRONLY), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(whole_one_appears, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unfinished_one_is_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_is_overwritten, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
