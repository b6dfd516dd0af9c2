/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting records in memory, and beyond it in a temporary file, against qsort(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sets/spill.h"

#define MANY  20000u
#define LANES 3u

struct known {
	uint64_t key, sub;
	uint8_t bytes[300];
	uint16_t len;
};

static int compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;
	int order;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->sub != y->sub)
		return x->sub < y->sub ? -1 : 1;
	order = memcmp(x->bytes, y->bytes, x->len < y->len ? x->len : y->len);
	return order ? order : x->len - y->len;
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *state >> 33;
}

/* Makes records with few different keys, so that many have the same; the last bytes differ. */
static struct known *make_records(unsigned count, unsigned keys)
{
	struct known *all = calloc(count, sizeof(*all));
	uint64_t state = 42;

	assert_non_null(all);
	for (unsigned i = 0; i < count; i++) {
		all[i].key = next_random(&state) % keys << 40;
		all[i].sub = next_random(&state) % 3;
		all[i].len = (uint16_t)(next_random(&state) % sizeof(all[i].bytes));
		for (unsigned k = 0; k < all[i].len; k++)
			all[i].bytes[k] = (uint8_t)(next_random(&state) % 2);
	}
	return all;
}

static void expect_all(struct spill *spill, const struct known *sorted, unsigned count)
{
	struct spill_record r;

	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(spill_next(spill, &r), 1);
		assert_int_equal(r.key, sorted[i].key);
		assert_int_equal(r.sub, sorted[i].sub);
		assert_int_equal(r.len, sorted[i].len);
		assert_memory_equal(r.bytes, sorted[i].bytes, r.len);
	}
	assert_int_equal(spill_next(spill, &r), 0);
	assert_int_equal(spill_next(spill, &r), 0);
}

static void sort_with(unsigned count, unsigned keys, size_t limit)
{
	struct known *all = make_records(count, keys);
	struct spill *spill = spill_new(LANES, limit);

	assert_non_null(spill);
	for (unsigned i = 0; i < count; i++) {
		const struct spill_record r = { all[i].key, all[i].sub, all[i].len, all[i].bytes };

		spill_add(spill, i % LANES, &r);
	}
	assert_int_equal(spill_settle(spill), 0);
	qsort(all, count, sizeof(*all), compare);
	expect_all(spill, all, count);
	assert_int_equal(spill_rewind(spill), 0);
	expect_all(spill, all, count);
	spill_free(spill);
	free(all);
}

static void none(void **state)
{
	(void)state;
	sort_with(0, 1, 1 << 20);
}

static void in_memory(void **state)
{
	(void)state;
	sort_with(MANY, 1000000, 64 << 20);
}

static void in_a_file(void **state)
{
	(void)state;
	sort_with(MANY, 1000000, 0); /* the least that there can be */
}

static void with_equal_keys(void **state)
{
	(void)state;
	sort_with(MANY, 5, 0);
}

static void of_the_greatest_length(void **state)
{
	static uint8_t bytes[UINT16_MAX];
	struct spill *spill = spill_new(1, 0);
	struct spill_record r = { .key = 9, .len = UINT16_MAX, .bytes = bytes };

	(void)state;
	assert_non_null(spill);
	for (unsigned i = 0; i < 5; i++) {
		r.key = 9 - i;
		spill_add(spill, 0, &r);
	}
	assert_int_equal(spill_settle(spill), 0);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(spill_next(spill, &r), 1);
		assert_int_equal(r.key, 5 + i);
		assert_int_equal(r.len, UINT16_MAX);
	}
	assert_int_equal(spill_next(spill, &r), 0);
	spill_free(spill);
}

static void no_folder_for_a_file(void **state)
{
	const struct spill_record r = { .key = 1, .len = 1000, .bytes = (const uint8_t[1000]){ 0 } };
	struct spill *spill = spill_new(1, 0);

	(void)state;
	assert_non_null(spill);
	assert_int_equal(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
	for (unsigned i = 0; i < 1000; i++)
		spill_add(spill, 0, &r);
	assert_true(spill_settle(spill) < 0);
	assert_int_equal(unsetenv("TMPDIR"), 0);
	spill_free(spill);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none),
		cmocka_unit_test(in_memory),
		cmocka_unit_test(in_a_file),
		cmocka_unit_test(with_equal_keys),
		cmocka_unit_test(of_the_greatest_length),
		cmocka_unit_test(no_folder_for_a_file),
	};

	return cmocka_run_group_tests_name("spill", tests, NULL, NULL);
}
