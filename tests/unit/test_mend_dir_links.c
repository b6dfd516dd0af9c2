/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/settle/dir/mend_dir_links.c: finding the parent of a directory without a name, by `..`. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/settle/dir/mend_dir_links.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "dir_table_made.h"
#include "report.h"

#define ROOT  128u
#define OTHER 140u
#define CHILD 150u

struct fixture {
	struct run run;
	struct repair rc;
	struct mend m;
	struct found found[8];
	size_t count;
};

/* Opens a fixture with directories, each with the target of its `..`. */
static void open_fixture(struct fixture *f, const uint64_t dirs[][2], size_t count)
{
	struct dir_parent *table = calloc(count + 1, sizeof(*table));

	*f = (struct fixture){ 0 };
	f->rc.run = &f->run;
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	f->rc.findings = findings_new(1);
	assert_non_null(f->rc.findings);
	assert_non_null(table);
	for (size_t i = 0; i < count; i++)
		table[i] = (struct dir_parent){ { dirs[i][0] }, { dirs[i][1] } };
	dir_table_made(&f->rc.dirs, table, count, SIZE_MAX);
	free(table);
}

static void close_fixture(struct fixture *f)
{
	findings_free(f->rc.findings);
	dir_table_free(&f->rc.dirs);
	ino_set_free(&f->m.notes.parent_unknown);
}

static void nameless(struct fixture *f, uint64_t ino)
{
	struct found *found = &f->found[f->count++];

	*found = (struct found){ .place = place_of(OBJ_INODE), .problem.finding = F_INODE_ORPHAN };
	found->place.ino.v = ino;
}

static uint64_t orphan_of(struct fixture *f, uint64_t parent)
{
	struct dir_links links;
	xino_t orphan;

	assert_int_equal(dir_links_settle(&f->m, NULL, f->found, f->count, &links), 0);
	orphan = dir_links_orphan(&links, (xino_t){ parent });
	dir_links_free(&links);
	return orphan.v;
}

static const uint64_t two_below_root[][2] = { { ROOT, ROOT }, { OTHER, ROOT }, { CHILD, ROOT }, { 160, OTHER } };

static void the_one_directory_without_a_name_belongs_to_its_parent(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, two_below_root, 4);
	nameless(&f, CHILD);
	nameless(&f, 170); /* which is no directory */
	assert_int_equal(orphan_of(&f, ROOT), CHILD);
	assert_true(orphan_of(&f, OTHER) == NULL_INO);
	nameless(&f, 160);
	assert_int_equal(orphan_of(&f, ROOT), CHILD);
	assert_int_equal(orphan_of(&f, OTHER), 160);
	nameless(&f, OTHER);
	assert_true(orphan_of(&f, ROOT) == NULL_INO); /* two */
	close_fixture(&f);
}

static void parent_for_want_of_anything_better_tells_nothing(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, two_below_root, 4);
	nameless(&f, CHILD);
	assert_int_equal(mend_note_parent_unknown(&f.m, (xino_t){ CHILD }), 0);
	assert_int_equal(mend_note_parent_unknown(&f.m, (xino_t){ CHILD }), 0);
	assert_true(orphan_of(&f, ROOT) == NULL_INO);
	/* nor does it make another one doubtful */
	nameless(&f, OTHER);
	assert_int_equal(orphan_of(&f, ROOT), OTHER);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_directory_without_a_name_belongs_to_its_parent),
		cmocka_unit_test(parent_for_want_of_anything_better_tells_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
