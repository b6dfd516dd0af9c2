/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/log/block_cache.c against a plain array: buffers of any length that overlap, with room for few of them. */
#include "scratch_device.h"

#include <errno.h>

#include "../../repair/log/block_cache.h"
#include "units.h"

#define BYTES (1024u << 10)
#define BLOCK 4096u

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void whatever_is_written_is_read_back_and_staged(void **state)
{
	uint8_t *twin = malloc(BYTES), *buf = malloc(64 << 10), *all = malloc(BYTES);
	struct block_cache *cache;
	struct scratch scratch;
	uint64_t seed = 1;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, BYTES);
	for (uint32_t i = 0; i < BYTES; i++)
		twin[i] = scratch_byte(i);
	cache = block_cache_new(scratch.device, BLOCK, 4 * BLOCK);
	assert_non_null(cache);
	for (unsigned i = 0; i < 3000; i++) {
		uint32_t len = (uint32_t)(next_random(&seed) % (i % 8 ? 600 : 64 << 10)) + 1;
		uint64_t offset = next_random(&seed) % (BYTES - len + 1);

		if (next_random(&seed) % 2) {
			memset(buf, (int)i, len);
			memcpy(twin + offset, buf, len);
			assert_int_equal(block_cache_write(cache, buf, offset, len), 0);
		} else {
			assert_int_equal(block_cache_read(cache, buf, offset, len), 0);
			assert_memory_equal(buf, twin + offset, len);
		}
	}
	assert_int_equal(block_cache_flush(cache), 0);
	assert_int_equal(device_read(scratch.device, all, 0, BYTES), 0);
	assert_memory_equal(all, twin, BYTES);
	block_cache_free(cache);
	scratch_close(&scratch);
	free(twin);
	free(buf);
	free(all);
}

static void no_more_is_staged_than_the_sectors_written(void **state)
{
	uint8_t buf[SECTOR_SIZE] = { 1 };
	struct block_cache *cache;
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, BYTES);
	cache = block_cache_new(scratch.device, BLOCK, 4 * BLOCK);
	assert_non_null(cache);
	assert_int_equal(block_cache_read(cache, buf, 3 * BLOCK, sizeof(buf)), 0);
	assert_int_equal(block_cache_flush(cache), 0);
	assert_int_equal(device_staged(scratch.device, LAYER_REPLAY), 0);
	assert_int_equal(block_cache_write(cache, buf, BLOCK + SECTOR_SIZE, sizeof(buf)), 0);
	assert_int_equal(block_cache_write(cache, buf, 2 * BLOCK + 100, 8), 0);
	assert_int_equal(block_cache_flush(cache), 0);
	assert_int_equal(device_staged(scratch.device, LAYER_REPLAY), 2 * SECTOR_SIZE);
	block_cache_free(cache);
	scratch_close(&scratch);
}

static void blocks_are_taken_as_long_as_there_is_room_and_written_ones_stay(void **state)
{
	uint8_t *buf = malloc(64 * BLOCK), one = 0x42, byte;
	struct block_cache *cache;
	struct scratch scratch;
	uint32_t taken = 0;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, BYTES);
	cache = block_cache_new(scratch.device, BLOCK, 4 * BLOCK);
	assert_non_null(cache);
	memset(buf, 0x33, (size_t)64 * BLOCK);
	assert_int_equal(block_cache_write(cache, &one, BLOCK, 1), 0);
	block_cache_offer(cache, buf, 0, 64 * BLOCK);
	assert_true(block_cache_full(cache));
	assert_int_equal(block_cache_read(cache, &byte, BLOCK, 1), 0);
	assert_int_equal(byte, 0x42);
	for (uint64_t block = 2; block < 16; block++) {
		assert_int_equal(block_cache_read(cache, &byte, block * BLOCK, 1), 0);
		taken += byte == 0x33;
	}
	assert_int_equal(taken, 14);
	/* nothing of that is staged but what was written */
	assert_int_equal(block_cache_flush(cache), 0);
	assert_int_equal(device_staged(scratch.device, LAYER_REPLAY), SECTOR_SIZE);
	block_cache_free(cache);
	scratch_close(&scratch);
	free(buf);
}

static void the_end_of_the_device_may_lie_within_a_block(void **state)
{
	uint8_t buf[2 * SECTOR_SIZE];
	struct block_cache *cache;
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, BLOCK + 3 * SECTOR_SIZE);
	cache = block_cache_new(scratch.device, BLOCK, 4 * BLOCK);
	assert_non_null(cache);
	assert_int_equal(block_cache_read(cache, buf, BLOCK + SECTOR_SIZE, sizeof(buf)), 0);
	assert_int_equal(scratch_differences(buf, BLOCK + SECTOR_SIZE, sizeof(buf)), 0);
	assert_int_equal(block_cache_read(cache, buf, BLOCK + 2 * SECTOR_SIZE, sizeof(buf)), -ENODATA);
	assert_int_equal(block_cache_read(cache, buf, UINT64_MAX - 5, sizeof(buf)), -ENODATA);
	block_cache_free(cache);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_is_written_is_read_back_and_staged),
		cmocka_unit_test(no_more_is_staged_than_the_sectors_written),
		cmocka_unit_test(blocks_are_taken_as_long_as_there_is_room_and_written_ones_stay),
		cmocka_unit_test(the_end_of_the_device_may_lie_within_a_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
