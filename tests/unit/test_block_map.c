/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bit per block of a part of a group, against a naive twin. */
#include <pthread.h>

#include "sets/block_map.h"
#include "reported.h"

/* A part that neither begins nor ends where a word does. */
enum { FROM = 1000, TO = FROM + 5 * 64 + 7 };

static void assert_set_exactly(const struct block_map *map, uint64_t start, uint64_t end)
{
	for (uint64_t b = FROM - 70; b < TO + 70; b++)
		assert_int_equal(block_map_get(map, b), b >= start && b < end);
}

static void nothing_is_set_in_a_new_map(void **state)
{
	struct block_map map;

	(void)state;
	assert_int_equal(block_map_new(&map, FROM, TO), 0);
	assert_set_exactly(&map, 0, 0);
	block_map_free(&map);
}

static void what_lies_outside_is_left_out(void **state)
{
	static const struct {
		uint64_t start, len, first, end;
	} cases[] = {
		{ 0, 5000, FROM, TO },
		{ 0, UINT64_MAX, FROM, TO },
		{ FROM - 5, 10, FROM, FROM + 5 },
		{ TO - 5, UINT64_MAX, TO - 5, TO },
		{ 0, FROM, 0, 0 },
		{ TO, 1, 0, 0 },
		{ UINT64_MAX, UINT64_MAX, 0, 0 },
		{ FROM + 3, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct block_map map;

		assert_int_equal(block_map_new(&map, FROM, TO), 0);
		block_map_set(&map, cases[i].start, cases[i].len, true);
		assert_set_exactly(&map, cases[i].first, cases[i].end);
		block_map_set(&map, cases[i].start, cases[i].len, false);
		block_map_mark(&map, cases[i].start, cases[i].len);
		assert_set_exactly(&map, cases[i].first, cases[i].end);
		block_map_free(&map);
	}
}

static void what_is_set_and_cleared_is_as_in_a_naive_twin(void **state)
{
	bool twin[TO - FROM] = { false };
	uint64_t random = 1;
	struct block_map map;

	(void)state;
	assert_int_equal(block_map_new(&map, FROM, TO), 0);
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t start, len;
		bool value;

		random = random * 6364136223846793005u + 1442695040888963407u;
		start = FROM - 80 + (random >> 33) % (TO - FROM + 160);
		len = (random >> 13) % (i % 2 ? 200 : 4);
		value = random >> 63;
		block_map_set(&map, start, len, value);
		for (uint64_t b = start; b < start + len; b++)
			if (b >= FROM && b < TO)
				twin[b - FROM] = value;
		for (unsigned b = 0; b < TO - FROM; b++)
			assert_int_equal(block_map_get(&map, FROM + b), twin[b]);
	}
	block_map_free(&map);
}

static void what_is_marked_again_is_told_apart(void **state)
{
	unsigned times[TO - FROM] = { 0 };
	uint64_t random = 1;
	struct block_map map, again;

	(void)state;
	assert_int_equal(block_map_new(&map, FROM, TO), 0);
	assert_int_equal(block_map_new(&again, FROM, TO), 0);
	for (unsigned i = 0; i < 60; i++) {
		uint64_t start, len;

		random = random * 6364136223846793005u + 1442695040888963407u;
		start = FROM - 20 + (random >> 33) % (TO - FROM + 40);
		len = (random >> 13) % 8;
		block_map_mark_again(&map, &again, start, len);
		for (uint64_t b = start; b < start + len; b++)
			if (b >= FROM && b < TO)
				times[b - FROM]++;
		for (unsigned b = 0; b < TO - FROM; b++) {
			assert_int_equal(block_map_get(&map, FROM + b), times[b] > 0);
			assert_int_equal(block_map_get(&again, FROM + b), times[b] > 1);
		}
	}
	block_map_free(&map);
	block_map_free(&again);
}

