/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/estimate.c: the duration of a sweep from its first seconds, and what would make it faster. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../../repair/estimate.h"
#include "../../repair/report/words.h"

#define GIB (UINT64_C(1) << 30)

/* A tenth of a million inodes in 5 seconds, by processors that are busy half of the time. */
static const struct sweep_seen tenth = { .ms = 5000,
					 .processor_ms = 5000,
					 .processors = 2,
					 .done = 100000,
					 .expected = 1000000,
					 .bytes = 5 * GIB,
					 .room = GIB };

static void the_rest_takes_as_long_as_what_was_seen(void **state)
{
	struct sweep_seen seen = tenth;

	(void)state;
	assert_int_equal(estimate_seconds(&seen), 45);
	seen.done = seen.expected;
	assert_int_equal(estimate_seconds(&seen), 0);
}

static void nobody_can_tell_before_anything_is_done(void **state)
{
	struct sweep_seen seen = tenth;
	struct words words = { 0 };

	(void)state;
	seen.done = 0;
	assert_true(estimate_seconds(&seen) == UINT64_MAX);
	estimate_tell(&words, &seen);
	assert_int_equal(words.length, 0);
	seen.done = seen.expected + 1; /* the superblock was wrong */
	assert_true(estimate_seconds(&seen) == UINT64_MAX);
}

static void assert_reported(const struct sweep_seen *seen, const char *part)
{
	struct words words = { 0 };

	estimate_tell(&words, seen);
	if (!strstr(words.text, part))
		fail_msg("no \"%s\" in: %s", part, words.text);
	assert_true(words.length < sizeof(words.text) - 1); /* nothing was cut off */
}

static void pace_and_rest_are_told(void **state)
{
	(void)state;
	assert_reported(&tenth, "first 5 s (20,000 inodes and 1.0 GiB per s), this phase takes 45 s more.");
}

static void what_is_waited_for_is_told(void **state)
{
	struct sweep_seen seen = tenth;

	(void)state;
	assert_reported(&seen, "busy 50 % of the time: it waits for the device;");
	seen.disk = true;
	assert_reported(&seen, "waits for the disk");
	seen.processor_ms = 9000;
	assert_reported(&seen, "busy 90 % of the time: more or faster ones");
	seen.processor_ms = 11000; /* clocks differ */
	assert_reported(&seen, "busy 100 %");
}

static void directories_are_told_if_they_take_much(void **state)
{
	struct sweep_seen seen = tenth;
	struct words words = { 0 };

	(void)state;
	seen.done = 10000000;
	seen.expected = 1000000000;
	seen.directories = 500000;
	estimate_tell(&words, &seen);
	assert_null(strstr(words.text, "directories"));
	seen.room = 400 << 20;
	assert_reported(&seen, "50,000,000 directories, which take 381 MiB of memory.");
	seen.directories_before = 1000000; /* by an interrupted run */
	assert_reported(&seen, "51,000,000 directories, which take 389 MiB of memory.");
	seen.directories_before = 0;
	seen.room = 64 << 20;
	assert_reported(&seen, "381 MiB, for the most part in a temporary file;");
	seen.disk = true;
	seen.expected = seen.directories = 1ull << 60; /* the longest of all */
	assert_reported(&seen, "is faster.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rest_takes_as_long_as_what_was_seen),
		cmocka_unit_test(nobody_can_tell_before_anything_is_done),
		cmocka_unit_test(pace_and_rest_are_told),
		cmocka_unit_test(what_is_waited_for_is_told),
		cmocka_unit_test(directories_are_told_if_they_take_much),
	};

	return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
