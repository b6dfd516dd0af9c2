/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prefetch/latency.c: devices limited by requests, fast ones, and those limited by bytes are told apart. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../prefetch/latency.h"
#include "in_range.h"

#define AT_A_TIME 16u

/* A device that takes so long for a request, and for each KiB of it; the workers share it, and each waits in turn. */
struct limits {
	uint64_t request_us;
	uint64_t kib_us;
	unsigned workers;
};

/* Adds requests of such a device, of all sizes up to this. */
static void wait_for(struct latency *latency, const struct limits *limits, unsigned times, uint64_t largest_kib)
{
	for (unsigned i = 0; i < times; i++) {
		uint64_t kib = 4 + i * 97 % (largest_kib - 3);
		uint64_t us = limits->request_us + kib * limits->kib_us;

		latency_waited(latency, us * 1000 * AT_A_TIME * limits->workers, kib * 1024 * AT_A_TIME, AT_A_TIME);
	}
}

static uint64_t gap_of(const struct limits *limits, unsigned times, uint64_t largest_kib)
{
	struct latency latency;
	uint64_t gap;

	latency_init(&latency);
	wait_for(&latency, limits, times, largest_kib);
	gap = latency_gap(&latency, limits->workers);
	latency_destroy(&latency);
	return gap;
}

static void what_counts_requests_is_slow(void **state)
{
	(void)state;
	/* a byte takes 10 ns */
	assert_in_range(gap_of(&(struct limits){ 6667, 0, 1 }, 64, 20), 650000, 666700);
	assert_in_range(gap_of(&(struct limits){ 2000, 0, 1 }, 64, 20), 190000, 200000);
	/* as it is where they are larger */
	assert_in_range(gap_of(&(struct limits){ 6667, 0, 1 }, 64, 500), 650000, 666700);
}

static void what_moves_a_head_is_slow(void **state)
{
	(void)state;
	assert_in_range(gap_of(&(struct limits){ 5000, 8, 1 }, 64, 200), 490000, 510000);
}

static void workers_wait_at_the_same_time(void **state)
{
	(void)state;
	assert_in_range(gap_of(&(struct limits){ 2000, 0, 4 }, 64, 20), 190000, 200000);
	assert_int_equal(gap_of(&(struct limits){ 800, 0, 4 }, 64, 20), 0);
}

static void what_counts_bytes_is_not(void **state)
{
	(void)state;
	assert_int_equal(gap_of(&(struct limits){ 100, 200, 1 }, 64, 40), 0);
	/* flash and networks */
	assert_int_equal(gap_of(&(struct limits){ 100, 2, 1 }, 64, 20), 0);
	assert_int_equal(gap_of(&(struct limits){ 900, 10, 1 }, 64, 20), 0);
}

static void one_size_is_taken_for_quick_bytes(void **state)
{
	(void)state;
	assert_in_range(gap_of(&(struct limits){ 2000, 0, 1 }, 64, 4), 190000, 200000);
}

static void few_requests_say_nothing(void **state)
{
	(void)state;
	assert_int_equal(gap_of(&(struct limits){ 6667, 0, 1 }, 7, 20), 0);
	assert_int_not_equal(gap_of(&(struct limits){ 6667, 0, 1 }, 8, 20), 0);
}

static void a_hiccup_passes(void **state)
{
	const struct limits fast = { 50, 1, 2 };
	struct latency latency;

	(void)state;
	latency_init(&latency);
	wait_for(&latency, &fast, 20, 20);
	latency_waited(&latency, 2000000000, 20 * 1024, 1);
	wait_for(&latency, &fast, 1000, 20);
	assert_int_equal(latency_gap(&latency, 2), 0);
	latency_destroy(&latency);
}

static void credit_runs_out(void **state)
{
	struct latency latency;

	(void)state;
	latency_init(&latency);
	wait_for(&latency, &(struct limits){ 50, 1, 1 }, 5000, 20);
	assert_int_equal(latency_gap(&latency, 1), 0);
	wait_for(&latency, &(struct limits){ 2000, 0, 1 }, 300, 20);
	assert_int_not_equal(latency_gap(&latency, 1), 0);
	latency_destroy(&latency);
}

static void larger_requests_show_that_bytes_are_what_takes_long(void **state)
{
	struct latency latency;

	(void)state;
	latency_init(&latency);
	wait_for(&latency, &(struct limits){ 100, 1000, 1 }, 64, 4);
	assert_int_not_equal(latency_gap(&latency, 1), 0);
	wait_for(&latency, &(struct limits){ 100, 1000, 1 }, 8, 500);
	assert_int_equal(latency_gap(&latency, 1), 0);
	latency_destroy(&latency);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_counts_requests_is_slow),
		cmocka_unit_test(what_moves_a_head_is_slow),
		cmocka_unit_test(workers_wait_at_the_same_time),
		cmocka_unit_test(what_counts_bytes_is_not),
		cmocka_unit_test(one_size_is_taken_for_quick_bytes),
		cmocka_unit_test(few_requests_say_nothing),
		cmocka_unit_test(a_hiccup_passes),
		cmocka_unit_test(credit_runs_out),
		cmocka_unit_test(larger_requests_show_that_bytes_are_what_takes_long),
	};

	return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
