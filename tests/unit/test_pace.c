/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of reading: each request counts once, and the device rests as long as the share says. */
#include "scratch_device.h"

#include <time.h>

#include "../../cache/device.h"

#define BYTES  (64u << 10)
#define MILLI  1000000u /* ns */
#define SECOND (1000 * MILLI)

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* Opens the scratch file once more, with limits. */
static struct device *limited(const struct scratch *scratch, const struct device_options *options)
{
	struct device *device;
	char message[256] = "";

	if (device_open(scratch->path, options, &device, message, sizeof(message)))
		fail_msg("%s", message);
	return device;
}

/* Reads through a queue, one after the other. Returns the time that it took. */
static uint64_t time_of_reads(struct device *device, unsigned count)
{
	struct io io = { .len = 4096, .buf = device_buffer(device, 4096) };
	struct ioq *ioq;
	uint64_t began;

	assert_int_equal(ioq_create(device, 4, &ioq), 0);
	began = now();
	for (unsigned i = 0; i < count; i++) {
		io.offset = i * 4096u;
		assert_int_equal(ioq_submit(ioq, &io), 0);
		assert_ptr_equal(ioq_wait(ioq), &io);
		assert_int_equal(io.error, 0);
	}
	began = now() - began;
	ioq_destroy(ioq);
	device_buffer_free(io.buf);
	return began;
}

static void a_request_counts_once(void **state)
{
	static const enum device_engine engines[] = { ENGINE_THREADS, ENGINE_AUTO };
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, BYTES);
	for (unsigned i = 0; i < 2; i++) {
		struct device *device =
			limited(&scratch, &(struct device_options){ .engine = engines[i], .read_requests = 1 });

		atomic_store(&device->pace.next, 0); /* opening it has read, too */
		assert_true(time_of_reads(device, 1) < 800 * MILLI);
		atomic_store(&device->pace.next, 0);
		assert_true(time_of_reads(device, 2) >= 900 * MILLI);
		device_close(device);
	}
	scratch_close(&scratch);
}

static void a_share_is_kept_by_one_request_at_a_time(void **state)
{
	struct scratch scratch;
	struct device *device;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, BYTES);
	device = limited(&scratch, &(struct device_options){ .read_share = 10 });
	assert_false(device_uses_uring(device));
	for (unsigned ms = 5; ms <= 20; ms += 15) {
		const uint64_t began = pace_begin(&device->pace, 4096);
		uint64_t ended;

		assert_int_not_equal(pthread_mutex_trylock(&device->pace.one), 0);
		nanosleep(&(struct timespec){ .tv_nsec = ms * MILLI }, NULL);
		pace_end(&device->pace, began);
		ended = now();
		pace_end(&device->pace, pace_begin(&device->pace, 4096));
		assert_true(now() - ended >= (uint64_t)9 * ms * MILLI * 9 / 10);
	}
	/* and in all, it reads what is there */
	assert_true(time_of_reads(device, 8) > 0);
	device_close(device);
	scratch_close(&scratch);
}

static void all_of_the_time_is_no_limit(void **state)
{
	struct pace pace;

	(void)state;
	pace_init(&pace, 0, 0, 100);
	assert_int_equal(pace_begin(&pace, 4096), 0);
	assert_int_equal(pace_begin(&pace, 4096), 0);
	pace_end(&pace, 0);
	pace_destroy(&pace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_counts_once),
		cmocka_unit_test(a_share_is_kept_by_one_request_at_a_time),
		cmocka_unit_test(all_of_the_time_is_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
