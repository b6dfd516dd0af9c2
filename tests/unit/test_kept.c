/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache of device contents never returns anything but what a read would, whatever is staged, forgotten or evicted.
 */
#include <pthread.h>
#include <unistd.h>

#include "scratch_device.h"

#include "../../cache/device.h"

#define KIB    1024u
#define BYTES  (4096 * KIB)
#define PLENTY (32 * BYTES)

static uint8_t truth[BYTES]; /* what a reader must see */

static void begin(struct scratch *scratch, size_t limit)
{
	scratch_open(scratch, ENGINE_THREADS, BYTES);
	for (uint64_t i = 0; i < BYTES; i++)
		truth[i] = scratch_byte(i);
	device_keep(scratch->device, limit);
}

static void offer(struct device *device, uint64_t offset, size_t len, bool cheap)
{
	device_offer(device, truth + offset, offset, len, cheap);
}

static bool is_kept(struct device *device, uint64_t offset, size_t len)
{
	static uint8_t buf[BYTES];

	if (!device_kept(device, buf, offset, len))
		return false;
	assert_memory_equal(buf, truth + offset, len);
	return true;
}

static bool is_lent(struct device *device, uint64_t offset, size_t len)
{
	static uint8_t spare[BYTES];
	const uint8_t *bytes = device_borrow(device, offset, len, spare);

	if (bytes)
		assert_memory_equal(bytes, truth + offset, len);
	return bytes;
}

static void nothing_is_kept_unless_that_is_wanted(void **state)
{
	struct scratch scratch;

	(void)state;
	begin(&scratch, 0);
	offer(scratch.device, 0, 4096, false);
	assert_false(is_kept(scratch.device, 0, 4096));
	scratch_close(&scratch);
}

static void what_was_offered_is_there_to_the_sector(void **state)
{
	struct scratch scratch;

	(void)state;
	begin(&scratch, PLENTY);
	offer(scratch.device, 512, 8192, false);
	assert_true(is_kept(scratch.device, 512, 8192));
	assert_true(is_kept(scratch.device, 4096, 512));
	assert_false(is_kept(scratch.device, 0, 1024));
	assert_false(is_kept(scratch.device, 8192, 1024));
	assert_false(is_kept(scratch.device, 100, 512));
	assert_false(device_kept(scratch.device, truth, UINT64_MAX - 511, 1024));
	scratch_close(&scratch);
}

static void blocks_that_were_read_need_no_second_request(void **state)
{
	struct device_counts before, after;
	struct scratch scratch;
	uint8_t buf[4096];

	(void)state;
	begin(&scratch, PLENTY);
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	device_counts(scratch.device, &before);
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	device_counts(scratch.device, &after);
	assert_int_equal(scratch_differences(buf, 4096, sizeof(buf)), 0);
	assert_int_equal(after.requests, before.requests);
	assert_int_equal(after.kept, before.kept + sizeof(buf));
	scratch_close(&scratch);
}

static void what_is_read_once_is_not_kept_for_that(void **state)
{
	struct device_counts before, after;
	struct scratch scratch;
	uint8_t buf[4096];

	(void)state;
	begin(&scratch, PLENTY);
	assert_int_equal(device_read_once(scratch.device, buf, 4096, sizeof(buf)), 0);
	assert_int_equal(scratch_differences(buf, 4096, sizeof(buf)), 0);
	assert_false(device_kept(scratch.device, buf, 4096, sizeof(buf)));
	/* cached blocks need no request */
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	device_counts(scratch.device, &before);
	memset(buf, 0, sizeof(buf));
	assert_int_equal(device_read_once(scratch.device, buf, 4096, sizeof(buf)), 0);
	device_counts(scratch.device, &after);
	assert_int_equal(scratch_differences(buf, 4096, sizeof(buf)), 0);
	assert_int_equal(after.requests, before.requests);
	scratch_close(&scratch);
}

