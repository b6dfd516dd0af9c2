/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocking reads: every alignment, the end of the device, errors and what they cost. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>
#include <pthread.h>

#include "../../cache/device.h"
#include "../../cache/fault.h"
#include "in_range.h"

#define MIB (1u << 20)

static void assert_reads_right(struct device *device, uint64_t offset, size_t len)
{
	uint8_t *buf = malloc(len);

	assert_int_equal(device_read(device, buf, offset, len), 0);
	assert_int_equal(scratch_differences(buf, offset, len), 0);
	free(buf);
}

/* Exactly [offset, offset + len) is unreadable in the whole device. */
static void assert_only_unreadable(struct device *device, uint64_t offset, uint64_t len)
{
	uint64_t at, n;

	assert_true(device_unreadable(device, 0, device_bytes(device), &at, &n));
	assert_int_equal(at, offset);
	assert_int_equal(n, len);
	assert_false(device_unreadable(device, offset + len, device_bytes(device) - offset - len, &at, &n));
}

static void every_alignment_reads_the_right_bytes(void **state)
{
	struct scratch scratch;
	unsigned seed = 1;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, 4 * MIB + 700);
	for (unsigned i = 0; i < 200; i++) {
		uint64_t offset = (uint64_t)rand_r(&seed) % scratch.bytes;
		size_t len = (size_t)rand_r(&seed) % (i % 4 ? 3 * 4096 : 2 * MIB);

		if (len > scratch.bytes - offset)
			len = scratch.bytes - offset;
		assert_reads_right(scratch.device, offset, len);
	}
	assert_reads_right(scratch.device, 0, scratch.bytes);
	scratch_close(&scratch);
}

static void what_lies_behind_the_end_reads_as_zeroes(void **state)
{
	struct scratch scratch;
	uint8_t buf[4096];
	uint64_t at, n;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB + 700);
	memset(buf, 0xff, sizeof(buf));
	assert_int_equal(device_read(scratch.device, buf, MIB + 100, sizeof(buf)), -ENODATA);
	assert_int_equal(scratch_differences(buf, MIB + 100, 600), 0);
	assert_true(scratch_all_zero(buf + 600, sizeof(buf) - 600));

	memset(buf, 0xff, sizeof(buf));
	assert_int_equal(device_read(scratch.device, buf, UINT64_MAX - 100, sizeof(buf)), -ENODATA);
	assert_true(scratch_all_zero(buf, sizeof(buf)));

	assert_false(device_unreadable(scratch.device, 0, MIB + 700, &at, &n));
	assert_true(device_unreadable(scratch.device, MIB, 4096, &at, &n));
	assert_int_equal(at, MIB + 700);
	assert_int_equal(n, 4096 - 700);
	assert_true(device_unreadable(scratch.device, 2 * MIB, UINT64_MAX, &at, &n));
	assert_int_equal(at, 2 * MIB);
	scratch_close(&scratch);
}

static void a_file_smaller_than_a_sector_can_be_read(void **state)
{
	struct scratch scratch;

	(void)state;
	for (uint64_t bytes = 130; bytes < 520; bytes += 130) {
		scratch_open(&scratch, ENGINE_AUTO, bytes);
		assert_reads_right(scratch.device, 0, bytes);
		scratch_close(&scratch);
	}
}

static void one_bad_sector_loses_nothing_else_and_costs_few_requests(void **state)
{
	struct fault bad = { .len = 1, .error = -EIO, .times = FAULT_ALWAYS };
	struct device_counts counts;
	struct scratch scratch;
	uint8_t *buf = malloc(MIB);
	uint32_t align;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	align = device_align(scratch.device);
	bad.offset = 77 * align + 5;
	fault_inject(scratch.device, &bad, 1);

	assert_int_equal(device_read(scratch.device, buf, 0, MIB), -EIO);
	assert_int_equal(scratch_differences(buf, 0, 77 * align), 0);
	assert_true(scratch_all_zero(buf + 77 * align, align));
	assert_int_equal(scratch_differences(buf + 78 * align, 78 * align, MIB - 78 * align), 0);
	assert_only_unreadable(scratch.device, 77 * align, align);

	device_counts(scratch.device, &counts);
	assert_in_range(counts.requests, 2, 2 + 2 * 11); /* 2^11 sectors, two halves each time */
	assert_in_range(counts.errors, 2, 2 + 11);
	scratch_close(&scratch);
	free(buf);
}

static void a_device_that_is_all_bad_ends_the_run_in_time(void **state)
{
	struct fault bad = { .len = MIB, .error = -EIO, .times = FAULT_ALWAYS };
	struct device_counts counts;
	struct scratch scratch;
	uint8_t *buf = malloc(MIB);

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	fault_inject(scratch.device, &bad, 1);
	assert_int_equal(device_read(scratch.device, buf, 0, MIB), -EIO);
	assert_true(scratch_all_zero(buf, MIB));
	assert_only_unreadable(scratch.device, 0, MIB);
	device_counts(scratch.device, &counts);
	assert_in_range(counts.requests, 1, 2 * MIB / device_align(scratch.device) + 1);
	assert_int_equal(counts.errors, counts.requests);
	scratch_close(&scratch);
	free(buf);
}

