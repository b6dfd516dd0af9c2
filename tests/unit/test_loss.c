/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/loss/loss.c: what depends on all names. */
#include "two_views.h"

enum { DIRECTORY = 200, UNKNOWN = 9 };

static void add(struct two_views *v, enum loss_fate fate, uint64_t ino, const char *name, enum loss_witness witness,
		enum loss_doubt doubt)
{
	const struct loss loss = { .kind = LOSS_NAME,
				   .fate = (uint8_t)fate,
				   .witness = (uint8_t)witness,
				   .doubt = (uint8_t)doubt,
				   .ino = { ino },
				   .dir = { DIRECTORY },
				   .now_dir = { NULL_INO },
				   .namelen = (uint8_t)strlen(name),
				   .count = *name ? 1 : UNKNOWN };

	loss_list_add(&v->list, &loss, (const uint8_t *)name, NULL);
}

/*
 * By its index, a directory lacks 9 names.  One has come back, 2 were found in blocks that nothing owned, and another
 * one may have been free before.  A name that the directory itself shows is none of the 9.
 */
static void names_found_elsewhere_are_not_unknown_any_more(void **state)
{
	const uint64_t all[LOSS_NR] = { 0 };
	struct two_views v;

	(void)state;
	views_open(&v);
	add(&v, FATE_LOST, NULL_INO, "", WITNESS_COUNT, DOUBT_NONE);
	add(&v, FATE_GAINED, 301, "a", WITNESS_BLOCK, DOUBT_NONE);
	add(&v, FATE_LOST, 302, "b", WITNESS_ROUND, DOUBT_NONE);
	add(&v, FATE_LOST, 303, "c", WITNESS_ROUND, DOUBT_NONE);
	add(&v, FATE_LOST, 304, "d", WITNESS_ROUND, DOUBT_FREE);
	add(&v, FATE_LOST, 305, "e", WITNESS_BLOCK, DOUBT_NONE);
	assert_int_equal(loss_conclude(&v.rc, &v.again, &v.tally, all, &v.list), 0);
	assert_int_equal(v.list.all[0].count, UNKNOWN - 4);
	assert_int_equal(v.list.totals.of[LOSS_NAME].hidden, UNKNOWN - 3);
	views_close(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_found_elsewhere_are_not_unknown_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
