/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays in the order of their members, against naive twins. */
#include <stdlib.h>

#include "../../repair/sets/ordered.h"
#include "reported.h"

#define COUNT 300u

struct record {
	uint8_t small;
	uint16_t quarter;
	agno_t half;
	xino_t whole;
	size_t before; /* its index before it was sorted */
};

/* Few different numbers, so that many are equal; the largest is among them. */
static uint64_t some_number(void)
{
	const int n = rand() % 17;

	return n ? (uint64_t)n : UINT64_MAX;
}

static void fill(struct record *v)
{
	for (size_t i = 0; i < COUNT; i++)
		v[i] = (struct record){ .small = (uint8_t)some_number(),
					.quarter = (uint16_t)some_number(),
					.half.v = (uint32_t)some_number(),
					.whole.v = some_number(),
					.before = i };
}

static void records_are_in_the_order_of_their_members(void **state)
{
	struct record v[COUNT];

	(void)state;
	fill(v);
	ordered_sort(v, COUNT, MEMBERS(MEMBER(v, half), MEMBER(v, small), MEMBER(v, before)));
	for (size_t i = 1; i < COUNT; i++) {
		assert_true(v[i - 1].half.v <= v[i].half.v);
		if (v[i - 1].half.v == v[i].half.v)
			assert_true(v[i - 1].small < v[i].small ||
				    (v[i - 1].small == v[i].small && v[i - 1].before < v[i].before));
	}
	fill(v);
	ordered_sort(v, COUNT, MEMBERS(MEMBER(v, quarter)));
	for (size_t i = 1; i < COUNT; i++)
		assert_true(v[i - 1].quarter <= v[i].quarter);
	ordered_sort(NULL, 0, MEMBERS(MEMBER(v, whole)));
}

static void one_of_equal_records_is_kept(void **state)
{
	struct record v[COUNT];
	uint64_t seen = 0;
	size_t n;

	(void)state;
	fill(v);
	for (size_t i = 0; i < COUNT; i++)
		seen |= UINT64_C(1) << (v[i].whole.v & 31);
	n = ordered_unique(v, COUNT, MEMBERS(MEMBER(v, whole)));
	assert_int_equal(n, __builtin_popcountll(seen));
	for (size_t i = 1; i < n; i++)
		assert_true(v[i - 1].whole.v < v[i].whole.v);
}

static void a_search_finds_what_going_through_all_finds(void **state)
{
	struct record v[COUNT];
	static const uint64_t edges[] = { 0, 1, 9, 16, 17, UINT64_MAX - 1, UINT64_MAX };

	(void)state;
	fill(v);
	ordered_sort(v, COUNT, MEMBERS(MEMBER(v, whole)));
	for (size_t k = 0; k < sizeof(edges) / sizeof(edges[0]); k++) {
		size_t from = 0, behind = 0;

		while (from < COUNT && v[from].whole.v < edges[k])
			from++;
		for (behind = from; behind < COUNT && v[behind].whole.v == edges[k];)
			behind++;
		assert_int_equal(ordered_from(v, COUNT, MEMBER(v, whole), edges[k]), from);
		assert_int_equal(ordered_behind(v, COUNT, MEMBER(v, whole), edges[k]), behind);
		assert_int_equal(ordered_find(v, COUNT, MEMBER(v, whole), edges[k]), from < behind ? from : COUNT);
		if (from < behind)
			assert_int_equal(ordered_run(v + from, COUNT - from, MEMBER(v, whole)), behind - from);
	}
	assert_int_equal(ordered_run(v, 0, MEMBER(v, whole)), 0);
}

static void pointers_are_sorted_by_what_they_lead_to(void **state)
{
	struct record v[COUNT];
	const struct record *to[COUNT];

	(void)state;
	fill(v);
	for (size_t i = 0; i < COUNT; i++)
		to[i] = &v[i];
	ordered_sort(to, COUNT, MEMBERS(THROUGH(to, whole), ELEMENT(to)));
	for (size_t i = 1; i < COUNT; i++)
		assert_true(to[i - 1]->whole.v < to[i]->whole.v ||
			    (to[i - 1]->whole.v == to[i]->whole.v && to[i - 1] < to[i]));
	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(to[ordered_find(to, COUNT, THROUGH(to, whole), v[i].whole.v)]->whole.v, v[i].whole.v);
}

static void plain_numbers_are_records_too(void **state)
{
	uint32_t v[] = { 7, 3, 7, 1 };

	(void)state;
	assert_int_equal(ordered_unique(v, 4, MEMBERS(ELEMENT(v))), 3);
	assert_int_equal(v[0], 1);
	assert_int_equal(v[2], 7);
	assert_int_equal(ordered_find(v, 3, ELEMENT(v), 3), 1);
	assert_int_equal(ordered_find(v, 3, ELEMENT(v), 4), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_in_the_order_of_their_members),
		cmocka_unit_test(one_of_equal_records_is_kept),
		cmocka_unit_test(a_search_finds_what_going_through_all_finds),
		cmocka_unit_test(pointers_are_sorted_by_what_they_lead_to),
		cmocka_unit_test(plain_numbers_are_records_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