static void what_is_staged_is_read_and_so_is_what_is_unstaged(void **state)
{
	struct scratch scratch;
	uint8_t buf[4096], mine[512];

	(void)state;
	begin(&scratch, PLENTY);
	memset(mine, 0xa5, sizeof(mine));
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, mine, 5120, sizeof(mine)), 0);
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	assert_memory_equal(buf + 1024, mine, sizeof(mine));
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	assert_memory_equal(buf + 1024, mine, sizeof(mine));
	device_unstage(scratch.device, LAYER_MEND);
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	assert_int_equal(scratch_differences(buf, 4096, sizeof(buf)), 0);
	scratch_close(&scratch);
}

static void what_is_staged_stays_kept_as_readers_see_it(void **state)
{
	uint8_t below[512], spare[4096];
	struct scratch scratch;
	const uint8_t *lent;

	(void)state;
	begin(&scratch, PLENTY);
	offer(scratch.device, 4096, 4096, true);
	memset(truth + 5120, 0xa5, 512);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, truth + 5120, 5120, 512), 0);
	assert_true(is_kept(scratch.device, 4096, 4096));
	memset(below, 0x5a, sizeof(below));
	assert_int_equal(device_stage(scratch.device, LAYER_REPLAY, below, 5120, sizeof(below)), 0);
	assert_false(is_kept(scratch.device, 4096, 4096));
	assert_true(is_kept(scratch.device, 5632, 2560));
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, truth + 5120, 5120, 512), 0);
	lent = device_borrow(scratch.device, 4096, 4096, spare);
	assert_true(lent && lent != spare);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, below, 5120, sizeof(below)), 0);
	assert_memory_equal(lent, truth + 4096, 4096);
	assert_false(device_kept(scratch.device, spare, 5120, 512));
	device_give_back(scratch.device);
	scratch_close(&scratch);
}

static void what_is_cheap_gives_way_and_what_is_not_stays(void **state)
{
	struct scratch scratch;
	size_t cheap = 0, dear = 0;

	(void)state;
	begin(&scratch, BYTES / 2);
	for (uint64_t at = 0; at < BYTES; at += 8192)
		offer(scratch.device, at, 4096, true);
	for (uint64_t at = 4096; at < BYTES; at += 8192)
		offer(scratch.device, at, 4096, false);
	for (uint64_t at = 0; at < BYTES; at += 8192) {
		cheap += is_kept(scratch.device, at, 4096);
		dear += is_kept(scratch.device, at + 4096, 4096);
	}
	assert_true(dear > 0 && cheap == 0);
	for (uint64_t at = 0; at < BYTES; at += 8192)
		offer(scratch.device, at, 4096, true);
	for (uint64_t at = 4096; at < BYTES; at += 8192)
		dear -= is_kept(scratch.device, at, 4096);
	assert_int_equal(dear, 0);
	scratch_close(&scratch);
}

static void what_was_offered_together_is_lent_where_it_lies(void **state)
{
	struct scratch scratch;
	uint8_t spare[8192];
	const uint8_t *first, *all;

	(void)state;
	begin(&scratch, PLENTY);
	offer(scratch.device, 4096, 8192, false);
	first = device_borrow(scratch.device, 4096, 512, spare);
	all = device_borrow(scratch.device, 4096, 8192, spare);
	assert_true(first && first != spare && all == first);
	assert_memory_equal(all, truth + 4096, 8192);
	assert_ptr_equal(device_borrow(scratch.device, 8704, 1024, spare), all + 4608);
	assert_null(device_borrow(scratch.device, 8192, 8192, spare));
	device_give_back(scratch.device);
	scratch_close(&scratch);
}

static void what_lies_apart_comes_as_a_copy(void **state)
{
	struct scratch scratch;
	uint8_t spare[12288];

	(void)state;
	begin(&scratch, PLENTY);
	offer(scratch.device, 4096, 4096, false);
	offer(scratch.device, 0, 4096, false);
	assert_ptr_equal(device_borrow(scratch.device, 0, 8192, spare), spare);
	assert_memory_equal(spare, truth, 8192);
	device_give_back(scratch.device);
	scratch_close(&scratch);
}

