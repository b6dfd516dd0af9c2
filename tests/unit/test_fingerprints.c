/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/check/walk/fingerprints.c: how many repeat an earlier one, against counting them one by one. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "check/walk/inflight.h"

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t counted(const uint64_t *all, size_t count)
{
	uint64_t *sorted = malloc((count + 1) * sizeof(*sorted)), repeated = 0;

	assert_non_null(sorted);
	memcpy(sorted, all, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare);
	for (size_t i = 1; i < count; i++)
		repeated += sorted[i] == sorted[i - 1];
	free(sorted);
	return repeated;
}

/* Every step-th of `count` fingerprints repeats an earlier one (0: none does); mask: the bits they can have. */
static void compare_with_counting(size_t count, size_t step, uint64_t mask)
{
	uint64_t *all = malloc((count + 1) * sizeof(*all)), state = 88172645463325252u + count, want;

	assert_non_null(all);
	for (size_t i = 0; i < count; i++) {
		bool again = step && i && i % step == 0;

		all[i] = again ? all[next_random(&state) % i] : next_random(&state) & mask;
	}
	want = counted(all, count);
	if (step && count > step)
		assert_true(want > 0);
	assert_int_equal(fingerprints_repeated(all, count), want);
	free(all);
}

static void few_and_many_are_counted(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 100, 1023, 1024, 1025, 5000, 65536, 300000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		compare_with_counting(counts[i], 0, UINT64_MAX);
		compare_with_counting(counts[i], 7, UINT64_MAX);
		compare_with_counting(counts[i], 999, UINT64_MAX);
	}
}

static void those_that_differ_in_few_bits_are_told_apart(void **state)
{
	(void)state;
	compare_with_counting(50000, 0, 0xffffffff00000000u);
	compare_with_counting(50000, 0, 0xffff);
	compare_with_counting(50000, 1, UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_and_many_are_counted),
		cmocka_unit_test(those_that_differ_in_few_bits_are_told_apart),
	};

	return cmocka_run_group_tests_name("fingerprints", tests, NULL, NULL);
}
