/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/log/extent_counts.c: buffers that begin at the same sector and differ in length are different buffers. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "../../repair/log/extent_counts.h"

static void each_buffer_has_a_number_of_its_own(void **state)
{
	struct extent_counts counts = { 0 };

	(void)state;
	assert_null(extent_counts_find(&counts, (xdaddr_t){ 8 }, 8));
	for (uint32_t i = 0; i < 5000; i++)
		*extent_counts_add(&counts, (xdaddr_t){ 8 * (i / 2) }, 8 + i % 2) += i;
	for (uint32_t i = 0; i < 5000; i++)
		*extent_counts_add(&counts, (xdaddr_t){ 8 * (i / 2) }, 8 + i % 2) += 1;
	assert_int_equal(counts.count, 5000);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(*extent_counts_find(&counts, (xdaddr_t){ 8 * (i / 2) }, 8 + i % 2), i + 1);
	assert_null(extent_counts_find(&counts, (xdaddr_t){ 8 }, 10));
	assert_null(extent_counts_find(&counts, (xdaddr_t){ 9 }, 8));
	extent_counts_free(&counts);
}

static void nothing_is_left_after_clearing(void **state)
{
	struct extent_counts counts = { 0 };

	(void)state;
	*extent_counts_add(&counts, (xdaddr_t){ 0 }, 1) = 7;
	extent_counts_clear(&counts);
	assert_null(extent_counts_find(&counts, (xdaddr_t){ 0 }, 1));
	assert_int_equal(*extent_counts_add(&counts, (xdaddr_t){ 0 }, 1), 0);
	assert_int_equal(counts.count, 1);
	extent_counts_free(&counts);
}

/* A crafted log knows how tables are made: multiples of the inverse of the usual factor fall into one slot. */
static void no_choice_of_buffers_makes_it_slow(void **state)
{
	struct extent_counts counts = { 0 };
	clock_t before = clock();

	(void)state;
	for (uint64_t i = 0; i < 300000; i++)
		*extent_counts_add(&counts, (xdaddr_t){ i * 0xf1de83e19937733d }, 8) = 1;
	assert_int_equal(counts.count, 300000);
	assert_true(clock() - before < 5 * CLOCKS_PER_SEC);
	extent_counts_free(&counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_buffer_has_a_number_of_its_own),
		cmocka_unit_test(nothing_is_left_after_clearing),
		cmocka_unit_test(no_choice_of_buffers_makes_it_slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
