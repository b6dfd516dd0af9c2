/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries for ranges, against looking at each number. */
#include <stdlib.h>
#include <string.h>

#include "ask/places/spans.h"
#include "reported.h"

#define END 3000u

static void a_range_touches_what_its_numbers_touch(void **state)
{
	(void)state;
	srand(7);
	for (int round = 0; round < 200; round++) {
		const size_t count = (size_t)rand() % 60;
		struct span *v = calloc(count + 1, sizeof(*v));
		bool asked[END] = { false };
		struct spans spans = { 0 };

		for (size_t i = 0; i < count; i++) {
			v[i].start = (uint64_t)rand() % (END - 20);
			v[i].end = v[i].start + 1 + (uint64_t)rand() % 20;
			memset(asked + v[i].start, true, v[i].end - v[i].start);
		}
		assert_int_equal(spans_settle(&spans, v, count, END), 0);
		for (size_t i = 1; i < spans.count; i++)
			assert_true(spans.v[i - 1].end < spans.v[i].start);
		for (uint64_t start = 0; start < END; start++) {
			const uint64_t length = 1 + (uint64_t)rand() % 30;
			bool touched = false;

			for (uint64_t n = start; n < start + length && n < END; n++)
				touched |= asked[n];
			assert_int_equal(spans_touch(&spans, start, start + length), touched);
		}
		spans_free(&spans);
	}
}

static void large_numbers_need_few_cells(void **state)
{
	struct span *v = malloc(sizeof(*v));
	struct spans spans = { 0 };

	(void)state;
	*v = (struct span){ UINT64_MAX - 10, UINT64_MAX };
	assert_int_equal(spans_settle(&spans, v, 1, UINT64_MAX), 0);
	assert_true(spans.cells < 100000);
	assert_true(spans_touch(&spans, UINT64_MAX - 1, UINT64_MAX));
	assert_false(spans_touch(&spans, 0, UINT64_MAX - 10));
	spans_free(&spans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_touches_what_its_numbers_touch),
		cmocka_unit_test(large_numbers_need_few_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
