/* SPDX-License-Identifier: GPL-2.0-or-later */
/* include/array.h: searching, against counting one by one. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "array.h"

struct pair {
	unsigned number, other;
};

static bool number_below(const void *element, const void *key)
{
	const struct pair *pair = element;
	const unsigned *number = key;

	return pair->number < *number;
}

static void the_first_that_is_not_below_is_found_in_arrays_of_any_length(void **state)
{
	struct pair pairs[40];

	(void)state;
	for (size_t count = 0; count <= 40; count++) {
		for (size_t i = 0; i < count; i++)
			pairs[i] = (struct pair){ (unsigned)i / 3 * 2 + 1, (unsigned)i }; /* 1, 1, 1, 3, 3, 3, 5 ... */
		for (unsigned key = 0; key < 32; key++) {
			size_t below = 0;

			while (below < count && pairs[below].number < key)
				below++;
			assert_int_equal(array_lower_bound(pairs, count, sizeof(*pairs), &key, number_below), below);
		}
	}
}

static void an_array_that_was_never_made_has_nothing_below(void **state)
{
	const unsigned key = 7;

	(void)state;
	assert_int_equal(array_lower_bound(NULL, 0, sizeof(struct pair), &key, number_below), 0);
}

static void elements_stay_as_an_array_grows(void **state)
{
	struct pair *pairs = NULL;
	size_t room = 0;

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(array_grow(&pairs, &room, i, sizeof(*pairs)), 0);
		assert_true(room > i);
		if (!pairs) {
			fail();
			return;
		}
		pairs[i] = (struct pair){ i, ~i };
	}
	for (unsigned i = 0; i < 100; i++)
		assert_true(pairs[i].number == i && pairs[i].other == ~i);
	free(pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_is_not_below_is_found_in_arrays_of_any_length),
		cmocka_unit_test(an_array_that_was_never_made_has_nothing_below),
		cmocka_unit_test(elements_stay_as_an_array_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