static void maps_meet_where_both_have_a_block(void **state)
{
	struct block_map map, other;

	(void)state;
	assert_int_equal(block_map_new(&map, FROM, TO), 0);
	assert_int_equal(block_map_new(&other, FROM, TO), 0);
	block_map_set(&map, FROM, 70, true);
	block_map_set(&other, FROM + 70, TO, true);
	assert_false(block_map_meets(&map, &other));
	block_map_set(&map, TO - 1, 1, true);
	assert_true(block_map_meets(&map, &other));
	assert_true(block_map_meets(&other, &map));
	block_map_free(&map);
	block_map_free(&other);
}

static void the_next_one_is_that_of_a_naive_twin(void **state)
{
	struct block_map map, other;
	uint64_t random = 7;

	(void)state;
	assert_int_equal(block_map_new(&map, FROM, TO), 0);
	assert_int_equal(block_map_new(&other, FROM, TO), 0);
	for (unsigned round = 0; round < 50; round++) {
		uint64_t next[2] = { TO, TO }; /* not set, set */
		uint64_t count = 0;

		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		block_map_set(round % 2 ? &map : &other, FROM + (random >> 33) % (TO - FROM), (random >> 13) % 90,
			      random >> 63);
		for (uint64_t b = TO; b-- > FROM;) {
			next[block_map_get(&map, b) || block_map_get(&other, b)] = b;
			count += block_map_get(&map, b);
			assert_int_equal(block_map_next(&map, &other, b, false), next[0]);
			assert_int_equal(block_map_next(&map, &other, b, true), next[1]);
		}
		assert_int_equal(block_map_next(&map, &other, TO, false), TO);
		assert_int_equal(block_map_count(&map), count);
	}
	block_map_free(&map);
	block_map_free(&other);
}

enum { THREADS = 4, LONG = 200000 };

struct marker {
	const struct block_map *map;
	uint64_t first;
};

/* Every THREADS-th block, so that all threads want each word. */
static void *mark_some(void *arg)
{
	const struct marker *m = arg;

	for (uint64_t b = m->first; b < LONG; b += THREADS)
		block_map_mark(m->map, b, 1);
	return NULL;
}

static void threads_that_mark_the_same_words_lose_nothing(void **state)
{
	struct marker markers[THREADS];
	pthread_t threads[THREADS];
	struct block_map map;

	(void)state;
	assert_int_equal(block_map_new(&map, 0, LONG), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		markers[i] = (struct marker){ &map, i };
		assert_int_equal(pthread_create(&threads[i], NULL, mark_some, &markers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint64_t b = 0; b < LONG; b++)
		assert_true(block_map_get(&map, b));
	block_map_free(&map);
}

static void maps_of_the_same_blocks_are_united_and_subtracted(void **state)
{
	struct block_map map, other;

	(void)state;
	assert_int_equal(block_map_new(&map, FROM, TO), 0);
	assert_int_equal(block_map_new(&other, FROM, TO), 0);
	block_map_set(&other, TO - 3, 3, true);
	block_map_unite(&map, &other);
	assert_set_exactly(&map, TO - 3, TO);
	block_map_set(&map, FROM, TO - FROM, true);
	block_map_subtract(&map, &other);
	assert_set_exactly(&map, FROM, TO - 3);
	assert_set_exactly(&other, TO - 3, TO);
	block_map_free(&map);
	block_map_free(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_marked_again_is_told_apart),
		cmocka_unit_test(maps_meet_where_both_have_a_block),
		cmocka_unit_test(the_next_one_is_that_of_a_naive_twin),
		cmocka_unit_test(nothing_is_set_in_a_new_map),
		cmocka_unit_test(what_lies_outside_is_left_out),
		cmocka_unit_test(what_is_set_and_cleared_is_as_in_a_naive_twin),
		cmocka_unit_test(maps_of_the_same_blocks_are_united_and_subtracted),
		cmocka_unit_test(threads_that_mark_the_same_words_lose_nothing),
	};

	return cmocka_run_group_tests_name("block_map", tests, NULL, NULL);
}
