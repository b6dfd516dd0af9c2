/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening files for writing: through links, folders and names.  Files of other users are tested in suite/sandbox. */
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

struct fixture {
	char folder[64];
	const char *why;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	snprintf(f->folder, sizeof(f->folder), "/tmp/xfsck-output-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	assert_int_equal(chdir(f->folder), 0);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", f->folder);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(system(command), 0);
	free(f);
	return 0;
}

/* Opens `path` and writes a letter.  Returns 0 or the error of output_open(). */
static int put(struct fixture *f, const char *path, char letter)
{
	const int fd = output_open(path, NULL, NULL, &f->why);

	if (fd < 0)
		return fd;
	assert_int_equal(write(fd, &letter, 1), 1);
	close(fd);
	return 0;
}

/* Returns the only letter in a file. */
static char only(const char *path)
{
	const int fd = open(path, O_RDONLY);
	char bytes[2];

	assert_true(fd >= 0);
	assert_int_equal(read(fd, bytes, sizeof(bytes)), 1);
	close(fd);
	return bytes[0];
}

static void a_file_is_created_then_emptied(void **state)
{
	struct fixture *f = *state;
	char path[128];

	assert_int_equal(put(f, "new", 'a'), 0);
	assert_int_equal(only("new"), 'a');
	assert_int_equal(put(f, "new", 'b'), 0);
	snprintf(path, sizeof(path), "%s//./new", f->folder);
	assert_int_equal(put(f, path, 'c'), 0);
	assert_int_equal(only("new"), 'c');
}

static void links_of_ours_are_followed(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(mkdir("sub", 0700), 0);
	assert_int_equal(symlink("sub", "to-sub"), 0);
	assert_int_equal(symlink("../made", "sub/link"), 0);
	assert_int_equal(put(f, "to-sub/link", 'a'), 0); /* it dangled */
	assert_int_equal(only("made"), 'a');
	assert_int_equal(put(f, "to-sub/../sub/./link", 'b'), 0);
	assert_int_equal(only("made"), 'b');
	assert_int_equal(symlink("round", "round"), 0);
	assert_int_equal(put(f, "round", 'c'), -ELOOP);
	assert_non_null(f->why);
}

static void what_is_no_place_for_a_file_is_refused(void **state)
{
	struct fixture *f = *state;
	char name[300];

	assert_int_equal(put(f, "/", 'a'), -EISDIR);
	assert_int_equal(put(f, ".", 'a'), -EISDIR);
	assert_int_equal(put(f, "none/new", 'a'), -ENOENT);
	assert_int_equal(put(f, "", 'a'), -ENOENT);
	assert_int_equal(put(f, "new/", 'a'), -ENOENT);
	assert_int_equal(put(f, "new", 'a'), 0);
	assert_int_equal(put(f, "new/", 'a'), -ENOTDIR);
	assert_int_equal(put(f, "new/more", 'a'), -ENOTDIR);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(put(f, name, 'a'), -ENAMETOOLONG);
	assert_int_equal(only("new"), 'a');
}

static const char *refuse(const void *ctx, int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 1); /* it is not empty yet */
	return ctx;
}

static void what_is_refused_stays_as_it_is(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(put(f, "new", 'a'), 0);
	assert_int_equal(output_open("new", refuse, "no", &f->why), -EINVAL);
	assert_string_equal(f->why, "no");
	assert_int_equal(only("new"), 'a');
}

static void descriptors_are_reached_by_the_kernels_links(void **state)
{
	struct fixture *f = *state;
	char path[32], letter;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	if (access("/dev/fd", F_OK))
		skip();
	assert_int_equal(put(f, path, 'a'), 0);
	assert_int_equal(read(ends[0], &letter, 1), 1);
	assert_int_equal(letter, 'a');
	close(ends[0]);
	close(ends[1]);
}

static void folders_are_found(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(mkdir("sub", 0700), 0);
	assert_int_equal(symlink("sub", "to-sub"), 0);
	fd = output_folder("to-sub/");
	assert_true(fd >= 0);
	assert_int_equal(mkdirat(fd, "here", 0700), 0);
	assert_int_equal(access("sub/here", F_OK), 0);
	close(fd);
	assert_int_equal(output_folder("none"), -ENOENT);
	assert_int_equal(output_folder("none/sub"), -ENOENT);
}

#define output_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		output_test(a_file_is_created_then_emptied),
		output_test(links_of_ours_are_followed),
		output_test(what_is_no_place_for_a_file_is_refused),
		output_test(what_is_refused_stays_as_it_is),
		output_test(descriptors_are_reached_by_the_kernels_links),
		output_test(folders_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
