/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting by numbers against qsort(). */
#include <stdlib.h>
#include <string.h>

#include "../../repair/sets/sort.h"
#include "reported.h"

#define MOST 3000u

struct record {
	uint64_t high;
	uint32_t low;
	uint8_t rest[4];
};

static uint64_t number_of(const void *record, const void *ctx)
{
	return ((const struct record *)record)->high >> *(const unsigned *)ctx;
}

static uint64_t low_of(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct record *)record)->low >> 20;
}

static int record_order(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return (x->low > y->low) - (x->low < y->low);
}

/* twice: equal numbers are ordered by a second number; both must agree with record_order(). */
static void assert_sorted(struct record *all, size_t count, unsigned shift, bool twice)
{
	static struct record want[MOST];
	const struct number_order then = { sizeof(*all), low_of, NULL, record_order, NULL };
	const struct number_order order = { sizeof(*all), number_of, &shift, record_order, twice ? &then : NULL };

	memcpy(want, all, count * sizeof(*all));
	qsort(want, count, sizeof(*all), record_order);
	number_sort(all, count, &order);
	assert_memory_equal(all, want, count * sizeof(*all));
}

static void records_come_in_order_however_much_the_number_says(void **state)
{
	static const unsigned shifts[] = { 0, 3, 8, 40, 63 };
	static struct record all[MOST];

	(void)state;
	srand(11);
	for (int round = 0; round < 100; round++) {
		size_t count = (size_t)rand() % (round % 2 ? MOST : 40);

		for (size_t i = 0; i < count; i++)
			all[i] = (struct record){ (uint64_t)rand() % 2000, (uint32_t)rand(), { 0 } };
		assert_sorted(all, count, shifts[round % 5], false);
		assert_sorted(all, count, shifts[round % 5], false); /* what is in order stays so */
	}
}

static void those_of_the_same_number_are_sorted_by_another(void **state)
{
	static struct record all[MOST];

	(void)state;
	srand(12);
	for (int round = 0; round < 50; round++) {
		size_t count = (size_t)rand() % MOST;

		for (size_t i = 0; i < count; i++)
			all[i] = (struct record){ (uint64_t)rand() % 3, (uint32_t)rand(), { 0 } };
		assert_sorted(all, count, 0, true);
	}
}

static void none_and_one_are_sorted(void **state)
{
	struct record one = { 7, 8, { 9 } };

	(void)state;
	assert_sorted(&one, 0, 0, false);
	assert_sorted(&one, 1, 0, false);
	assert_int_equal(one.rest[0], 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_in_order_however_much_the_number_says),
		cmocka_unit_test(those_of_the_same_number_are_sorted_by_another),
		cmocka_unit_test(none_and_one_are_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
