/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/base/name_chains.c: every index of a hash is found, however many names were added in between. */
#include <stdlib.h>

#include "../../repair/mend/base/name_chains.h"
#include "reported.h"

#define MANY 3000u

static uint32_t hash_of(const void *names, size_t index)
{
	return ((const uint32_t *)names)[index];
}

/* Returns how many names of a hash are among the first `count`, by the chains. */
static unsigned found(const struct name_chains *chains, const uint32_t *hashes, size_t count, uint32_t hash)
{
	unsigned n = 0;

	for (uint32_t at = name_chains_last(chains, hash); at; at = name_chains_before(chains, at)) {
		assert_true(at <= count);
		n += hashes[at - 1] == hash;
	}
	return n;
}

static void all_of_a_hash_are_in_its_chain(void **state)
{
	static uint32_t hashes[MANY];
	struct name_chains chains = { 0 };

	(void)state;
	for (unsigned i = 0; i < MANY; i++)
		hashes[i] = i % 500 * 0x10001u;
	assert_int_equal(found(&chains, hashes, 0, 7), 0);
	for (size_t count = 500; count <= MANY; count += 500) {
		assert_int_equal(name_chains_grow(&chains, hashes, count, hash_of), 0);
		for (uint32_t i = 0; i < 500; i++)
			assert_int_equal(found(&chains, hashes, count, i * 0x10001u), count / 500);
		assert_int_equal(found(&chains, hashes, count, 0xdeadbeef), 0);
	}
	name_chains_free(&chains);
}

static void what_was_forgotten_is_taken_in_anew(void **state)
{
	uint32_t hashes[] = { 1, 2, 1, 4 };
	struct name_chains chains = { 0 };

	(void)state;
	assert_int_equal(name_chains_grow(&chains, hashes, 4, hash_of), 0);
	hashes[0] = 9;
	name_chains_forget(&chains);
	assert_int_equal(found(&chains, hashes, 4, 1), 0);
	assert_int_equal(name_chains_grow(&chains, hashes, 3, hash_of), 0);
	assert_int_equal(found(&chains, hashes, 3, 1), 1);
	assert_int_equal(found(&chains, hashes, 3, 9), 1);
	assert_int_equal(found(&chains, hashes, 3, 4), 0);
	name_chains_free(&chains);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_a_hash_are_in_its_chain),
		cmocka_unit_test(what_was_forgotten_is_taken_in_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