static void an_error_that_passes_is_forgotten(void **state)
{
	static const int errors[] = { -EIO, -EINTR, -EAGAIN, -ENOMEM };

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		struct fault once = { .len = MIB, .error = errors[i], .times = 1 };
		struct device_counts counts;
		struct scratch scratch;
		uint64_t at, n;

		scratch_open(&scratch, ENGINE_AUTO, MIB);
		fault_inject(scratch.device, &once, 1);
		assert_reads_right(scratch.device, 0, MIB);
		assert_false(device_unreadable(scratch.device, 0, MIB, &at, &n));
		device_counts(scratch.device, &counts);
		assert_int_equal(counts.errors, 1);
		assert_int_equal(counts.requests, 2);
		scratch_close(&scratch);
	}
}

static void direct_reads_that_are_refused_become_buffered_ones(void **state)
{
	struct fault refused = { .len = MIB, .error = -EINVAL, .times = 1 };
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	fault_inject(scratch.device, &refused, 1);
	assert_reads_right(scratch.device, 0, MIB);
	assert_int_equal(fcntl(scratch.device->fd, F_GETFL) & O_DIRECT, 0);
	scratch_close(&scratch);
}

static void short_reads_are_continued(void **state)
{
	struct fault shorter = { .offset = 8192, .len = MIB, .shorten_to = 12288, .times = FAULT_ALWAYS };
	struct scratch scratch;
	uint64_t at, n;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	fault_inject(scratch.device, &shorter, 1);
	assert_reads_right(scratch.device, 0, MIB);
	assert_false(device_unreadable(scratch.device, 0, MIB, &at, &n));
	scratch_close(&scratch);
}

static void a_file_that_shrinks_is_read_as_far_as_it_goes(void **state)
{
	struct scratch scratch;
	uint8_t *buf = malloc(MIB);

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	assert_int_equal(ftruncate(scratch.fd, MIB / 2 + 1000), 0);
	assert_int_equal(device_read(scratch.device, buf, 0, MIB), -ENODATA);
	assert_int_equal(scratch_differences(buf, 0, MIB / 2 + 1000), 0);
	assert_true(scratch_all_zero(buf + MIB / 2 + 1000, MIB / 2 - 1000));
	assert_only_unreadable(scratch.device, MIB / 2 + 1000, MIB / 2 - 1000);
	scratch_close(&scratch);
	free(buf);
}

struct reader {
	pthread_t thread;
	struct device *device;
	unsigned seed;
	size_t wrong;
};

/* Reads at random, over good sectors only. */
static void *read_at_random(void *arg)
{
	struct reader *reader = arg;
	uint8_t buf[9000];
	uint64_t at, n;

	for (unsigned i = 0; i < 300; i++) {
		uint64_t offset = (uint64_t)rand_r(&reader->seed) % (MIB - sizeof(buf));
		int ret = device_read(reader->device, buf, offset, sizeof(buf));
		bool bad = device_unreadable(reader->device, offset, sizeof(buf), &at, &n);

		if (bad)
			reader->wrong += !scratch_all_zero(buf + (at - offset), n);
		else
			reader->wrong += ret || scratch_differences(buf, offset, sizeof(buf));
	}
	return NULL;
}

static void many_threads_may_read_at_once(void **state)
{
	struct fault bad = { .offset = MIB / 2, .len = 4096, .error = -EIO, .times = FAULT_ALWAYS };
	struct reader readers[4];
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	fault_inject(scratch.device, &bad, 1);
	for (unsigned i = 0; i < 4; i++) {
		readers[i] = (struct reader){ .device = scratch.device, .seed = i };
		assert_int_equal(pthread_create(&readers[i].thread, NULL, read_at_random, &readers[i]), 0);
	}
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
		assert_int_equal(readers[i].wrong, 0);
	}
	assert_only_unreadable(scratch.device, MIB / 2, 4096);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_alignment_reads_the_right_bytes),
		cmocka_unit_test(what_lies_behind_the_end_reads_as_zeroes),
		cmocka_unit_test(a_file_smaller_than_a_sector_can_be_read),
		cmocka_unit_test(one_bad_sector_loses_nothing_else_and_costs_few_requests),
		cmocka_unit_test(a_device_that_is_all_bad_ends_the_run_in_time),
		cmocka_unit_test(an_error_that_passes_is_forgotten),
		cmocka_unit_test(direct_reads_that_are_refused_become_buffered_ones),
		cmocka_unit_test(short_reads_are_continued),
		cmocka_unit_test(a_file_that_shrinks_is_read_as_far_as_it_goes),
		cmocka_unit_test(many_threads_may_read_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
