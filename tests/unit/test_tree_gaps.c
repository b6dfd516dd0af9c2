/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of missing records against a naive twin: one flag per key. */
#include <stdlib.h>

#include "check/walk/tree_gaps.h"
#include "reported.h"

#define KEYS   300u
#define GROUPS 2u
#define GAPS   40u

static struct tree_gap gap_of(uint32_t group, uint64_t from, uint64_t to)
{
	return (struct tree_gap){ .group = { group }, .kind = BT_RMAP, .from = { { from } }, .to = { { to } } };
}

static void none_are_none(void **state)
{
	(void)state;
	assert_int_equal(tree_gaps_join(NULL, 0), 0);
}

static void the_same_again_and_again_is_one(void **state)
{
	struct tree_gap gaps[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		gaps[i] = gap_of(1, 10, 20);
	gaps[57].claims = true;
	assert_int_equal(tree_gaps_join(gaps, 100), 1);
	assert_true(gaps[0].claims);
	assert_int_equal(gaps[0].from.k[0], 10);
	assert_int_equal(gaps[0].to.k[0], 20);
}

static void trees_are_told_apart(void **state)
{
	struct tree_gap gaps[] = { gap_of(1, 10, 20), gap_of(0, 10, 20), gap_of(1, 10, 20) };

	(void)state;
	gaps[2].kind = BT_BNO;
	assert_int_equal(tree_gaps_join(gaps, 3), 3);
	assert_int_equal(gaps[0].group.v, 0);
	assert_int_equal(gaps[1].kind, BT_BNO);
}

static void in_parts_or_at_once_the_twin_agrees(void **state)
{
	(void)state;
	srand(3);
	for (int round = 0; round < 300; round++) {
		bool twin[GROUPS][KEYS] = { { false } };
		struct tree_gap gaps[GAPS];
		size_t count = 0;

		for (unsigned i = 0; i < GAPS; i++) {
			uint32_t group = (uint32_t)rand() % GROUPS;
			uint64_t from = (uint64_t)rand() % (KEYS - 20), to = from + 1 + (uint64_t)rand() % 15;

			for (uint64_t key = from; key < to; key++)
				twin[group][key] = true;
			gaps[count++] = gap_of(group, from, to);
			if (rand() % 4 == 0)
				count = tree_gaps_join(gaps, count);
		}
		count = tree_gaps_join(gaps, count);
		for (size_t i = 0; i < count; i++) {
			uint64_t from = gaps[i].from.k[0], to = gaps[i].to.k[0];

			for (uint64_t key = from; key < to; key++) {
				assert_true(twin[gaps[i].group.v][key]);
				twin[gaps[i].group.v][key] = false; /* in one gap only */
			}
			if (i && gaps[i - 1].group.v == gaps[i].group.v)
				assert_true(gaps[i - 1].to.k[0] < from);
		}
		for (uint32_t group = 0; group < GROUPS; group++)
			for (uint64_t key = 0; key < KEYS; key++)
				assert_false(twin[group][key]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_are_none),
		cmocka_unit_test(the_same_again_and_again_is_one),
		cmocka_unit_test(trees_are_told_apart),
		cmocka_unit_test(in_parts_or_at_once_the_twin_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
