/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prefetch/order.c: requests are made in disk order, neighbours share one, nothing is left out. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../prefetch/order.h"

static const struct order_rules rules = { .merge_gap = 8192, .max_request = 65536, .align = 512 };

static void items_leave_the_heap_in_disk_order(void **state)
{
	enum { N = 1000 };
	static struct sweep_item items[N];
	struct order_heap heap = { 0 };
	uint64_t last = 0;

	(void)state;
	srand(7);
	for (int i = 0; i < N; i++) {
		items[i].offset = (uint64_t)(rand() % 5000) * 4096;
		assert_true(order_push(&heap, &items[i]));
	}
	for (int i = 0; i < N; i++) {
		struct sweep_item *item = order_pop(&heap);

		assert_non_null(item);
		assert_true(item->offset >= last);
		last = item->offset;
	}
	assert_null(order_pop(&heap));
	order_free(&heap);
}

static void a_run_is_aligned_outwards(void **state)
{
	struct order_request request = { 0 };

	(void)state;
	assert_int_equal(order_begin(&rules, &request, 1000, 300, 100), 300);
	assert_int_equal(request.start, 512);
	assert_int_equal(request.end, 1536);
}

static void a_small_gap_is_read_through_and_a_large_one_is_not(void **state)
{
	struct order_request request = { 0 };

	(void)state;
	order_begin(&rules, &request, 0, 4096, 4096);
	assert_int_equal(order_extend(&rules, &request, 4096 + 8192, 4096, 4096), 4096);
	assert_int_equal(request.end, 4096 + 8192 + 4096);
	assert_int_equal(order_extend(&rules, &request, request.end + 8192 + 512, 4096, 4096), 0);
	assert_int_equal(request.end, 4096 + 8192 + 4096);
}

/* Blocks of 4096 with gaps of 8192 between them: no more gaps are read than the share allows. */
static void gaps_take_no_more_than_their_share(void **state)
{
	const struct order_rules tenth = { .merge_gap = 8192, .gap_share = 10, .max_request = 65536, .align = 512 };
	struct order_request request = { 0 };
	unsigned requests = 0;
	uint64_t offset = 0, bytes = 0;

	(void)state;
	for (int i = 0; i < 1000; i++, offset += 4096 + 8192) {
		if (requests && order_extend(&tenth, &request, offset, 4096, 4096))
			continue;
		bytes += request.end - request.start;
		assert_int_equal(order_begin(&tenth, &request, offset, 4096, 4096), 4096);
		requests++;
	}
	bytes += request.end - request.start;
	assert_int_equal(bytes, 1000 * 4096 + 50 * 8192);
	assert_int_equal(requests, 1000 - 50);
	assert_int_equal(request.wanted, 1000 * 4096);
	assert_int_equal(request.gaps, 50 * 8192);
}

static void neighbours_share_a_request_without_any_gap(void **state)
{
	const struct order_rules none = { .merge_gap = 8192, .gap_share = 10, .max_request = 65536, .align = 512 };
	struct order_request request = { 0 };

	(void)state;
	order_begin(&none, &request, 0, 4096, 4096);
	assert_int_equal(order_extend(&none, &request, 4096, 4096, 4096), 4096);
	assert_int_equal(order_extend(&none, &request, 8192 + 4096, 4096, 4096), 0);
	assert_int_equal(request.end, 8192);
}

static void an_item_inside_the_run_costs_nothing(void **state)
{
	struct order_request request = { 0 };

	(void)state;
	order_begin(&rules, &request, 0, 32768, 4096);
	assert_int_equal(order_extend(&rules, &request, 4096, 4096, 4096), 4096);
	assert_int_equal(request.end, 32768);
}

static void a_long_item_is_cut_at_whole_units(void **state)
{
	struct order_request request = { 0 };

	(void)state;
	/* 65536 - 12288 leaves room for 6 units of 8192 and a bit */
	order_begin(&rules, &request, 0, 12288, 4096);
	assert_int_equal(order_extend(&rules, &request, 12288, 1 << 20, 8192), 6 * 8192);
	assert_int_equal(request.end, 12288 + 6 * 8192);
}

static void a_short_item_goes_into_one_request(void **state)
{
	struct order_request request = { 0 };

	(void)state;
	/* 65536 - 61440 leaves room for one of its two blocks */
	order_begin(&rules, &request, 0, 61440, 4096);
	assert_int_equal(order_extend(&rules, &request, 61440, 8192, 4096), 0);
	assert_int_equal(request.end, 61440);
	assert_int_equal(order_extend(&rules, &request, 61440, 4096, 4096), 4096);
}

static void a_unit_larger_than_a_request_is_still_read(void **state)
{
	struct order_request request = { 0 };

	(void)state;
	assert_int_equal(order_begin(&rules, &request, 512, 4 * 131072, 131072), 131072);
	assert_int_equal(request.end, 512 + 131072);
}

/* As long as the longest extent: the length needs more than 32 bits. */
static void a_very_long_item_is_cut_like_any_other(void **state)
{
	const uint64_t length = (1ull << 32) + 4096;
	struct sweep_item item = { .length = length };
	struct order_request request = { 0 };

	(void)state;
	assert_true(item.length == length);
	assert_int_equal(order_begin(&rules, &request, 0, length, 4096), 65536);
	assert_int_equal(order_extend(&rules, &(struct order_request){ 0 }, 0, length, 4096), 65536);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_leave_the_heap_in_disk_order),
		cmocka_unit_test(a_run_is_aligned_outwards),
		cmocka_unit_test(a_small_gap_is_read_through_and_a_large_one_is_not),
		cmocka_unit_test(gaps_take_no_more_than_their_share),
		cmocka_unit_test(neighbours_share_a_request_without_any_gap),
		cmocka_unit_test(an_item_inside_the_run_costs_nothing),
		cmocka_unit_test(a_long_item_is_cut_at_whole_units),
		cmocka_unit_test(a_short_item_goes_into_one_request),
		cmocka_unit_test(a_unit_larger_than_a_request_is_still_read),
		cmocka_unit_test(a_very_long_item_is_cut_like_any_other),
	};

	return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