static void what_is_lent_neither_gives_way_nor_is_written_again(void **state)
{
	static const uint8_t others[4096];
	struct scratch scratch;
	uint8_t spare[4096];
	const uint8_t *lent;

	(void)state;
	begin(&scratch, BYTES / 2);
	offer(scratch.device, 0, 4096, true);
	lent = device_borrow(scratch.device, 0, 4096, spare);
	assert_true(lent && lent != spare);
	device_offer(scratch.device, others, 0, sizeof(others), false);
	for (uint64_t at = 4096; at < BYTES; at += 4096)
		offer(scratch.device, at, 4096, false);
	assert_memory_equal(lent, truth, 4096);
	device_give_back(scratch.device);
	scratch_close(&scratch);
}

static void what_is_kept_is_read_below_where_nothing_is_staged(void **state)
{
	struct device_counts before, after;
	struct scratch scratch;
	uint8_t buf[4096];

	(void)state;
	begin(&scratch, PLENTY);
	offer(scratch.device, 4096, 8192, false);
	memset(buf, 0xa5, sizeof(buf));
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, buf, 4096 + 512, 512), 0);
	device_counts(scratch.device, &before);
	assert_int_equal(device_read_below(scratch.device, buf, 8192, sizeof(buf), LAYER_MEND), 0);
	device_counts(scratch.device, &after);
	assert_int_equal(scratch_differences(buf, 8192, sizeof(buf)), 0);
	assert_int_equal(after.requests, before.requests);
	assert_int_equal(device_read_below(scratch.device, buf, 4096, sizeof(buf), LAYER_MEND), 0);
	assert_int_equal(scratch_differences(buf, 4096, sizeof(buf)), 0);
	/* layers that are hidden from readers are not kept, and those that they see are */
	device_show(scratch.device, LAYER_MEND);
	offer(scratch.device, 4096, 4096, false);
	assert_int_equal(device_read_below(scratch.device, buf, 4096, sizeof(buf), LAYER_MEND + 1), 0);
	assert_true(scratch_differences(buf, 4096, sizeof(buf)) > 0);
	scratch_close(&scratch);
}

static void zeroes_are_kept_but_no_holes(void **state)
{
	struct scratch scratch;

	(void)state;
	begin(&scratch, PLENTY);
	memset(truth, 0, 64 * KIB);
	assert_int_equal(ftruncate(scratch.fd, 0) || ftruncate(scratch.fd, BYTES), 0);
	assert_int_equal(pwrite(scratch.fd, truth, 32 * KIB, 0), 32 * KIB);
	offer(scratch.device, 28 * KIB, 4 * KIB, false);
	offer(scratch.device, 32 * KIB, 4 * KIB, false);
	assert_true(is_kept(scratch.device, 28 * KIB, 4 * KIB));
	assert_false(is_kept(scratch.device, 32 * KIB, 4 * KIB));
	scratch_close(&scratch);
}

static void whatever_happens_what_is_kept_is_true(void **state)
{
	struct scratch scratch;
	size_t hits = 0, lent = 0;

	(void)state;
	srand(12);
	begin(&scratch, BYTES / 3);
	for (int i = 0; i < 20000; i++) {
		uint64_t offset = (uint64_t)rand() % (BYTES / 512 - 40) * 512;
		size_t len = (1 + (size_t)rand() % 40) * 512;

		switch (rand() % 8) {
		case 0:
			for (size_t k = 0; k < len; k++)
				truth[offset + k] = (uint8_t)rand();
			assert_int_equal(device_stage(scratch.device, LAYER_MEND, truth + offset, offset, len), 0);
			break;
		case 1:
		case 2:
		case 3:
			offer(scratch.device, offset, len, rand() % 2);
			break;
		case 4:
			lent += is_lent(scratch.device, offset, len);
			device_give_back(scratch.device);
			break;
		default:
			hits += is_kept(scratch.device, offset, len);
		}
	}
	assert_true(hits > 100 && lent > 10);
	scratch_close(&scratch);
}

/* Blocks are offered and borrowed until `over` is set. */
struct reader {
	struct device *device;
	bool over; /* atomic */
	unsigned wrong;
};

