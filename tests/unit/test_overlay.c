/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Staged changes over a device, against a plain array: reads of every kind, both layers, spilling, errors, threads. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>
#include <pthread.h>

#include "../../cache/device.h"
#include "../../cache/fault.h"

#define KIB   1024u
#define BYTES (512 * KIB)

/* What readers must get. */
struct twin {
	uint8_t bytes[LAYERS][BYTES];
	bool staged[LAYERS][BYTES / SECTOR_SIZE];
};

static uint8_t twin_byte(const struct twin *twin, uint64_t offset)
{
	for (int layer = LAYERS - 1; layer >= 0; layer--)
		if (twin->staged[layer][offset / SECTOR_SIZE])
			return twin->bytes[layer][offset];
	return scratch_byte(offset);
}

static size_t twin_differences(const struct twin *twin, const uint8_t *buf, uint64_t offset, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += buf[i] != twin_byte(twin, offset + i);
	return n;
}

static void stage(struct device *device, struct twin *twin, enum overlay_layer layer, uint64_t offset, size_t len,
		  uint8_t seed)
{
	for (size_t i = 0; i < len; i++)
		twin->bytes[layer][offset + i] = (uint8_t)(seed + 3 * i + i / 200);
	memset(&twin->staged[layer][offset / SECTOR_SIZE], true, len / SECTOR_SIZE);
	assert_int_equal(device_stage(device, layer, twin->bytes[layer] + offset, offset, len), 0);
}

static void assert_reads_as(struct device *device, const struct twin *twin, uint64_t offset, size_t len)
{
	uint8_t *buf = malloc(len + 1);

	assert_int_equal(device_read(device, buf, offset, len), 0);
	assert_int_equal(twin_differences(twin, buf, offset, len), 0);
	free(buf);
}

static void assert_queue_reads_as(struct device *device, const struct twin *twin, uint64_t offset, uint32_t len)
{
	struct io io = { .offset = offset, .len = len, .buf = device_buffer(device, len) };
	struct ioq *ioq;

	assert_int_equal(ioq_create(device, 1, &ioq), 0);
	assert_int_equal(ioq_submit(ioq, &io), 0);
	assert_ptr_equal(ioq_wait(ioq), &io);
	assert_int_equal(io.error, 0);
	assert_int_equal(twin_differences(twin, io.buf, offset, len), 0);
	ioq_destroy(ioq);
	device_buffer_free(io.buf);
}

struct collected {
	const struct twin *twin;
	enum overlay_layer layer;
	uint64_t end; /* of what came before */
	size_t sectors;
	size_t calls;
};

static int collect(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct collected *collected = ctx;

	assert_true(offset >= collected->end);
	assert_true(len <= KIB * KIB);
	for (uint64_t at = offset; at < offset + len; at += SECTOR_SIZE)
		assert_true(collected->twin->staged[collected->layer][at / SECTOR_SIZE]);
	assert_memory_equal(bytes, collected->twin->bytes[collected->layer] + offset, len);
	collected->end = offset + len;
	collected->sectors += len / SECTOR_SIZE;
	collected->calls++;
	return 0;
}

/* Fails unless the layer holds the twin's contents, in as few runs as possible. */
static void assert_holds(struct device *device, const struct twin *twin, enum overlay_layer layer)
{
	struct collected collected = { .twin = twin, .layer = layer };
	size_t sectors = 0, runs = 0;

	for (size_t i = 0; i < BYTES / SECTOR_SIZE; i++) {
		sectors += twin->staged[layer][i];
		runs += twin->staged[layer][i] && (i == 0 || !twin->staged[layer][i - 1]);
	}
	assert_int_equal(device_staged_each(device, layer, collect, &collected), 0);
	assert_int_equal(collected.sectors, sectors);
	assert_int_equal(collected.calls, runs);
	assert_int_equal(device_staged(device, layer), sectors * SECTOR_SIZE);
}

static void what_is_staged_is_read_and_nothing_else_changes(void **state)
{
	struct twin *twin = calloc(1, sizeof(*twin));
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, BYTES);
	stage(scratch.device, twin, LAYER_MEND, 4096 + 1024, 512, 1);	/* a sector inside a page */
	stage(scratch.device, twin, LAYER_MEND, 65536 - 1024, 2048, 2); /* over a page's end */
	stage(scratch.device, twin, LAYER_MEND, BYTES - 512, 512, 3);
	assert_reads_as(scratch.device, twin, 0, BYTES);
	assert_reads_as(scratch.device, twin, 4096 + 1100, 30);
	assert_reads_as(scratch.device, twin, 4096 + 1000, 700);
	assert_queue_reads_as(scratch.device, twin, 0, BYTES);
	assert_holds(scratch.device, twin, LAYER_MEND);
	assert_holds(scratch.device, twin, LAYER_REPLAY);
	scratch_close(&scratch);
	free(twin);
}

