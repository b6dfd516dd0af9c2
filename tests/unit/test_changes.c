/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A commit writes what differs and nothing else, whatever its options; and what errors lead to. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>

#include "../../cache/device.h"
#include "../../cache/fault.h"

#define KIB   1024u
#define BYTES (256 * KIB)

static void open_writable(struct scratch *scratch, uint64_t bytes)
{
	char message[256] = "";

	scratch_open(scratch, ENGINE_AUTO, bytes);
	if (device_open_write(scratch->device, message, sizeof(message)))
		fail_msg("%s", message);
}

static void stage_fill(struct scratch *scratch, enum overlay_layer layer, uint64_t offset, size_t len, int fill)
{
	uint8_t *bytes = malloc(len);

	memset(bytes, fill, len);
	assert_int_equal(device_stage(scratch->device, layer, bytes, offset, len), 0);
	free(bytes);
}

/* Fails unless the file holds the pattern, except for [offset, offset + len), where all bytes are `fill`. */
static void assert_filled(const struct scratch *scratch, uint64_t offset, size_t len, int fill)
{
	uint8_t *bytes = malloc(scratch->bytes);

	assert_int_equal(pread(scratch->fd, bytes, scratch->bytes, 0), scratch->bytes);
	assert_int_equal(scratch_differences(bytes, 0, offset), 0);
	for (size_t i = 0; i < len; i++)
		assert_int_equal(bytes[offset + i], fill);
	assert_int_equal(scratch_differences(bytes + offset + len, offset + len, scratch->bytes - offset - len), 0);
	free(bytes);
}

static void what_is_as_on_the_device_is_not_written(void **state)
{
	struct scratch scratch;
	uint8_t *bytes = malloc(BYTES);

	(void)state;
	open_writable(&scratch, BYTES);
	for (uint64_t i = 0; i < BYTES; i++)
		bytes[i] = scratch_byte(i);
	assert_int_equal(device_stage(scratch.device, LAYER_REPLAY, bytes, 0, BYTES), 0);
	assert_int_equal(device_commit(scratch.device, LAYER_REPLAY, NULL, NULL), 0);
	assert_int_equal(device_written(scratch.device), 0);

	bytes[70000] ^= 1;
	assert_int_equal(device_stage(scratch.device, LAYER_REPLAY, bytes, 0, BYTES), 0);
	assert_int_equal(device_commit(scratch.device, LAYER_REPLAY, NULL, NULL), 0);
	assert_int_equal(device_written(scratch.device), device_align(scratch.device));
	assert_int_equal(device_commit(scratch.device, LAYER_REPLAY, NULL, NULL), 0);
	assert_int_equal(device_written(scratch.device), device_align(scratch.device));
	scratch_close(&scratch);
	free(bytes);
}

static bool second_half(void *ctx, uint64_t offset)
{
	return offset >= *(const uint64_t *)ctx;
}

static void only_the_sectors_that_are_meant_are_written(void **state)
{
	uint64_t from = 8 * KIB + 512;
	struct scratch scratch;

	(void)state;
	open_writable(&scratch, BYTES);
	stage_fill(&scratch, LAYER_MEND, 8 * KIB, 4 * KIB, 0x77);
	assert_int_equal(device_commit(scratch.device, LAYER_MEND, second_half, &from), 0);
	assert_int_equal(device_flush(scratch.device), 0);
	assert_filled(&scratch, 8 * KIB + 512, 4 * KIB - 512, 0x77);
	scratch_close(&scratch);
}

static void the_last_sector_of_an_odd_image_can_be_written(void **state)
{
	struct scratch scratch;

	(void)state;
	open_writable(&scratch, 64 * KIB + 512);
	stage_fill(&scratch, LAYER_MEND, 64 * KIB - 512, 1024, 0x55);
	assert_int_equal(device_commit(scratch.device, LAYER_MEND, NULL, NULL), 0);
	assert_filled(&scratch, 64 * KIB - 512, 1024, 0x55);
	assert_int_equal(lseek(scratch.fd, 0, SEEK_END), 64 * KIB + 512);
	scratch_close(&scratch);
}

