/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/check/walk/shared.c against a naive twin: one flag per block. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "check/walk/shared.h"

#define BLOCKS 5000u

static void random_extents_are_judged_as_the_twin_judges_them(void **state)
{
	(void)state;
	srand(5);
	for (int round = 0; round < 50; round++) {
		struct shared_range ranges[40];
		struct shared shared = { .v = ranges };
		bool twin[BLOCKS] = { false };
		uint32_t at = (uint32_t)rand() % 300;

		while (shared.count < 40 && at < BLOCKS - 100) {
			uint32_t len = 1 + (uint32_t)rand() % (rand() % 4 ? 5 : 90);

			ranges[shared.count++] = (struct shared_range){ at, at + len };
			memset(twin + at, true, len);
			at += len + (uint32_t)rand() % 250;
		}
		for (size_t i = 0; i < shared.count; i++) { /* in any order */
			struct shared_range moved = ranges[i];
			size_t to = (size_t)rand() % shared.count;

			ranges[i] = ranges[to];
			ranges[to] = moved;
		}
		/* in a large group each bit of the map stands for several blocks */
		assert_int_equal(shared_settle(&shared, round % 2 ? BLOCKS : 400 * BLOCKS), 0);
		for (int look = 0; look < 2000; look++) {
			uint32_t start = (uint32_t)rand() % BLOCKS, len = 1 + (uint32_t)rand() % (rand() % 9 ? 8 : 900);
			bool any = false;

			if (len > BLOCKS - start)
				len = BLOCKS - start;
			for (uint32_t i = 0; i < len; i++)
				any |= twin[start + i];
			assert_int_equal(shared_any(&shared, (gbno_t){ start }, len), any);
		}
		free(shared.map);
		free(shared.first);
	}
}

static void a_group_without_shared_blocks_shares_nothing(void **state)
{
	struct shared shared = { 0 };

	(void)state;
	assert_int_equal(shared_settle(&shared, BLOCKS), 0);
	assert_false(shared_any(&shared, (gbno_t){ 0 }, BLOCKS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_extents_are_judged_as_the_twin_judges_them),
		cmocka_unit_test(a_group_without_shared_blocks_shares_nothing),
	};

	return cmocka_run_group_tests_name("shared", tests, NULL, NULL);
}