static void mending_covers_replay_whichever_came_first(void **state)
{
	struct twin *twin = calloc(1, sizeof(*twin));
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, BYTES);
	stage(scratch.device, twin, LAYER_MEND, 8192, 1024, 1);
	stage(scratch.device, twin, LAYER_REPLAY, 8192 - 512, 2048, 2);
	stage(scratch.device, twin, LAYER_REPLAY, 32768, 4096, 3);
	stage(scratch.device, twin, LAYER_MEND, 32768 + 512, 512, 4);
	assert_reads_as(scratch.device, twin, 0, BYTES);
	assert_holds(scratch.device, twin, LAYER_MEND);
	assert_holds(scratch.device, twin, LAYER_REPLAY);

	memset(twin->staged[LAYER_MEND], false, sizeof(twin->staged[LAYER_MEND]));
	device_unstage(scratch.device, LAYER_MEND);
	assert_reads_as(scratch.device, twin, 0, BYTES);
	assert_holds(scratch.device, twin, LAYER_MEND);
	scratch_close(&scratch);
	free(twin);
}

static void what_is_not_whole_sectors_of_the_device_is_refused(void **state)
{
	struct scratch scratch;
	uint8_t bytes[1024] = { 0 };

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, BYTES);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, bytes, 100, 512), -ERANGE);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, bytes, 512, 100), -ERANGE);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, bytes, BYTES - 512, 1024), -ERANGE);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, bytes, UINT64_MAX - 511, 512), -ERANGE);
	assert_int_equal(device_staged(scratch.device, LAYER_MEND), 0);
	scratch_close(&scratch);
}

/* Limits: all in memory, all in the file, some of each. */
static void random_staging_reads_like_an_array(void **state)
{
	static const size_t limits[] = { 64u << 20, 0, 300 * KIB };
	unsigned seed = 5;

	(void)state;
	for (unsigned round = 0; round < 2 * sizeof(limits) / sizeof(limits[0]); round++) {
		struct twin *twin = calloc(1, sizeof(*twin));
		struct scratch scratch;
		uint32_t align;

		scratch_open(&scratch, round % 2 ? ENGINE_THREADS : ENGINE_AUTO, BYTES);
		align = device_align(scratch.device);
		device_stage_limit(scratch.device, limits[round / 2]);
		for (unsigned i = 0; i < 150; i++) {
			uint64_t sector = (unsigned)rand_r(&seed) % (BYTES / SECTOR_SIZE);
			uint64_t sectors = 1 + (unsigned)rand_r(&seed) % (i % 10 ? 12 : 200);
			enum overlay_layer layer = (unsigned)rand_r(&seed) % LAYERS;
			uint64_t offset;

			if (sectors > BYTES / SECTOR_SIZE - sector)
				sectors = BYTES / SECTOR_SIZE - sector;
			stage(scratch.device, twin, layer, sector * SECTOR_SIZE, sectors * SECTOR_SIZE, (uint8_t)i);
			if (i == 70) {
				memset(twin->staged[layer], false, sizeof(twin->staged[layer]));
				device_unstage(scratch.device, layer);
			}
			offset = (unsigned)rand_r(&seed) % BYTES;
			assert_reads_as(scratch.device, twin, offset, (unsigned)rand_r(&seed) % (BYTES - offset));
			offset -= offset % align;
			assert_queue_reads_as(scratch.device, twin, offset, (uint32_t)(BYTES - offset));
		}
		assert_holds(scratch.device, twin, LAYER_REPLAY);
		assert_holds(scratch.device, twin, LAYER_MEND);
		scratch_close(&scratch);
		free(twin);
	}
}

static int stop_at_once(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	(void)offset;
	(void)bytes;
	(void)len;
	++*(unsigned *)ctx;
	return 77;
}

static void what_is_staged_as_a_whole_needs_no_request(void **state)
{
	struct device_counts before, after;
	struct scratch scratch;
	uint8_t mine[4096], buf[4096];

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, 64 * 1024);
	memset(mine, 0xa5, sizeof(mine));
	assert_int_equal(device_stage(scratch.device, LAYER_REPLAY, mine, 4096, 2048), 0);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, mine, 6144, 2048), 0);
	device_counts(scratch.device, &before);
	assert_int_equal(device_read(scratch.device, buf, 4096, sizeof(buf)), 0);
	device_counts(scratch.device, &after);
	assert_memory_equal(buf, mine, sizeof(mine));
	assert_int_equal(after.requests, before.requests);
	assert_int_equal(device_read(scratch.device, buf, 4608, sizeof(buf)), 0);
	device_counts(scratch.device, &after);
	assert_memory_equal(buf, mine, 3584);
	assert_int_equal(scratch_differences(buf + 3584, 8192, 512), 0);
	assert_true(after.requests > before.requests);
	scratch_close(&scratch);
}

