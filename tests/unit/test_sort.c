/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/sets/sort.c against qsort(). */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../repair/sets/sort.h"

#define RECORDS 3000u

static int by_one(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int by_two(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	int order = by_one(x, y);

	return order ? order : by_one(x + 1, y + 1);
}

/* Numbers that differ in the bits of the mask only. */
static void compare(uint64_t mask, unsigned words)
{
	static const size_t counts[] = { 0, 1, 2, 24, 25, 300, RECORDS };
	static uint64_t sorted[2 * RECORDS], twin[2 * RECORDS];

	for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		for (size_t i = 0; i < counts[c] * words; i++)
			sorted[i] = twin[i] =
				0x1111111111111111 ^
				(mask & ((uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand()));
		sort_words(sorted, counts[c], words);
		qsort(twin, counts[c], words * sizeof(*twin), words == 1 ? by_one : by_two);
		assert_memory_equal(sorted, twin, counts[c] * words * sizeof(*twin));
	}
}

static void numbers_of_any_kind_are_sorted(void **state)
{
	static const uint64_t masks[] = { 0, 1, 0xff, 0xf000, 0x3ffffff, 0xff000000000000ff, UINT64_MAX };

	(void)state;
	srand(7);
	for (size_t m = 0; m < sizeof(masks) / sizeof(*masks); m++) {
		compare(masks[m], 1);
		compare(masks[m], 2);
	}
}

static void a_table_in_order_and_one_backwards_are_sorted(void **state)
{
	static uint64_t up[RECORDS], down[RECORDS];

	(void)state;
	for (size_t i = 0; i < RECORDS; i++) {
		up[i] = i << 7;
		down[RECORDS - 1 - i] = i << 7;
	}
	sort_words(up, RECORDS, 1);
	sort_words(down, RECORDS, 1);
	for (size_t i = 0; i < RECORDS; i++)
		assert_true(up[i] == i << 7 && down[i] == i << 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_any_kind_are_sorted),
		cmocka_unit_test(a_table_in_order_and_one_backwards_are_sorted),
	};

	return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
