/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a task: each is done once, whatever the number of threads. */
#include <string.h>

#include "parallel.h"
#include "reported.h"

#define PARTS 1000u

static void count_part(void *ctx, size_t i)
{
	unsigned *times = ctx;

	assert_true(i < PARTS);
	__atomic_fetch_add(&times[i], 1, __ATOMIC_RELAXED);
}

static void each_part_is_done_once(void **state)
{
	static const unsigned threads[] = { 0, 1, 2, 7, PARTS / 10 };

	(void)state;
	for (size_t t = 0; t < sizeof(threads) / sizeof(threads[0]); t++) {
		for (size_t count = 0; count <= PARTS; count = count ? count * 10 : 1) {
			static unsigned times[PARTS];

			memset(times, 0, sizeof(times));
			parallel_each(threads[t], count, count_part, times);
			for (size_t i = 0; i < PARTS; i++)
				assert_int_equal(times[i], i < count);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_is_done_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
