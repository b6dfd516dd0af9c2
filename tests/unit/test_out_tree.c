/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descending into the folder of extracted files: never out of it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "ask/extract/stage.h"

struct place {
	char path[64];
	struct out_tree tree;
};

static int begin(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	*state = p;
	snprintf(p->path, sizeof(p->path), "/tmp/test_out_tree.XXXXXX");
	return !p || !mkdtemp(p->path) || tree_open(&p->tree, p->path) != 0;
}

static int end(void **state)
{
	struct place *p = *state;
	char command[128];
	int ret;

	tree_close(&p->tree);
	snprintf(command, sizeof(command), "rm -rf %s", p->path);
	ret = system(command);
	free(p);
	return ret;
}

static int go(struct out_tree *tree, const char *path, int *ret_fd)
{
	return tree_dir(tree, (const uint8_t *)path, strlen(path), ret_fd);
}

static bool is_at(const struct place *p, int fd, const char *path)
{
	char whole[256];
	struct stat a, b;

	snprintf(whole, sizeof(whole), "%s%s", p->path, path);
	return !fstat(fd, &a) && !lstat(whole, &b) && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

static void makes_folders(void **state)
{
	struct place *p = *state;
	char name[SAFE_NAME_ROOM];
	int fd;

	assert_false(p->tree.made);
	assert_int_equal(go(&p->tree, "/a/b/c", &fd), 0);
	assert_true(is_at(p, fd, "/a/b/c"));
	assert_int_equal(go(&p->tree, "/a/b/c/d", &fd), 0);
	assert_true(is_at(p, fd, "/a/b/c/d"));
	assert_int_equal(go(&p->tree, "/a/b/cc", &fd), 0);
	assert_true(is_at(p, fd, "/a/b/cc"));
	assert_int_equal(go(&p->tree, "", &fd), 0);
	assert_true(is_at(p, fd, ""));
	assert_int_equal(tree_parent(&p->tree, (const uint8_t *)"/a/x", 4, &fd, name), 0);
	assert_true(is_at(p, fd, "/a"));
	assert_string_equal(name, "x");
	assert_int_equal(tree_parent(&p->tree, (const uint8_t *)"/y", 2, &fd, name), 0);
	assert_true(is_at(p, fd, ""));
}

static void follows_nothing(void **state)
{
	struct place *p = *state;
	char name[SAFE_NAME_ROOM];
	int fd;

	assert_int_equal(symlinkat("/", p->tree.root, "link"), 0);
	assert_int_equal(mknodat(p->tree.root, "file", S_IFREG | 0600, 0), 0);
	assert_int_equal(go(&p->tree, "/link", &fd), -ENOTDIR);
	assert_int_equal(go(&p->tree, "/link/tmp", &fd), -ENOTDIR);
	assert_int_equal(go(&p->tree, "/file/x", &fd), -ENOTDIR);
	assert_int_equal(go(&p->tree, "/..", &fd), -EINVAL);
	assert_int_equal(go(&p->tree, "/a/../..", &fd), -EINVAL);
	assert_int_equal(tree_parent(&p->tree, (const uint8_t *)"/a/..", 5, &fd, name), -EINVAL);
	assert_int_equal(tree_parent(&p->tree, (const uint8_t *)"", 0, &fd, name), -EINVAL);
	assert_int_equal(go(&p->tree, "/a", &fd), 0);
}

static void spares_the_stage(void **state)
{
	struct place *p = *state;
	struct stage stage, other;
	struct out_tree same;
	int fd;

	assert_int_equal(stage_open(&stage, &p->tree), 0);
	assert_int_equal(go(&p->tree, "/" TREE_STAGE, &fd), -EEXIST);
	assert_int_equal(go(&p->tree, "/" TREE_STAGE "/x", &fd), -EEXIST);
	assert_int_equal(tree_open(&same, p->path), 0);
	assert_int_equal(stage_open(&other, &same), -EBUSY);
	stage_close(&other, false);
	tree_close(&same);
	stage_close(&stage, true);
	assert_int_equal(faccessat(p->tree.root, TREE_STAGE, F_OK, AT_SYMLINK_NOFOLLOW), -1);
}

static void keeps_notes(void **state)
{
	struct place *p = *state;
	struct stage stage;
	struct stage_notes notes;

	assert_int_equal(stage_open(&stage, &p->tree), 0);
	assert_false(stage.found);
	assert_false(stage_notes_read(&stage, &notes));
	assert_int_equal(stage_notes_write(&stage, &(struct stage_notes){ UINT64_MAX - 1, 77 }), 0);
	assert_true(stage_file(&stage, (xino_t){ 5 }, true) >= 0);
	stage_close(&stage, false);
	assert_int_equal(stage_open(&stage, &p->tree), 0);
	assert_true(stage.found);
	assert_true(stage_notes_read(&stage, &notes));
	assert_true(notes.plan == UINT64_MAX - 1 && notes.swept == 77);
	assert_true(stage_has(&stage, (xino_t){ 5 }));
	assert_int_equal(stage_file(&stage, (xino_t){ 6 }, false), -ENOENT);
	for (uint64_t i = 0; i < 3 * STAGE_OPEN; i++)
		assert_true(stage_file(&stage, (xino_t){ 100 + i }, true) >= 0);
	assert_int_equal(stage_clear(&stage), 0);
	assert_false(stage_has(&stage, (xino_t){ 5 }));
	assert_false(stage_notes_read(&stage, &notes));
	stage_close(&stage, true);
}

/* A folder of that name that somebody else made is not used. */
static void trusts_nobody(void **state)
{
	struct place *p = *state;
	struct stage stage;

	assert_int_equal(symlinkat("/tmp", p->tree.root, TREE_STAGE), 0);
	assert_int_equal(stage_open(&stage, &p->tree), -EEXIST);
	stage_close(&stage, false);
	assert_int_equal(unlinkat(p->tree.root, TREE_STAGE, 0), 0);
	assert_int_equal(mkdirat(p->tree.root, TREE_STAGE, 0700), 0);
	assert_int_equal(fchmodat(p->tree.root, TREE_STAGE, 0777, 0), 0);
	assert_int_equal(stage_open(&stage, &p->tree), -EEXIST);
	stage_close(&stage, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(makes_folders, begin, end),
		cmocka_unit_test_setup_teardown(follows_nothing, begin, end),
		cmocka_unit_test_setup_teardown(spares_the_stage, begin, end),
		cmocka_unit_test_setup_teardown(keeps_notes, begin, end),
		cmocka_unit_test_setup_teardown(trusts_nobody, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