static void bytes_of_any_alignment_can_be_written(void **state)
{
	struct scratch scratch;
	uint8_t bytes[3000];

	(void)state;
	open_writable(&scratch, BYTES);
	memset(bytes, 0x33, sizeof(bytes));
	assert_int_equal(device_write(scratch.device, bytes, 10007, sizeof(bytes)), 0);
	assert_filled(&scratch, 10007, sizeof(bytes), 0x33);
	assert_int_equal(device_write(scratch.device, bytes, BYTES - 100, sizeof(bytes)), -ERANGE);
	assert_int_equal(device_write(scratch.device, bytes, UINT64_MAX, 1), -ERANGE);
	scratch_close(&scratch);
}

static void a_write_that_fails_says_where(void **state)
{
	struct fault bad = { .offset = 96 * KIB, .len = 1, .writes = true, .error = -EIO, .times = FAULT_ALWAYS };
	struct scratch scratch;
	uint64_t offset, len;

	(void)state;
	open_writable(&scratch, BYTES);
	fault_inject(scratch.device, &bad, 1);
	stage_fill(&scratch, LAYER_MEND, 32 * KIB, 4 * KIB, 0x11);
	stage_fill(&scratch, LAYER_MEND, 96 * KIB, 8 * KIB, 0x11);
	assert_false(device_write_failed(scratch.device, &offset, &len));
	assert_int_equal(device_commit(scratch.device, LAYER_MEND, NULL, NULL), -EIO);
	assert_true(device_write_failed(scratch.device, &offset, &len));
	assert_int_equal(offset, 96 * KIB);
	assert_int_equal(len, 8 * KIB);
	scratch_close(&scratch);
}

static void many_places_are_all_written(void **state)
{
	const size_t places = BYTES / (2 * KIB);
	uint8_t *bytes = malloc(BYTES);
	struct scratch scratch;

	(void)state;
	open_writable(&scratch, BYTES);
	for (size_t i = 0; i < places; i++)
		stage_fill(&scratch, LAYER_MEND, i * 2 * KIB, SECTOR_SIZE, (int)i);
	assert_int_equal(device_commit(scratch.device, LAYER_MEND, NULL, NULL), 0);
	assert_int_equal(pread(scratch.fd, bytes, BYTES, 0), BYTES);
	for (size_t i = 0; i < places; i++) {
		const size_t at = i * 2 * KIB, rest = at + SECTOR_SIZE;

		for (size_t j = 0; j < SECTOR_SIZE; j++)
			assert_int_equal(bytes[at + j], (uint8_t)i);
		assert_int_equal(scratch_differences(bytes + rest, rest, at + 2 * KIB - rest), 0);
	}
	free(bytes);
	scratch_close(&scratch);
}

static void short_writes_are_continued(void **state)
{
	struct fault cut = { .len = BYTES, .writes = true, .shorten_to = 8 * KIB, .times = FAULT_ALWAYS };
	struct scratch scratch;

	(void)state;
	open_writable(&scratch, BYTES);
	fault_inject(scratch.device, &cut, 1);
	stage_fill(&scratch, LAYER_MEND, 4 * KIB, 100 * KIB, 0x22);
	assert_int_equal(device_commit(scratch.device, LAYER_MEND, NULL, NULL), 0);
	assert_filled(&scratch, 4 * KIB, 100 * KIB, 0x22);
	scratch_close(&scratch);
}

static int note_lost(void *ctx, const struct change *change)
{
	unsigned *lost = ctx;

	lost[change->lost] += (unsigned)(change->len / SECTOR_SIZE);
	return 0;
}

static void what_can_not_be_read_is_written_over(void **state)
{
	struct fault bad = { .offset = 48 * KIB, .len = 4 * KIB, .error = -EIO, .times = FAULT_ALWAYS };
	unsigned lost[2] = { 0 };
	struct scratch scratch;

	(void)state;
	open_writable(&scratch, BYTES);
	fault_inject(scratch.device, &bad, 1);
	/* unreadable blocks read as zeroes, but need not hold any */
	stage_fill(&scratch, LAYER_MEND, 44 * KIB, 12 * KIB, 0);
	assert_int_equal(device_changes(scratch.device, LAYER_MEND, NULL, NULL, note_lost, lost), 0);
	assert_int_equal(lost[true], 8);
	assert_int_equal(lost[false], 16);
	assert_int_equal(device_commit(scratch.device, LAYER_MEND, NULL, NULL), 0);
	assert_filled(&scratch, 44 * KIB, 12 * KIB, 0);
	scratch_close(&scratch);
}

