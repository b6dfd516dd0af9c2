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

/* Fails unless exactly [offset, offset + len) is unreadable in the whole device. */
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

static void a_bad_sector_is_read_twice_and_loses_nothing_else(void **state)
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
	assert_int_equal(counts.errors, 2);
	assert_in_range(counts.requests, 2, 77 + 5);

	/* it stays bad, and is not read again, alone or with others */
	assert_int_equal(device_read(scratch.device, buf, 0, MIB), -EIO);
	assert_int_equal(device_read(scratch.device, buf, 76 * align, 3 * align), -EIO);
	assert_int_equal(scratch_differences(buf, 76 * align, align), 0);
	assert_true(scratch_all_zero(buf + align, align));
	assert_int_equal(scratch_differences(buf + 2 * align, 78 * align, align), 0);
	device_counts(scratch.device, &counts);
	assert_int_equal(counts.errors, 2);
	scratch_close(&scratch);
	free(buf);
}

/* If one physical sector has several logical ones, it is lost as a whole, however little of it is wanted. */
static void a_bad_physical_sector_is_read_twice_whatever_is_wanted_of_it(void **state)
{
	struct fault bad = { .len = 1, .error = -EIO, .times = FAULT_ALWAYS };
	struct device_counts counts;
	struct scratch scratch;
	uint8_t *buf = malloc(MIB);
	uint32_t align, unit;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	align = device_align(scratch.device);
	unit = scratch.device->bad_unit = 8 * align;
	bad.offset = 9 * unit; /* any read of it fails */
	bad.len = unit;
	fault_inject(scratch.device, &bad, 1);

	/* a part of it alone */
	assert_int_equal(device_read(scratch.device, buf, 9 * unit + 2 * align, align), -EIO);
	assert_only_unreadable(scratch.device, 9 * unit, unit);
	device_counts(scratch.device, &counts);
	assert_int_equal(counts.errors, 2);
	/* other parts, and with neighbours */
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(device_read(scratch.device, buf, 9 * unit + i * align, align), -EIO);
	assert_int_equal(device_read(scratch.device, buf, 0, MIB), -EIO);
	assert_int_equal(scratch_differences(buf, 0, 9 * unit), 0);
	assert_true(scratch_all_zero(buf + 9 * unit, unit));
	assert_int_equal(scratch_differences(buf + 10 * unit, 10 * unit, MIB - 10 * unit), 0);
	device_counts(scratch.device, &counts);
	assert_int_equal(counts.errors, 2);
	scratch_close(&scratch);

	/* among others from the start */
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	scratch.device->bad_unit = unit;
	fault_inject(scratch.device, &bad, 1);
	assert_int_equal(device_read(scratch.device, buf, 3 * align, MIB - 3 * align), -EIO);
	assert_only_unreadable(scratch.device, 9 * unit, unit);
	device_counts(scratch.device, &counts);
	assert_int_equal(counts.errors, 2);
	scratch_close(&scratch);
	free(buf);
}

#define MANY 13u

/* Every third sector, pairs and a row are bad: each has at most two failed requests, and all requests are counted. */
static void many_bad_sectors_are_read_twice_each(void **state)
{
	struct fault bad[MANY];
	struct device_counts counts;
	struct scratch scratch;
	uint8_t *buf = malloc(MIB);
	unsigned sectors = 0;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	for (unsigned i = 0; i < MANY; i++) {
		const unsigned length = 1 + i % 4;

		bad[i] = (struct fault){ .offset = (uint64_t)(60 + i * (i < 5 ? 3 : 9)) * device_align(scratch.device),
					 .len = (uint64_t)length * device_align(scratch.device),
					 .error = -EIO,
					 .times = FAULT_ALWAYS };
		sectors += length;
	}
	fault_inject(scratch.device, bad, MANY);
	assert_int_equal(device_read(scratch.device, buf, 0, MIB), -EIO);
	device_counts(scratch.device, &counts);
	assert_in_range(counts.errors, MANY, 2 * sectors);
	scratch_close(&scratch);
	free(buf);
}

