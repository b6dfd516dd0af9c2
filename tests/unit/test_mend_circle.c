/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/settle/dir/mend_circle.c: which directory is taken out of a loop, and how.  A directory has the inode of
 * a letter, and the letters of its subdirectories as names.
 */
#include "letter_dirs.h"

enum { LSN = 0x500000010, LINKS = 5 };

struct fixture {
	struct mending f;
	struct found found[8];
	size_t count;
};

static void open_fixture(struct fixture *v)
{
	const struct geometry geo = letter_dirs_geometry();

	memset(v, 0, sizeof(*v));
	mending_open(&v->f, MEND_circle, &geo);
}

static void close_fixture(struct fixture *v)
{
	mending_close(&v->f);
}

/* Puts a directory, whose `..` is the root so far. */
static void put_directory(struct fixture *v, uint64_t ino, const char *below)
{
	put_inode(&v->f, ino, FT_DIR, below, LSN);
}

/* Sets `..` and the link count of a directory that is there, as they are staged. */
static void set_parent(struct fixture *v, uint64_t ino, uint64_t parent)
{
	struct dir_edit dir;
	uint8_t bytes[512];
	const uint64_t at = bytes_of_ino(&v->f.rc.geo, (xino_t){ ino });

	assert_int_equal(dir_edit_begin(&v->f.m, (xino_t){ ino }, &dir), 0);
	dir.names.names[1].ino.v = parent;
	assert_int_equal(dir_edit_write(&v->f.m, &dir), 0);
	dir_edit_end(&dir);
	assert_int_equal(mend_read(&v->f.m, bytes, at, sizeof(bytes)), 0);
	((struct dinode_disk *)bytes)->nlink = be32_put(LINKS);
	crc_store(bytes, sizeof(bytes), offsetof(struct dinode_disk, crc));
	assert_int_equal(mend_write(&v->f.m, bytes, at, sizeof(bytes)), 0);
}

/* A directory that the check finds unreachable, by its `..`. */
static void unreachable(struct fixture *v, char letter, uint64_t parent, const char *below)
{
	struct found *found = &v->found[v->count++];

	put_directory(v, inode_of(letter), below);
	set_parent(v, inode_of(letter), parent);
	*found = (struct found){ .place = place_of(OBJ_DIRECTORY),
				 .problem = { F_TREE_UNREACHABLE, 0, NO_INDEX, parent, 0 },
				 .times = 1 };
	found->place.ino.v = inode_of(letter);
}

static void mend(struct fixture *v)
{
	put_directory(v, ROOT, "");
	set_parent(v, ROOT, ROOT);
	assert_int_equal(mend_circle(&v->f.m, v->found, v->count), 0);
}

/* Fails unless the directory has these names, this parent, and so many links. */
static void assert_directory(struct fixture *v, uint64_t ino, uint64_t parent, const char *below, unsigned links)
{
	struct dir_edit dir;

	assert_names(&v->f, ino, below);
	assert_int_equal(dir_edit_begin(&v->f.m, (xino_t){ ino }, &dir), 0);
	assert_int_equal(dir.names.names[1].ino.v, parent);
	assert_int_equal(dir.inode.inode.nlink, links);
	dir_edit_end(&dir);
}

/* It is found without a name by the next check, and reconnected. */
static void one_directory_of_a_loop_loses_its_name(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	unreachable(&v, 'a', inode_of('b'), "cx");
	unreachable(&v, 'b', inode_of('c'), "ay");
	unreachable(&v, 'c', inode_of('a'), "b");
	mend(&v);
	assert_directory(&v, inode_of('a'), inode_of('b'), "cx", LINKS);
	assert_directory(&v, inode_of('b'), inode_of('c'), "y", LINKS);
	assert_directory(&v, inode_of('c'), inode_of('a'), "b", LINKS);
	assert_directory(&v, ROOT, ROOT, "", LINKS);
	assert_dropped(&v.f, "a", DROP_CIRCLE);
	assert_int_equal(v.f.m.done, 1);
	close_fixture(&v);
}

/* It is the one that can be taken out without losing a name. */
static void a_directory_without_a_name_in_its_parent_gets_the_root(void **state)
{
	(void)state;
	for (unsigned is = 0; is < 3; is++) {
		const char *const of[] = { "b", "c", "a" };
		struct fixture v;

		open_fixture(&v);
		for (unsigned i = 0; i < 3;
		     i++) /* directory i has i + 1, and that has it as `..`, but for the one after `is` */
			unreachable(&v, (char)('a' + i), inode_of((char)('a' + (i + 2) % 3)), i == is ? "z" : of[i]);
		mend(&v);
		for (unsigned i = 0; i < 3; i++)
			assert_directory(&v, inode_of((char)('a' + i)),
					 i == (is + 1) % 3 ? ROOT : inode_of((char)('a' + (i + 2) % 3)),
					 i == is ? "z" : of[i], i == is ? LINKS - 1 : LINKS);
		assert_directory(&v, ROOT, ROOT, "", LINKS + 1);
		assert_dropped(&v.f, "", DROP_CIRCLE);
		assert_int_equal(v.f.m.done, 1);
		close_fixture(&v);
	}
}

