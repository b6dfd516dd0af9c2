/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/sets/hash.c: different names have different hashes, except those that a file system folds to the same. */
#include <stdbool.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../repair/sets/hash.h"

static const struct hash_key key = { { 0x1234567890abcdef, 0xfedcba0987654321, 0x0f1e2d3c4b5a6978,
				       0x1122334455667789 } };

static uint64_t hash(const char *name, bool fold)
{
	return fold ? hash_name_folded(&key, (const uint8_t *)name, strlen(name))
		    : hash_name(&key, (const uint8_t *)name, strlen(name));
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void names_in_a_row_never_collide(void **state)
{
	enum { N = 1000000 };
	uint64_t *hashes = malloc(N * sizeof(*hashes));
	char name[32];

	(void)state;
	assert_non_null(hashes);
	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof(name), "file-%07d.dat", i);
		hashes[i] = hash(name, false);
	}
	qsort(hashes, N, sizeof(*hashes), compare);
	for (int i = 1; i < N; i++)
		assert_true(hashes[i] != hashes[i - 1]);
	free(hashes);
}

static void length_and_every_byte_count(void **state)
{
	char name[40];

	(void)state;
	for (size_t len = 1; len < sizeof(name); len++) {
		uint64_t whole;

		memset(name, 'a', sizeof(name));
		whole = hash_name(&key, (uint8_t *)name, len);
		assert_true(whole != hash_name(&key, (uint8_t *)name, len - 1));
		for (size_t i = 0; i < len; i++) {
			name[i] = 'b';
			assert_true(whole != hash_name(&key, (uint8_t *)name, len));
			name[i] = 'a';
		}
	}
}

/* "00000000" and "100000000", and other names that differ only in their first byte and their length. */
static void length_does_not_make_up_for_a_byte(void **state)
{
	enum { LONGEST = 255, FIRSTS = 64 };
	static uint64_t hashes[LONGEST * FIRSTS];
	char name[LONGEST];
	size_t n = 0;

	(void)state;
	memset(name, '0', sizeof(name));
	for (size_t len = 1; len <= LONGEST; len++)
		for (int first = 0; first < FIRSTS; first++) {
			name[0] = (char)('0' ^ first);
			hashes[n++] = hash_name(&key, (uint8_t *)name, len);
		}
	qsort(hashes, n, sizeof(*hashes), compare);
	for (size_t i = 1; i < n; i++)
		assert_true(hashes[i] != hashes[i - 1]);
}

static void folding_joins_cases_and_nothing_else(void **state)
{
	(void)state;
	assert_true(hash("Straße.TXT", true) == hash("straße.txt", true));
	assert_true(hash("Straße.TXT", false) != hash("straße.txt", false));
	assert_true(hash("\xc4pfel-und-mehr", true) == hash("\xe4pfel-und-mehr", true));
	/* the multiplication sign has no lower case; neither have '[' and '@' beside the letters */
	assert_true(hash("\xd7", true) != hash("\xf7", true));
	assert_true(hash("[", true) != hash("{", true));
	assert_true(hash("@", true) != hash("`", true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_in_a_row_never_collide),
		cmocka_unit_test(length_and_every_byte_count),
		cmocka_unit_test(length_does_not_make_up_for_a_byte),
		cmocka_unit_test(folding_joins_cases_and_nothing_else),
	};

	return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
