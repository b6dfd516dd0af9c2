/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes of numbers by their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ask/histogram.h"

static void each_number_is_in_its_class(void **state)
{
	static const uint64_t numbers[] = { 0, 1, 2, 3, 4, 7, 8, 1023, 1024, UINT64_MAX / 2, UINT64_MAX };
	static const unsigned classes[] = { 0, 1, 2, 2, 3, 3, 4, 10, 11, 63, 64 };

	(void)state;
	for (unsigned i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		assert_int_equal(histogram_class(numbers[i]), classes[i]);
		assert_true(histogram_from(classes[i]) <= numbers[i] && numbers[i] <= histogram_to(classes[i]));
	}
}

static void classes_follow_each_other(void **state)
{
	(void)state;
	for (unsigned i = 1; i < HISTOGRAM_CLASSES; i++)
		assert_true(histogram_from(i) == histogram_to(i - 1) + 1);
	assert_true(histogram_to(HISTOGRAM_CLASSES - 1) == UINT64_MAX);
}

static void counts_and_weights_add_up(void **state)
{
	struct histogram a = { 0 }, b = { 0 };

	(void)state;
	histogram_add(&a, 5, 50);
	histogram_add(&b, 6, 60);
	histogram_add(&b, 0, 7);
	histogram_join(&a, &b);
	assert_int_equal(a.of[3].count, 2);
	assert_int_equal(a.of[3].sum, 110);
	assert_int_equal(a.of[0].count, 1);
	assert_int_equal(a.of[0].sum, 7);
	assert_int_equal(a.of[1].count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_is_in_its_class),
		cmocka_unit_test(classes_follow_each_other),
		cmocka_unit_test(counts_and_weights_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
