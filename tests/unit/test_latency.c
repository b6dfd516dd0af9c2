/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prefetch/latency.c: slow devices are told from fast ones, whatever delays of our own are mixed in. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../prefetch/latency.h"

/* Lone requests take so long each; of many, each takes each_us for one worker. */
static bool slow_with(const uint64_t *us, unsigned count, uint64_t each_us, unsigned requests)
{
	struct latency latency = { 0 };

	for (unsigned i = 0; i < count; i++)
		latency_add(&latency, us[i] * 1000);
	for (unsigned i = 0; i < requests; i++)
		latency_waited(&latency, each_us * 1000, 1);
	return latency_slow(&latency, 2);
}

static bool slow(const uint64_t *us, unsigned count)
{
	return slow_with(us, count, 10000, 64);
}

static void a_device_that_works_on_many_at_a_time_is_fast(void **state)
{
	const uint64_t us[] = { 7300, 6400, 8008, 2585, 11565, 4608, 9266, 13696 };

	(void)state;
	assert_false(slow_with(us, 8, 4000, 64));
	assert_true(slow_with(us, 8, 4001, 64));
}

static void before_many_have_been_waited_for_it_is_not_slow(void **state)
{
	const uint64_t us[] = { 7300, 6400, 8008, 2585, 11565, 4608, 9266, 13696 };

	(void)state;
	assert_false(slow_with(us, 8, 10000, 63));
}

static void a_fast_device_with_hiccups_is_fast(void **state)
{
	const uint64_t us[] = { 13, 700, 37, 20000, 287, 8, 121, 292 };

	(void)state;
	assert_false(slow(us, 8));
}

static void a_fast_device_of_a_busy_machine_is_fast(void **state)
{
	const uint64_t us[] = { 33996, 66, 11711, 38083, 2012, 3122, 27491, 2140 };

	(void)state;
	assert_true(slow(us, 8));
	assert_false(slow_with(us, 8, 700, 1000));
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
	latency_waited(&latency, 1000000000, 64);
	assert_true(latency_slow(&latency, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_that_works_on_many_at_a_time_is_fast),
		cmocka_unit_test(before_many_have_been_waited_for_it_is_not_slow),
		cmocka_unit_test(a_fast_device_with_hiccups_is_fast),
		cmocka_unit_test(a_fast_device_of_a_busy_machine_is_fast),
		cmocka_unit_test(flash_far_away_is_fast),
		cmocka_unit_test(a_slow_device_with_lucky_hits_is_slow),
		cmocka_unit_test(too_few_samples_say_nothing),
		cmocka_unit_test(only_the_first_samples_count_and_none_overflows),
	};

	return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