static int count_bytes(void *ctx, const struct change *change)
{
	uint64_t *bytes = ctx;

	*bytes += change->len;
	return 0;
}

static uint64_t bytes_changed(struct scratch *scratch, enum overlay_layer layer)
{
	uint64_t bytes = 0;

	assert_int_equal(device_changes(scratch->device, layer, NULL, NULL, count_bytes, &bytes), 0);
	return bytes;
}

static uint64_t requests(const struct scratch *scratch)
{
	struct device_counts counts;

	device_counts(scratch->device, &counts);
	return counts.requests;
}

static void what_is_there_is_read_once_unless_it_is_written(void **state)
{
	uint64_t from = 40 * KIB, before;
	struct scratch scratch;

	(void)state;
	open_writable(&scratch, BYTES);
	device_keep_below(scratch.device, 8 << 20);
	stage_fill(&scratch, LAYER_REPLAY, 40 * KIB, 4 * KIB, 0x66);
	stage_fill(&scratch, LAYER_MEND, 32 * KIB, 16 * KIB, 0x77);
	assert_int_equal(bytes_changed(&scratch, LAYER_MEND), 16 * KIB);
	before = requests(&scratch);
	assert_int_equal(bytes_changed(&scratch, LAYER_REPLAY), 4 * KIB);
	assert_int_equal(bytes_changed(&scratch, LAYER_MEND), 16 * KIB);
	assert_int_equal(requests(&scratch), before);
	assert_int_equal(device_commit(scratch.device, LAYER_REPLAY, NULL, NULL), 0);
	assert_int_equal(bytes_changed(&scratch, LAYER_REPLAY), 0);
	assert_int_equal(device_commit(scratch.device, LAYER_MEND, second_half, &from), 0);
	assert_int_equal(bytes_changed(&scratch, LAYER_MEND), 8 * KIB);
	assert_int_equal(bytes_changed(&scratch, LAYER_REPLAY), 4 * KIB);
	assert_filled(&scratch, 40 * KIB, 8 * KIB, 0x77);
	scratch_close(&scratch);
}

static void lower_layers_can_be_read_alone(void **state)
{
	struct scratch scratch;
	uint8_t bytes[1024];

	(void)state;
	open_writable(&scratch, BYTES);
	stage_fill(&scratch, LAYER_REPLAY, 4 * KIB, 512, 1);
	stage_fill(&scratch, LAYER_MEND, 4 * KIB, 512, 2);
	assert_int_equal(device_read_below(scratch.device, bytes, 4 * KIB, sizeof(bytes), 0), 0);
	assert_int_equal(scratch_differences(bytes, 4 * KIB, sizeof(bytes)), 0);
	assert_int_equal(device_read_below(scratch.device, bytes, 4 * KIB, sizeof(bytes), LAYER_REPLAY + 1), 0);
	assert_int_equal(bytes[511], 1);
	assert_int_equal(device_read_below(scratch.device, bytes, 4 * KIB, sizeof(bytes), LAYERS), 0);
	assert_int_equal(bytes[511], 2);
	assert_int_equal(scratch_differences(bytes + 512, 4 * KIB + 512, 512), 0);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_as_on_the_device_is_not_written),
		cmocka_unit_test(only_the_sectors_that_are_meant_are_written),
		cmocka_unit_test(the_last_sector_of_an_odd_image_can_be_written),
		cmocka_unit_test(bytes_of_any_alignment_can_be_written),
		cmocka_unit_test(a_write_that_fails_says_where),
		cmocka_unit_test(many_places_are_all_written),
		cmocka_unit_test(short_writes_are_continued),
		cmocka_unit_test(what_can_not_be_read_is_written_over),
		cmocka_unit_test(what_is_there_is_read_once_unless_it_is_written),
		cmocka_unit_test(lower_layers_can_be_read_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
