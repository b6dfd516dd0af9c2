/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of unreadable ranges against a naive twin: one flag per byte. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../cache/unreadable.h"

#define TWIN_BYTES 400

static void assert_same(struct unreadable *list, const bool *twin, uint64_t start, uint64_t end)
{
	uint64_t want = start, at = 0, n = 0, want_len = 0;

	while (want < end && !twin[want])
		want++;
	while (want + want_len < end && twin[want + want_len])
		want_len++;
	assert_int_equal(unreadable_find(list, start, end, &at, &n), want_len > 0);
	if (want_len) {
		assert_int_equal(at, want);
		assert_int_equal(n, want_len);
	}
}

static void random_ranges_are_found_as_the_twin_finds_them(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		struct unreadable *list = unreadable_create();
		bool twin[TWIN_BYTES] = { false };

		assert_non_null(list);
		for (unsigned i = 0; i < 60; i++) {
			uint64_t start = (unsigned)rand_r(&seed) % (TWIN_BYTES - 8);
			uint64_t end = start + 1 + (unsigned)rand_r(&seed) % (i % 10 ? 3 : 8);

			if (i % 5 == 4)
				unreadable_remove(list, start, end);
			else
				unreadable_add(list, start, end);
			for (uint64_t byte = start; byte < end; byte++)
				twin[byte] = i % 5 != 4;
			for (unsigned k = 0; k < 40; k++) {
				start = (unsigned)rand_r(&seed) % TWIN_BYTES;
				end = start + (unsigned)rand_r(&seed) % (TWIN_BYTES + 1 - start);
				assert_same(list, twin, start, end);
			}
		}
		unreadable_destroy(list);
	}
}

#define TOO_MANY 70000u

/* More bad places than the list has ranges: none is forgotten, and no range grows far. */
static void a_full_list_forgets_nothing(void **state)
{
	struct unreadable *list = unreadable_create();
	uint64_t at, n, wrong = 0;

	(void)state;
	assert_non_null(list);
	for (uint64_t i = 0; i < TOO_MANY; i++)
		unreadable_add(list, i * 1024, i * 1024 + 512);
	for (uint64_t i = 0; i < TOO_MANY; i++)
		wrong += !unreadable_find(list, i * 1024, i * 1024 + 512, &at, &n) || at != i * 1024 || n != 512;
	for (uint64_t i = 0; i < 60000; i++)
		wrong += unreadable_find(list, i * 1024 + 512, i * 1024 + 1024, &at, &n);
	assert_int_equal(wrong, 0);
	unreadable_destroy(list);
}

static void an_empty_list_has_nothing(void **state)
{
	struct unreadable *list = unreadable_create();
	uint64_t at, n;

	(void)state;
	assert_non_null(list);
	assert_false(unreadable_find(list, 0, UINT64_MAX, &at, &n));
	unreadable_add(list, 10, 20);
	assert_false(unreadable_find(list, UINT64_MAX, UINT64_MAX, &at, &n));
	assert_false(unreadable_find(list, 20, 20, &at, &n));
	unreadable_destroy(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_ranges_are_found_as_the_twin_finds_them),
		cmocka_unit_test(a_full_list_forgets_nothing),
		cmocka_unit_test(an_empty_list_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
