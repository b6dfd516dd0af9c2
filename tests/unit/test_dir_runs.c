/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/names/dir_runs.c: directories come back in order, whichever worker met them, from memory or from a file. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../repair/names/dir_runs.h"
#include "../../repair/sets/ordered.h"

#define LANES 3u
#define MANY  300000u

struct sum {
	size_t count;
	uint64_t dirs, parents;
};

static void add_up(void *ctx, struct dir_parent dir)
{
	struct sum *sum = ctx;

	sum->count++;
	sum->dirs += dir.dir.v;
	sum->parents += dir.parent.v * dir.dir.v;
}

/* Looks at all of them before they are complete; that changes nothing. */
static void check_look(const struct dir_runs *runs, const struct dir_parent *dirs, size_t count)
{
	struct sum should = { 0 }, is = { 0 };

	for (size_t i = 0; i < count; i++)
		add_up(&should, dirs[i]);
	assert_int_equal(dir_runs_each(runs, add_up, &is), 0);
	assert_int_equal(dir_runs_total(runs), count);
	assert_memory_equal(&should, &is, sizeof(is));
}

static void check(size_t count, size_t limit, bool spilled)
{
	struct dir_parent *dirs = calloc(count + 1, sizeof(*dirs)), dir;
	struct dir_runs *runs = dir_runs_new(LANES);

	assert_non_null(dirs);
	assert_non_null(runs);
	dir_runs_limit(runs, limit);
	for (size_t i = 0; i < count; i++) {
		dirs[i].dir.v = ((uint64_t)rand() << 20 ^ (uint64_t)rand()) >> rand() % 40;
		dirs[i].parent.v = rand() % 50 ? (uint64_t)rand() << rand() % 32 : NULL_INO;
		dir_runs_add(runs, (unsigned)rand() % LANES, dirs[i]);
		if (i == count / 2)
			check_look(runs, dirs, i + 1);
	}
	check_look(runs, dirs, count);
	assert_int_equal(dir_runs_settle(runs), 0);
	assert_int_equal(dir_runs_spilled(runs) > 0, spilled);
	ordered_sort(dirs, count, MEMBERS(MEMBER(dirs, dir), MEMBER(dirs, parent)));
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(dir_runs_next(runs, &dir), 1);
		assert_int_equal(dir.dir.v, dirs[i].dir.v);
		assert_int_equal(dir.parent.v, dirs[i].parent.v);
	}
	assert_int_equal(dir_runs_next(runs, &dir), 0);
	dir_runs_free(runs);
	free(dirs);
}

static void they_come_in_order(void **state)
{
	(void)state;
	srand(5);
	check(0, SIZE_MAX, false);
	check(1, SIZE_MAX, false);
	check(2, SIZE_MAX, false);
	check(MANY, SIZE_MAX, false);
}

static void a_file_takes_what_memory_has_no_room_for(void **state)
{
	(void)state;
	srand(6);
	check(1, 0, true);
	check(MANY, 0, true);
	check(MANY, MANY * 4, true);
	check(MANY, MANY * 40, false);
}

static void without_a_file_they_stay_in_memory(void **state)
{
	(void)state;
	setenv("TMPDIR", "/nowhere", 1);
	check(MANY, 0, false);
	unsetenv("TMPDIR");
}

static void what_was_not_read_is_freed(void **state)
{
	struct dir_runs *runs = dir_runs_new(1);

	(void)state;
	assert_non_null(runs);
	dir_runs_add(runs, 0, (struct dir_parent){ { 1 }, { 2 } });
	dir_runs_free(runs);
	dir_runs_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_come_in_order),
		cmocka_unit_test(a_file_takes_what_memory_has_no_room_for),
		cmocka_unit_test(without_a_file_they_stay_in_memory),
		cmocka_unit_test(what_was_not_read_is_freed),
	};

	return cmocka_run_group_tests_name("dir_runs", tests, NULL, NULL);
}
