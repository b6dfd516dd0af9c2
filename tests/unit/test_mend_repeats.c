/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/base/mend_repeats.c: a finding that a mender settles again and again is no longer given to it. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../repair/mend/base/mend.h"

static struct found about(uint64_t ino, uint64_t got)
{
	struct found found = { .problem = { F_INODE_NBLOCKS_XREF, 0, NO_INDEX, got, 7 } };

	found.place = place_of(OBJ_INODE);
	found.place.ino.v = ino;
	return found;
}

/* Each time in a round of its own. */
static void settle(struct mend *m, const struct found *found, unsigned times)
{
	while (times--) {
		mend_repeats_note(m, found);
		number_set_free(&m->round.repeats);
	}
}

static void the_same_finding_is_stuck_after_some_times(void **state)
{
	const struct found found = about(131, 5), value = about(131, 6), other = about(132, 5);
	struct mend m = { .kind = MEND_inode_fork };

	(void)state;
	settle(&m, &found, REPEATS_MAX - 1);
	assert_false(mend_repeats_is_stuck(&m, &found));
	settle(&m, &found, 1);
	assert_true(mend_repeats_is_stuck(&m, &found));
	assert_false(mend_repeats_is_stuck(&m, &value));
	assert_false(mend_repeats_is_stuck(&m, &other));
	m.kind = MEND_inode_counts; /* the next best may try */
	assert_false(mend_repeats_is_stuck(&m, &found));
	mend_repeats_free(&m.repeats);
}

/* Blocks side by side that many directories have lost are one finding, which is settled for each of them. */
static void a_round_counts_once(void **state)
{
	const struct found found = about(131, 5);
	struct mend m = { .kind = MEND_dir_lost };

	(void)state;
	for (unsigned i = 0; i < 10 * REPEATS_MAX; i++)
		mend_repeats_note(&m, &found);
	assert_false(mend_repeats_is_stuck(&m, &found));
	number_set_free(&m.round.repeats);
	settle(&m, &found, REPEATS_MAX - 1);
	assert_true(mend_repeats_is_stuck(&m, &found));
	mend_repeats_free(&m.repeats);
}

/* The trees depend on all inodes: the same finding does not mean the same state. */
static void a_groups_trees_may_be_built_as_often_as_needed(void **state)
{
	const struct found found = about(NULL_INO, 0);
	struct mend m = { .kind = MEND_ag_space };

	(void)state;
	settle(&m, &found, 10 * REPEATS_MAX);
	assert_false(mend_repeats_is_stuck(&m, &found));
	mend_repeats_free(&m.repeats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_finding_is_stuck_after_some_times),
		cmocka_unit_test(a_round_counts_once),
		cmocka_unit_test(a_groups_trees_may_be_built_as_often_as_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
