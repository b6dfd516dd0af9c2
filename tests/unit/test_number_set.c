/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The set of numbers, used as a set of inode numbers, against a naive twin. */
#include <stdlib.h>
#include <time.h>

#include "../../repair/sets/number_set.h"
#include "reported.h"

static void nothing_is_in_an_empty_set(void **state)
{
	struct ino_set set = { 0 };
	xino_t *all = ino_set_sorted(&set);

	(void)state;
	assert_false(ino_set_has(&set, (xino_t){ 0 }));
	assert_false(ino_set_has(&set, (xino_t){ 128 }));
	assert_non_null(all);
	free(all);
	ino_set_free(&set);
}

static void a_number_is_what_0_is_too(void **state)
{
	struct group_set set = { 0 };

	(void)state;
	assert_int_equal(group_set_add(&set, (agno_t){ 7 }), 1);
	assert_false(group_set_has(&set, (agno_t){ 0 }));
	assert_int_equal(group_set_add(&set, (agno_t){ 0 }), 1);
	assert_int_equal(group_set_add(&set, (agno_t){ 0 }), 0);
	assert_true(group_set_has(&set, (agno_t){ 0 }) && group_set_has(&set, (agno_t){ 7 }));
	assert_int_equal(group_set_count(&set), 2);
	group_set_free(&set);
	assert_false(group_set_has(&set, (agno_t){ 0 }));
}

static void what_was_added_is_there_once_and_nothing_else(void **state)
{
	enum { RANGE = 5000 };
	bool twin[RANGE] = { false };
	struct ino_set set = { 0 };
	size_t count = 0, at = 0;
	uint64_t random = 1;
	xino_t *all;

	(void)state;
	for (unsigned i = 0; i < 4000; i++) {
		uint64_t n;

		random = random * 6364136223846793005u + 1442695040888963407u;
		n = (random >> 33) % (RANGE - 1) + 1;
		/* numbers that are far apart, and differ in high bits only */
		assert_int_equal(ino_set_add(&set, (xino_t){ n << 40 }), !twin[n]);
		count += !twin[n];
		twin[n] = true;
	}
	assert_int_equal(ino_set_count(&set), count);
	for (uint64_t n = 0; n < RANGE; n++) {
		assert_int_equal(ino_set_has(&set, (xino_t){ n << 40 }), twin[n]);
		assert_false(ino_set_has(&set, (xino_t){ n << 40 | 1 }));
	}
	all = ino_set_sorted(&set);
	for (uint64_t n = 0; n < RANGE; n++) {
		if (twin[n])
			assert_true(all[at++].v == n << 40);
	}
	assert_int_equal(at, count);
	free(all);
	ino_set_free(&set);
}

static void what_was_dropped_is_gone_and_nothing_else(void **state)
{
	enum { RANGE = 300 };
	bool twin[RANGE] = { false };
	struct ino_set set = { 0 };
	uint64_t random = 1;
	size_t count = 0;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t n;

		random = random * 6364136223846793005u + 1442695040888963407u;
		n = (random >> 33) % RANGE;
		if (random >> 63) {
			assert_int_equal(ino_set_add(&set, (xino_t){ n }), !twin[n]);
			count += !twin[n];
		} else {
			ino_set_drop(&set, (xino_t){ n });
			count -= twin[n];
		}
		twin[n] = random >> 63;
		assert_int_equal(ino_set_count(&set), count);
		for (uint64_t k = i % 100; k < RANGE; k += 100)
			assert_int_equal(ino_set_has(&set, (xino_t){ k }), twin[k]);
	}
	for (uint64_t n = 0; n < RANGE; n++)
		assert_int_equal(ino_set_has(&set, (xino_t){ n }), twin[n]);
	ino_set_free(&set);
}

/* A crafted file system knows how tables are made: these numbers fall into one slot of many. */
static void no_choice_of_numbers_makes_it_slow(void **state)
{
	struct ino_set set = { 0 };
	clock_t before = clock();

	(void)state;
	for (uint64_t i = 1; i <= 300000; i++)
		assert_int_equal(ino_set_add(&set, (xino_t){ (i * 0xf1de83e19937733d & UINT64_MAX >> 3) << 3 }), 1);
	assert_true(clock() - before < 5 * CLOCKS_PER_SEC);
	ino_set_free(&set);
}

static void the_lowest_inodes_are_kept(void **state)
{
	struct ino_set set = { 0 };
	xino_t *all;

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		assert_int_equal(ino_set_put(&set, (xino_t){ 1 + i * 37 % 101 }), 0);
	assert_int_equal(ino_set_keep_lowest(&set, 200), 0);
	assert_int_equal(ino_set_count(&set), 100);
	assert_int_equal(ino_set_keep_lowest(&set, 7), 0);
	assert_int_equal(ino_set_count(&set), 7);
	all = ino_set_sorted(&set);
	assert_non_null(all);
	/* 37 * 100 % 101 is 64, so that number 65 alone is missing */
	for (uint64_t i = 0; i < 7; i++)
		assert_int_equal(all[i].v, i + 1);
	free(all);
	assert_int_equal(ino_set_keep_lowest(&set, 0), 0);
	assert_int_equal(ino_set_count(&set), 0);
	ino_set_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_inodes_are_kept),
		cmocka_unit_test(nothing_is_in_an_empty_set),
		cmocka_unit_test(a_number_is_what_0_is_too),
		cmocka_unit_test(what_was_added_is_there_once_and_nothing_else),
		cmocka_unit_test(what_was_dropped_is_gone_and_nothing_else),
		cmocka_unit_test(no_choice_of_numbers_makes_it_slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