/* A disk replaces a bad sector when it is written. */
static void what_is_written_is_read_again(void **state)
{
	struct fault bad = { .offset = 4096, .len = 8192, .error = -EIO, .times = FAULT_ALWAYS };
	struct scratch scratch;
	uint8_t buf[8192] = { 0 };
	char message[256];
	uint64_t at, n;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	fault_inject(scratch.device, &bad, 1);
	assert_int_equal(device_read(scratch.device, buf, 4096, 8192), -EIO);
	assert_true(device_any_unreadable(scratch.device));
	fault_inject(scratch.device, NULL, 0);
	assert_int_equal(device_open_write(scratch.device, message, sizeof(message)), 0);
	memset(buf, 0x5a, sizeof(buf));
	assert_int_equal(device_write(scratch.device, buf, 8192, 4096), 0);
	memset(buf, 0, sizeof(buf));
	assert_int_equal(device_read(scratch.device, buf, 8192, 4096), 0);
	assert_int_equal(buf[0], 0x5a);
	assert_true(device_unreadable(scratch.device, 0, MIB, &at, &n));
	assert_int_equal(at, 4096);
	assert_int_equal(n, 4096);
	assert_true(device_any_unreadable(scratch.device));
	scratch_close(&scratch);
}

struct told {
	unsigned times;
	uint64_t offset;
	int error;
};

static void note_loss(const void *ctx, const char *name, uint64_t offset, int error)
{
	struct told *told = (struct told *)(uintptr_t)ctx;

	(void)name;
	*told = (struct told){ told->times + 1, offset, error };
}

/* Whoever opened the device gets a message of the first bad sector, and of no other. */
static void the_first_bad_sector_is_told_at_once(void **state)
{
	struct fault bad[] = { { .offset = 8192, .len = 512, .error = -EIO, .times = FAULT_ALWAYS },
			       { .offset = 81920, .len = 512, .error = -EIO, .times = FAULT_ALWAYS } };
	struct scratch scratch;
	struct told told = { 0 };
	uint8_t buf[4096];

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	scratch.device->on_loss = note_loss;
	scratch.device->on_loss_ctx = &told;
	fault_inject(scratch.device, bad, 2);
	assert_int_equal(device_read(scratch.device, buf, 0, 4096), 0);
	assert_int_equal(told.times, 0);
	assert_int_equal(device_read(scratch.device, buf, 8192, 4096), -EIO);
	assert_int_equal(device_read(scratch.device, buf, 81920, 4096), -EIO);
	assert_int_equal(told.times, 1);
	assert_int_equal(told.offset, 8192);
	assert_int_equal(told.error, -EIO);
	scratch_close(&scratch);
}

static void note_silence(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled)
{
	struct told *told = (struct told *)(uintptr_t)ctx;

	(void)name;
	assert_false(cancelled); /* a file */
	assert_string_equal(request, "a read at byte 327680");
	told->times++;
	told->offset = seconds;
}

/* A slow device is not. */
static void a_device_that_does_not_answer_is_silent(void **state)
{
	struct fault slow = { .len = MIB, .delay_us = 600000, .times = 4 };
	struct fault stuck = { .len = MIB, .delay_us = 3500000, .times = 1 };
	struct scratch scratch;
	struct told told = { 0 };
	uint8_t buf[512];

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	scratch.device->watch.limit = 1;
	scratch.device->watch.on_silence = note_silence;
	scratch.device->watch.ctx = &told;
	fault_inject(scratch.device, &slow, 1);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(device_read(scratch.device, buf, 65536 * i, 512), 0);
	assert_int_equal(told.times, 0);
	device_rest(scratch.device);
	fault_inject(scratch.device, &stuck, 1);
	assert_int_equal(device_read(scratch.device, buf, 65536 * 5, 512), 0);
	assert_true(told.times > 0);
	assert_int_equal(told.offset, 1);
	scratch_close(&scratch);
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
	assert_in_range(counts.requests, 1, MIB / device_align(scratch.device) + 1);
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
		cmocka_unit_test(a_bad_sector_is_read_twice_and_loses_nothing_else),
		cmocka_unit_test(a_bad_physical_sector_is_read_twice_whatever_is_wanted_of_it),
		cmocka_unit_test(many_bad_sectors_are_read_twice_each),
		cmocka_unit_test(what_is_written_is_read_again),
		cmocka_unit_test(the_first_bad_sector_is_told_at_once),
		cmocka_unit_test(a_device_that_does_not_answer_is_silent),
		cmocka_unit_test(a_device_that_is_all_bad_ends_the_run_in_time),
		cmocka_unit_test(an_error_that_passes_is_forgotten),
		cmocka_unit_test(direct_reads_that_are_refused_become_buffered_ones),
		cmocka_unit_test(short_reads_are_continued),
		cmocka_unit_test(a_file_that_shrinks_is_read_as_far_as_it_goes),
		cmocka_unit_test(many_threads_may_read_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
