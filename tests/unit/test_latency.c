/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prefetch/latency.c: slow devices are told from fast ones, whatever delays of our own are mixed in. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../prefetch/latency.h"

static bool slow(const uint64_t *us, unsigned count)
{
	struct latency latency = { 0 };

	for (unsigned i = 0; i < count; i++)
		latency_add(&latency, us[i] * 1000);
	return latency_slow(&latency);
}

static void a_fast_device_with_hiccups_is_fast(void **state)
{
	const uint64_t us[] = { 13, 700, 37, 20000, 287, 8, 121, 292 };

	(void)state;
	assert_false(slow(us, 8));
}

static void a_fast_device_of_a_busy_machine_is_fast(void **state)
{
	const uint64_t us[] = { 33996, 66, 11711, 38083, 2012, 3122, 27491, 214 };

	(void)state;
	assert_false(slow(us, 8));
}

static void flash_far_away_is_fast(void **state)
{
	const uint64_t us[] = { 399, 64, 2008, 585, 565, 608, 266, 3696 };

	(void)state;
	assert_false(slow(us, 8));
}

static void a_slow_device_with_lucky_hits_is_slow(void **state)
{
	const uint64_t us[] = { 7300, 64, 8008, 2585, 11565, 4608, 9266, 13696 };

	(void)state;
	assert_true(slow(us, 8));
}

static void too_few_samples_say_nothing(void **state)
{
	const uint64_t us[] = { 4000, 4000, 4000 };

	(void)state;
	assert_false(slow(us, 3));
}

static void only_the_first_samples_count_and_none_overflows(void **state)
{
	struct latency latency = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		latency_add(&latency, i < (int)LATENCY_SAMPLES ? UINT64_MAX : 1);
	assert_true(latency_slow(&latency));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fast_device_with_hiccups_is_fast),
		cmocka_unit_test(a_fast_device_of_a_busy_machine_is_fast),
		cmocka_unit_test(flash_far_away_is_fast),
		cmocka_unit_test(a_slow_device_with_lucky_hits_is_slow),
		cmocka_unit_test(too_few_samples_say_nothing),
		cmocka_unit_test(only_the_first_samples_count_and_none_overflows),
	};

	return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