static void of_several_without_a_name_the_first_gets_the_root(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	unreachable(&v, 'a', inode_of('b'), "c");
	unreachable(&v, 'b', inode_of('c'), "");
	unreachable(&v, 'c', inode_of('a'), "");
	mend(&v);
	assert_directory(&v, inode_of('a'), ROOT, "c", LINKS);
	assert_directory(&v, inode_of('b'), inode_of('c'), "", LINKS - 1);
	assert_directory(&v, inode_of('c'), inode_of('a'), "", LINKS);
	assert_int_equal(v.f.m.done, 1);
	close_fixture(&v);
}

static void a_directory_in_itself_loses_the_name_and_gets_the_root(void **state)
{
	(void)state;
	for (unsigned named = 0; named < 2; named++) {
		struct fixture v;

		open_fixture(&v);
		unreachable(&v, 'a', inode_of('a'), named ? "az" : "z");
		mend(&v);
		assert_directory(&v, inode_of('a'), ROOT, "z", LINKS - 1);
		assert_directory(&v, ROOT, ROOT, "", LINKS + 1);
		assert_dropped(&v.f, named ? "a" : "", DROP_CIRCLE);
		close_fixture(&v);
	}
}

static void each_loop_is_broken_once(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	unreachable(&v, 'a', inode_of('c'), "c");
	unreachable(&v, 'b', inode_of('d'), "d");
	unreachable(&v, 'c', inode_of('a'), "a");
	unreachable(&v, 'd', inode_of('b'), "b");
	mend(&v);
	assert_names(&v.f, inode_of('a'), "c");
	assert_names(&v.f, inode_of('b'), "d");
	assert_names(&v.f, inode_of('c'), "");
	assert_names(&v.f, inode_of('d'), "");
	assert_dropped(&v.f, "ab", DROP_CIRCLE);
	assert_int_equal(v.f.m.done, 2);
	close_fixture(&v);
}

/* What is above them is found otherwise: it is missing, or below a loop. */
static void directories_whose_path_ends_elsewhere_are_left(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	unreachable(&v, 'a', inode_of('b'), "");
	unreachable(&v, 'b', inode_of('z'), "a");
	mend(&v);
	assert_directory(&v, inode_of('a'), inode_of('b'), "", LINKS);
	assert_directory(&v, inode_of('b'), inode_of('z'), "a", LINKS);
	assert_int_equal(v.f.m.done, 0);
	assert_dropped(&v.f, "", DROP_CIRCLE);
	close_fixture(&v);
}

static void a_directory_that_can_not_be_read_stops_nothing(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	unreachable(&v, 'a', inode_of('c'), "c");
	unreachable(&v, 'b', inode_of('b'), "b");
	unreachable(&v, 'c', inode_of('a'), "a");
	/* `c` is a file now: no name of `a` can be there, so that leads to the root; and `b` is one, too */
	for (char letter = 'b'; letter <= 'c'; letter++) {
		uint8_t bytes[512];

		dinode_make_empty(&v.f.rc.geo, bytes, (xino_t){ inode_of(letter) }, 1, FT_REG);
		crc_store(bytes, sizeof(bytes), offsetof(struct dinode_disk, crc));
		assert_int_equal(mend_write(&v.f.m, bytes, bytes_of_ino(&v.f.rc.geo, (xino_t){ inode_of(letter) }),
					    sizeof(bytes)),
				 0);
	}
	mend(&v);
	assert_directory(&v, inode_of('a'), ROOT, "c", LINKS);
	assert_int_equal(v.f.m.done, 1);
	assert_dropped(&v.f, "", DROP_CIRCLE);
	close_fixture(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_directory_of_a_loop_loses_its_name),
		cmocka_unit_test(a_directory_without_a_name_in_its_parent_gets_the_root),
		cmocka_unit_test(of_several_without_a_name_the_first_gets_the_root),
		cmocka_unit_test(a_directory_in_itself_loses_the_name_and_gets_the_root),
		cmocka_unit_test(each_loop_is_broken_once),
		cmocka_unit_test(directories_whose_path_ends_elsewhere_are_left),
		cmocka_unit_test(a_directory_that_can_not_be_read_stops_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