static void *read_on(void *arg)
{
	struct reader *reader = arg;
	uint8_t spare[4096];

	for (uint64_t at = 0; !__atomic_load_n(&reader->over, __ATOMIC_ACQUIRE); at = (at + sizeof(spare)) % BYTES) {
		const uint8_t *bytes;

		offer(reader->device, at, sizeof(spare), false);
		bytes = device_borrow(reader->device, at, sizeof(spare), spare);
		reader->wrong += bytes && memcmp(bytes, truth + at, sizeof(spare)) != 0;
	}
	return NULL;
}

static void keeping_may_begin_while_others_read(void **state)
{
	struct reader readers[3];
	struct scratch scratch;
	pthread_t threads[3];

	(void)state;
	begin(&scratch, 0);
	for (unsigned i = 0; i < 3; i++) {
		readers[i] = (struct reader){ .device = scratch.device };
		assert_int_equal(pthread_create(&threads[i], NULL, read_on, &readers[i]), 0);
	}
	device_keep(scratch.device, PLENTY);
	for (bool kept = false; !kept;)
		kept = is_kept(scratch.device, 0, 4096);
	for (unsigned i = 0; i < 3; i++)
		__atomic_store_n(&readers[i].over, true, __ATOMIC_RELEASE);
	for (unsigned i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(readers[i].wrong, 0);
	}
	scratch_close(&scratch);
}

static uint64_t requests(const struct device *device)
{
	struct device_counts counts;

	device_counts(device, &counts);
	return counts.requests;
}

static void what_was_read_ahead_takes_no_request_and_is_never_out_of_date(void **state)
{
	const uint64_t pages[] = { 8 * KIB, 64 * KIB };
	struct scratch scratch;
	uint8_t buf[4 * KIB], other[512];
	uint64_t before;

	(void)state;
	begin(&scratch, 0);
	device_ahead(scratch.device, pages, 2);
	before = requests(scratch.device);
	assert_int_equal(device_read(scratch.device, buf, 65 * KIB, 512), 0);
	assert_memory_equal(buf, truth + 65 * KIB, 512);
	assert_int_equal(device_read(scratch.device, buf, 8 * KIB, sizeof(buf)), 0);
	assert_memory_equal(buf, truth + 8 * KIB, sizeof(buf));
	assert_int_equal(requests(scratch.device), before);
	memset(other, 0x5a, sizeof(other));
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, other, 65 * KIB, sizeof(other)), 0);
	assert_int_equal(device_read(scratch.device, buf, 65 * KIB, 512), 0);
	assert_memory_equal(buf, other, sizeof(other));
	device_ahead(scratch.device, pages, 2);
	assert_int_equal(device_read(scratch.device, buf, 65 * KIB, 512), 0);
	assert_memory_equal(buf, other, sizeof(other));
	device_ahead(scratch.device, NULL, 0);
	before = requests(scratch.device);
	assert_int_equal(device_read(scratch.device, buf, 8 * KIB, sizeof(buf)), 0);
	assert_true(requests(scratch.device) > before);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_read_ahead_takes_no_request_and_is_never_out_of_date),
		cmocka_unit_test(nothing_is_kept_unless_that_is_wanted),
		cmocka_unit_test(what_was_offered_is_there_to_the_sector),
		cmocka_unit_test(blocks_that_were_read_need_no_second_request),
		cmocka_unit_test(what_is_read_once_is_not_kept_for_that),
		cmocka_unit_test(what_is_staged_is_read_and_so_is_what_is_unstaged),
		cmocka_unit_test(what_is_staged_stays_kept_as_readers_see_it),
		cmocka_unit_test(what_is_cheap_gives_way_and_what_is_not_stays),
		cmocka_unit_test(what_was_offered_together_is_lent_where_it_lies),
		cmocka_unit_test(what_lies_apart_comes_as_a_copy),
		cmocka_unit_test(what_is_lent_neither_gives_way_nor_is_written_again),
		cmocka_unit_test(what_is_kept_is_read_below_where_nothing_is_staged),
		cmocka_unit_test(zeroes_are_kept_but_no_holes),
		cmocka_unit_test(whatever_happens_what_is_kept_is_true),
		cmocka_unit_test(keeping_may_begin_while_others_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
