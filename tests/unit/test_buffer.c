/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers: aligned, as large as asked for, recycled, and apart from each other. */
#include <malloc.h>

#include "scratch_device.h"

#define MANY 64

static void buffers_of_every_size_are_aligned_and_can_be_written(void **state)
{
	static const size_t sizes[] = { 1, 511, 512, 4096, 4097, 9000, 65535, 65536, 1 << 20, 8 << 20, (8 << 20) + 1 };
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, 4096);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint8_t *buf = device_buffer(scratch.device, sizes[i]);

		assert_non_null(buf);
		assert_int_equal((uintptr_t)buf % device_align(scratch.device), 0);
		memset(buf, 0x5a, sizes[i]);
		device_buffer_free(buf);
	}
	device_buffer_free(NULL);
	assert_null(device_buffer(scratch.device, SIZE_MAX));
	scratch_close(&scratch);
}

static void a_freed_buffer_serves_the_next_of_its_size(void **state)
{
	struct scratch scratch;
	void *first, *second;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, 4096);
	first = device_buffer(scratch.device, 100000);
	device_buffer_free(first);
	second = device_buffer(scratch.device, 99000);
	assert_ptr_equal(first, second);
	device_buffer_free(second);
	scratch_close(&scratch);
}

static void buffers_in_use_never_overlap(void **state)
{
	struct scratch scratch;
	uint8_t *held[MANY] = { NULL };
	size_t len[MANY] = { 0 };
	unsigned seed = 3;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, 4096);
	for (unsigned i = 0; i < 2000; i++) {
		unsigned k = (unsigned)rand_r(&seed) % MANY;

		for (size_t byte = 0; byte < len[k]; byte += 509)
			assert_int_equal(held[k][byte], k);
		device_buffer_free(held[k]);
		len[k] = 1 + (size_t)rand_r(&seed) % (i % 8 ? 20000 : 2 << 20);
		held[k] = device_buffer(scratch.device, len[k]);
		assert_non_null(held[k]);
		memset(held[k], (int)k, len[k]);
	}
	for (unsigned k = 0; k < MANY; k++)
		device_buffer_free(held[k]);
	scratch_close(&scratch);
}

static size_t bytes_in_use(void)
{
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* Buffers that wait to be used again are memory as well. */
static void no_more_waits_than_is_allowed(void **state)
{
	struct scratch scratch;
	void *held[8];
	size_t before, held_bytes;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, 4096);
	device_buffers_limit(scratch.device, 2 << 20);
	before = bytes_in_use();
	for (unsigned i = 0; i < 8; i++)
		assert_non_null(held[i] = device_buffer(scratch.device, 1 << 20));
	held_bytes = bytes_in_use() - before;
	for (unsigned i = 0; i < 8; i++)
		device_buffer_free(held[i]);
	/* sanitizers have an allocator of their own, without statistics */
	assert_true(held_bytes == 0 || held_bytes >= 8 << 20);
	assert_true(bytes_in_use() < before + (3 << 20));
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers_of_every_size_are_aligned_and_can_be_written),
		cmocka_unit_test(a_freed_buffer_serves_the_next_of_its_size),
		cmocka_unit_test(buffers_in_use_never_overlap),
		cmocka_unit_test(no_more_waits_than_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
