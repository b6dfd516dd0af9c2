/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting by ranges against qsort(). */
#include <stdlib.h>
#include <string.h>

#include "../../repair/sets/sort.h"
#include "reported.h"

#define PARTS 3u
#define MANY  (3u << 19) /* in a part whose memory lies in large pages */
#define MOST  20000u	 /* some so many that threads share the work, some less */

struct record {
	uint64_t high;
	uint32_t low;
	uint32_t which;
};

static uint64_t number_of(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct record *)record)->high;
}

static int record_order(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return (x->low > y->low) - (x->low < y->low);
}

static const struct number_order by_high = { sizeof(struct record), number_of, NULL, record_order, NULL };

/* Makes records whose numbers have `bits` bits, in parts, and a copy of them in all[]. */
static size_t make(struct spread_input *parts, struct record *all, unsigned bits)
{
	size_t count = 0;

	for (unsigned i = 0; i < PARTS; i++) {
		size_t n = (size_t)rand() % (MOST / PARTS);
		struct record *v = calloc(n + 1, sizeof(*v));

		assert_non_null(v);
		for (size_t k = 0; k < n; k++) {
			uint64_t high = (uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand();

			v[k] = (struct record){ bits ? high >> (64 - bits) : 7, (uint32_t)rand(), (uint32_t)count };
			all[count++] = v[k];
		}
		parts[i] = (struct spread_input){ (uint8_t *)v, n };
	}
	return count;
}

static void all_records_come_in_order(void **state)
{
	static const unsigned bits[] = { 64, 40, 12, 3, 0 };
	static struct record all[MOST];

	(void)state;
	srand(9);
	for (int round = 0; round < 50; round++) {
		struct spread_input parts[PARTS];
		size_t count = make(parts, all, bits[round % 5]), sorted_count;
		struct record *sorted = (struct record *)spread_sort(parts, PARTS, &by_high, &sorted_count);

		assert_non_null(sorted);
		assert_int_equal(sorted_count, count);
		qsort(all, count, sizeof(*all), record_order);
		for (size_t i = 0; i < count; i++) {
			assert_true(sorted[i].high == all[i].high);
			assert_int_equal(sorted[i].low, all[i].low);
		}
		for (unsigned i = 0; i < PARTS; i++)
			assert_null(parts[i].records);
		free(sorted);
	}
}

static void none_are_none(void **state)
{
	struct spread_input parts[PARTS] = { { NULL, 0 } };
	size_t count = 1;
	uint8_t *sorted = spread_sort(parts, PARTS, &by_high, &count);

	(void)state;
	assert_non_null(sorted);
	assert_int_equal(count, 0);
	free(sorted);
}

static void one_alone_and_the_extremes_are_there(void **state)
{
	struct record *v = calloc(2, sizeof(*v));
	struct spread_input parts[] = { { (uint8_t *)v, 2 } };
	struct record *sorted;
	size_t count;

	(void)state;
	assert_non_null(v);
	v[0].high = UINT64_MAX;
	sorted = (struct record *)spread_sort(parts, 1, &by_high, &count);
	assert_int_equal(count, 2);
	assert_true(sorted[0].high == 0 && sorted[1].high == UINT64_MAX);
	free(sorted);
}

/* The memory of large parts is freed while their records are spread: none that is still needed may be freed. */
static void large_parts_come_in_order(void **state)
{
	struct spread_input parts[2];
	struct record *sorted;
	size_t count;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct record *v = calloc(MANY, sizeof(*v));

		assert_non_null(v);
		for (uint32_t k = 0; k < MANY; k++) /* each number once: an odd factor */
			v[k].high = (uint32_t)((2 * k + i) * UINT32_C(2654435761));
		parts[i] = (struct spread_input){ (uint8_t *)v, MANY };
	}
	sorted = (struct record *)spread_sort(parts, 2, &by_high, &count);
	assert_non_null(sorted);
	assert_int_equal(count, 2 * MANY);
	for (size_t i = 1; i < count; i++)
		assert_true(sorted[i - 1].high < sorted[i].high);
	free(sorted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_records_come_in_order),
		cmocka_unit_test(none_are_none),
		cmocka_unit_test(large_parts_come_in_order),
		cmocka_unit_test(one_alone_and_the_extremes_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
