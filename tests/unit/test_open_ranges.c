/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges that have begun and not ended, against a naive twin that goes through all of them each time. */
#include <stdlib.h>

#include "check/locate/open_ranges.h"
#include "reported.h"

static void none_is_open_at_first(void **state)
{
	struct open_ranges open = { 0 };

	(void)state;
	assert_true(open_ranges_end(&open) == UINT64_MAX);
	open_ranges_close(&open, UINT64_MAX);
	assert_int_equal(open.count, 0);
	open_ranges_free(&open);
}

static void all_that_end_at_one_place_are_closed_together(void **state)
{
	const struct times one = { .used = 1, .allowed = -2 };
	struct open_ranges open = { 0 };

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		assert_int_equal(open_ranges_add(&open, 7 + i % 2, one), 0);
	assert_int_equal(open.sum.used, 40);
	assert_int_equal(open.sum.allowed, -80);
	open_ranges_close(&open, 7);
	assert_int_equal(open.count, 20);
	assert_int_equal(open_ranges_end(&open), 8);
	open_ranges_close(&open, 8);
	assert_int_equal(open.count, 0);
	assert_int_equal(open.sum.used, 0);
	assert_int_equal(open.sum.allowed, 0);
	open_ranges_free(&open);
}

static void what_is_open_adds_up_as_in_a_naive_twin(void **state)
{
	enum { ROUNDS = 3000 };
	static struct open_range twin[ROUNDS];
	struct open_ranges open = { 0 };
	unsigned count = 0;

	(void)state;
	srand(5);
	for (uint64_t at = 0; at < ROUNDS || count; at++) {
		struct times sum = { 0 };
		uint64_t end = UINT64_MAX;

		if (at < ROUNDS) {
			const struct times times = { rand() % 3 - 1, rand() % 2, rand() % 5, rand() % 2 };

			twin[count++] = (struct open_range){ at + 1 + (uint64_t)rand() % 300, times };
			assert_int_equal(open_ranges_add(&open, twin[count - 1].end, times), 0);
		}
		open_ranges_close(&open, at);
		for (unsigned i = 0; i < count; i++)
			if (twin[i].end == at)
				twin[i--] = twin[--count];
		for (unsigned i = 0; i < count; i++) {
			end = twin[i].end < end ? twin[i].end : end;
			sum.used += twin[i].times.used;
			sum.free += twin[i].times.free;
			sum.allowed += twin[i].times.allowed;
			sum.alone += twin[i].times.alone;
		}
		assert_int_equal(open.count, count);
		assert_true(open_ranges_end(&open) == end);
		assert_memory_equal(&open.sum, &sum, sizeof(sum));
	}
	open_ranges_free(&open);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_open_at_first),
		cmocka_unit_test(all_that_end_at_one_place_are_closed_together),
		cmocka_unit_test(what_is_open_adds_up_as_in_a_naive_twin),
	};

	return cmocka_run_group_tests_name("open_ranges", tests, NULL, NULL);
}
