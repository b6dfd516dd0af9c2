/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/log/extent_counts.c: buffers that begin at the same sector and have other lengths are others. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_buffer_has_a_number_of_its_own),
		cmocka_unit_test(nothing_is_left_after_clearing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
