/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The largest of many things. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ask/ranking.h"

#define MANY 5000u

/* Numbers without an order that can be seen, many of them several times. */
static uint64_t rank_of(uint64_t id)
{
	return id * 2654435761u % 997;
}

static int later(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return x->id > y->id ? 1 : -1;
}

static void it_keeps_what_sorting_puts_first(void **state)
{
	struct ranked *all = calloc(MANY, sizeof(*all));

	(void)state;
	assert_non_null(all);
	for (size_t most = 1; most < 3000; most = most * 3 + 1) {
		struct ranking lanes[3] = { { .most = most }, { .most = most }, { .most = most } };

		for (uint64_t i = 0; i < MANY; i++) {
			all[i] = (struct ranked){ .rank = rank_of(i), .id = i, .fact = { i + 1 } };
			assert_int_equal(ranking_add(&lanes[i * 7 % 3], &all[i]), 0);
		}
		assert_int_equal(ranking_join(&lanes[0], &lanes[1]), 0);
		assert_int_equal(ranking_join(&lanes[0], &lanes[2]), 0);
		ranking_sort(&lanes[0]);
		qsort(all, MANY, sizeof(*all), later);
		assert_int_equal(lanes[0].count, most);
		for (size_t i = 0; i < most; i++) {
			assert_int_equal(lanes[0].v[i].id, all[i].id);
			assert_int_equal(lanes[0].v[i].fact[0], all[i].id + 1);
		}
		for (unsigned i = 0; i < 3; i++)
			ranking_free(&lanes[i]);
	}
	free(all);
}

static void few_are_all_kept(void **state)
{
	struct ranking ranking = { .most = 10 };

	(void)state;
	ranking_sort(&ranking);
	assert_int_equal(ranking.count, 0);
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(ranking_add(&ranking, &(struct ranked){ .rank = i, .id = i }), 0);
	ranking_sort(&ranking);
	assert_int_equal(ranking.count, 3);
	assert_int_equal(ranking.v[0].rank, 2);
	assert_int_equal(ranking.v[2].rank, 0);
	ranking_free(&ranking);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_keeps_what_sorting_puts_first),
		cmocka_unit_test(few_are_all_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