static void a_walk_over_what_is_staged_ends_when_told(void **state)
{
	struct twin *twin = calloc(1, sizeof(*twin));
	struct scratch scratch;
	unsigned calls = 0;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, BYTES);
	stage(scratch.device, twin, LAYER_REPLAY, 0, 512, 1);
	stage(scratch.device, twin, LAYER_REPLAY, 65536, 512, 1);
	assert_int_equal(device_staged_each(scratch.device, LAYER_REPLAY, stop_at_once, &calls), 77);
	assert_int_equal(calls, 1);
	scratch_close(&scratch);
	free(twin);
}

static void unreadable_sectors_are_read_where_something_is_staged(void **state)
{
	struct fault bad = { .offset = 65536, .len = 8192, .error = -EIO, .times = FAULT_ALWAYS };
	struct twin *twin = calloc(1, sizeof(*twin));
	struct scratch scratch;
	uint8_t *buf = malloc(BYTES);
	uint64_t at, n;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, BYTES);
	fault_inject(scratch.device, &bad, 1);
	stage(scratch.device, twin, LAYER_REPLAY, 65536, 4096, 1);
	assert_int_equal(device_read(scratch.device, buf, 0, BYTES), -EIO);
	assert_int_equal(twin_differences(twin, buf, 0, 65536 + 4096), 0);
	assert_true(scratch_all_zero(buf + 65536 + 4096, 4096));
	assert_true(device_unreadable(scratch.device, 0, BYTES, &at, &n));
	assert_int_equal(at, 65536 + 4096);
	assert_int_equal(n, 4096);

	stage(scratch.device, twin, LAYER_MEND, 65536 + 4096, 4096, 2);
	assert_false(device_unreadable(scratch.device, 0, BYTES, &at, &n));
	assert_reads_as(scratch.device, twin, 0, BYTES);
	scratch_close(&scratch);
	free(buf);
	free(twin);
}

/* $TMPDIR is a folder that can't hold files. */
static void a_temporary_file_that_cannot_be_had_changes_nothing(void **state)
{
	struct twin *twin = calloc(1, sizeof(*twin));
	const char *before = getenv("TMPDIR");
	char *kept = before ? strdup(before) : NULL;
	uint8_t bytes[4096] = { 0 };
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, BYTES);
	device_stage_limit(scratch.device, 0);
	setenv("TMPDIR", "/proc/self", 1);
	assert_true(device_stage(scratch.device, LAYER_MEND, bytes, 4096, 4096) < 0);
	assert_reads_as(scratch.device, twin, 0, BYTES);
	assert_holds(scratch.device, twin, LAYER_MEND);
	unsetenv("TMPDIR");
	stage(scratch.device, twin, LAYER_MEND, 4096, 4096, 9);
	assert_reads_as(scratch.device, twin, 0, BYTES);
	if (kept)
		setenv("TMPDIR", kept, 1);
	free(kept);
	scratch_close(&scratch);
	free(twin);
}

struct stager {
	pthread_t thread;
	struct device *device;
	uint64_t start; /* of the sixteenth that is its own */
	unsigned wrong;
};

#define SHARE (BYTES / 16)

/* A thread always reads from its own sectors what it staged last, whatever the other threads do. */
static void *stage_and_read(void *arg)
{
	struct stager *stager = arg;
	uint8_t bytes[4096], buf[4096];

	for (unsigned i = 0; i < 200; i++) {
		uint64_t offset = stager->start + (uint64_t)(i * 1536) % (SHARE - sizeof(bytes));

		offset -= offset % SECTOR_SIZE;
		memset(bytes, (int)(i + stager->start / SHARE), sizeof(bytes));
		stager->wrong += device_stage(stager->device, LAYER_MEND, bytes, offset, sizeof(bytes)) != 0;
		stager->wrong += device_read(stager->device, buf, offset, sizeof(buf)) != 0;
		stager->wrong += memcmp(buf, bytes, sizeof(buf)) != 0;
	}
	return NULL;
}

static void many_threads_may_stage_and_read_at_once(void **state)
{
	struct stager stagers[4];
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, BYTES);
	device_stage_limit(scratch.device, 400 * KIB);
	for (unsigned i = 0; i < 4; i++) {
		stagers[i] = (struct stager){ .device = scratch.device, .start = (uint64_t)i * 3 * SHARE };
		assert_int_equal(pthread_create(&stagers[i].thread, NULL, stage_and_read, &stagers[i]), 0);
	}
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(stagers[i].thread, NULL), 0);
		assert_int_equal(stagers[i].wrong, 0);
	}
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_staged_is_read_and_nothing_else_changes),
		cmocka_unit_test(mending_covers_replay_whichever_came_first),
		cmocka_unit_test(what_is_not_whole_sectors_of_the_device_is_refused),
		cmocka_unit_test(random_staging_reads_like_an_array),
		cmocka_unit_test(what_is_staged_as_a_whole_needs_no_request),
		cmocka_unit_test(a_walk_over_what_is_staged_ends_when_told),
		cmocka_unit_test(unreadable_sectors_are_read_where_something_is_staged),
		cmocka_unit_test(a_temporary_file_that_cannot_be_had_changes_nothing),
		cmocka_unit_test(many_threads_may_stage_and_read_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
