/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/check/books/connectivity.c against a naive twin: directories below the root, for entries in any order,
 * by any worker.
 */
#include <stdlib.h>
#include <string.h>

#include "check/books/books.h"
#include "../../repair/names/dir_runs.h"
#include "../../repair/run.h"
#include "check/walk/walker.h"
#include "reported.h"
#include "../../repair/repair.h"

#define ROOT 128u

struct fixture {
	struct run run;
	struct repair rc;
	struct traverse traverse;
	struct walker walkers[2];
	struct walker *list[2];
	struct reported reported;
};

/* in_file: there is no memory for the table */
static void open_fixture_with(struct fixture *f, bool in_file)
{
	memset(f, 0, sizeof(*f));
	f->run.memory.directories = in_file ? 0 : SIZE_MAX;
	f->rc.run = &f->run;
	f->rc.geo = (struct geometry){ .rootino = { ROOT }, .agcount = 4, .agblock_log = 10, .inopb_log = 3 };
	f->rc.traverse = &f->traverse;
	f->traverse.geo = &f->rc.geo;
	f->traverse.walkers = f->list;
	f->traverse.nwalkers = 2;
	for (int i = 0; i < 2; i++) {
		f->list[i] = &f->walkers[i];
		f->walkers[i].t = &f->traverse;
		f->walkers[i].check = (struct check){ &f->rc.geo, reported_add, &f->reported };
	}
	f->traverse.dirs = dir_runs_new(2);
	assert_non_null(f->traverse.dirs);
	dir_runs_limit(f->traverse.dirs, f->run.memory.directories);
}

static void open_fixture(struct fixture *f)
{
	open_fixture_with(f, false);
}

static void add(struct fixture *f, unsigned worker, uint64_t dir, uint64_t parent)
{
	dir_runs_add(f->traverse.dirs, worker, (struct dir_parent){ { dir }, { parent } });
}

static void check_all(struct fixture *f)
{
	assert_int_equal(connectivity_check(&f->rc, &f->walkers[0]), 0);
	assert_int_equal(dir_table_spilled(&f->rc.dirs) > 0, f->rc.dirs.count && !f->run.memory.directories);
	dir_table_free(&f->rc.dirs);
}

static void a_tree_is_fine(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, 0, 300, 200);
	add(&f, 1, 200, ROOT);
	add(&f, 1, ROOT, ROOT);
	check_all(&f);
	assert_int_equal(f.reported.count, 0);
}

static void a_circle_is_reported_at_each_of_its_directories(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, 0, ROOT, ROOT);
	add(&f, 0, 200, 300);
	add(&f, 0, 300, 200);
	add(&f, 1, 400, 300);
	add(&f, 1, 500, 400);
	check_all(&f);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_TREE_UNREACHABLE), 2);
}

static void what_hangs_below_a_lost_directory_is_not_reported(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, 0, ROOT, ROOT);
	add(&f, 0, 300, 200);
	add(&f, 1, 200, 999);
	add(&f, 1, 250, 300);
	check_all(&f);
	assert_reported_once(&f.reported, F_TREE_UNREACHABLE, 999, 0);
}

static void a_root_that_is_missing_or_has_another_parent_is_reported(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, 0, ROOT, 200);
	add(&f, 0, 200, ROOT);
	check_all(&f);
	assert_reported_once(&f.reported, F_TREE_ROOT_PARENT, 200, ROOT);

	open_fixture(&f);
	check_all(&f);
	assert_reported_once(&f.reported, F_TREE_ROOT, ROOT, 0);
}

static void two_dotdots_are_reported_once(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, 0, ROOT, ROOT);
	add(&f, 0, 200, ROOT);
	add(&f, 1, 200, ROOT);
	check_all(&f);
	assert_reported_once(&f.reported, F_TREE_TWO_PARENTS, 0, 0);
}

static void random_forests_are_judged_as_the_twin_judges_them(void **state)
{
	enum { N = 40 };

	(void)state;
	srand(3);
	for (int round = 0; round < 500; round++) {
		struct fixture f;
		unsigned parent[N], lost = 0;

		open_fixture_with(&f, round % 2);
		parent[0] = 0;
		add(&f, 0, ROOT, ROOT);
		for (unsigned i = 1; i < N; i++) {
			/* mostly a tree; some point upwards, which may close a circle, some to no directory */
			parent[i] = rand() % 8 ? (unsigned)rand() % i : (unsigned)rand() % (N + 3);
			add(&f, (unsigned)rand() % 2, ROOT + i, ROOT + parent[i]);
		}
		for (unsigned i = 1; i < N; i++) {
			unsigned at = parent[i];

			for (int steps = 0; steps <= N && at != i && at && at < N; steps++)
				at = parent[at];
			lost += at == i || parent[i] >= N; /* on a circle, or its `..` is no directory */
		}
		check_all(&f);
		assert_int_equal(reported_times(&f.reported, F_TREE_UNREACHABLE), lost);
		assert_int_equal(f.reported.count, lost);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_fine),
		cmocka_unit_test(a_circle_is_reported_at_each_of_its_directories),
		cmocka_unit_test(what_hangs_below_a_lost_directory_is_not_reported),
		cmocka_unit_test(a_root_that_is_missing_or_has_another_parent_is_reported),
		cmocka_unit_test(two_dotdots_are_reported_once),
		cmocka_unit_test(random_forests_are_judged_as_the_twin_judges_them),
	};

	return cmocka_run_group_tests_name("connectivity", tests, NULL, NULL);
}
