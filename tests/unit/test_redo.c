/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Redo records: wherever a commit is cut short, the same changes are staged again; and what must be refused. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>

#include "redo.h"
#include "units.h"

#define KIB	   1024u
#define BYTES	   (512 * KIB)
#define RECORD_AT  (300 * KIB) /* nothing is staged from here on */
#define CHANGES_TO (256 * KIB)

struct fixture {
	struct scratch scratch;
	struct device *device;
	struct redo_place place;
	uint8_t *final; /* BYTES: what the overlay shows */
	char message[512];
};

struct recording {
	struct device *device;
	struct redo_writer *redo;
};

static int record_change(void *ctx, const struct change *change)
{
	const struct recording *r = ctx;
	uint8_t *between = malloc(change->len), *final = malloc(change->len);
	int ret = device_read(r->device, final, change->offset, change->len);

	assert_int_equal(ret, 0);
	assert_int_equal(device_read_below(r->device, between, change->offset, change->len, LAYER_REPLAY + 1), 0);
	ret = redo_add(r->redo, change, between, final);
	free(between);
	free(final);
	return ret;
}

static struct redo_place record(const struct fixture *f, struct device *device)
{
	struct recording r = { .device = f->device };
	struct redo_place place = { 0 };

	assert_int_equal(redo_create(device, RECORD_AT, &r.redo), 0);
	for (unsigned layer = 0; layer < LAYERS; layer++)
		assert_int_equal(device_changes(f->device, layer, NULL, NULL, record_change, &r), 0);
	assert_int_equal(redo_finish(r.redo, &place), 0);
	return place;
}

/* Changes of two layers, some over others. */
static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	unsigned seed = 7;
	uint8_t bytes[8 * KIB];

	scratch_open(&f->scratch, ENGINE_AUTO, BYTES);
	f->device = f->scratch.device;
	for (unsigned i = 0; i < 30; i++) {
		uint64_t len = SECTOR_SIZE * (1 + (unsigned)rand_r(&seed) % 16);
		uint64_t offset = SECTOR_SIZE * ((unsigned)rand_r(&seed) % ((CHANGES_TO - 8 * KIB) / SECTOR_SIZE));

		memset(bytes, 'a' + (int)i, sizeof(bytes));
		assert_int_equal(device_stage(f->device, i % 2 ? LAYER_REPLAY : LAYER_MEND, bytes, offset, len), 0);
	}
	f->final = malloc(BYTES);
	assert_int_equal(device_read(f->device, f->final, 0, BYTES), 0);
	if (device_open_write(f->device, f->message, sizeof(f->message)))
		fail_msg("%s", f->message);
	f->place = record(f, f->device);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	scratch_close(&f->scratch);
	free(f->final);
	free(f);
	return 0;
}

/* Stages the changes of the record as another run does, which begins with nothing staged. */
static int resume(struct fixture *f)
{
	uint64_t staged;

	for (unsigned layer = 0; layer < LAYERS; layer++)
		device_unstage(f->device, layer);
	return redo_stage(f->device, &f->place, 0, LAYER_REPLAY, &staged);
}

static void assert_all_is_staged(const struct fixture *f)
{
	uint8_t *now = malloc(BYTES);

	assert_int_equal(device_read(f->device, now, 0, BYTES), 0);
	assert_memory_equal(now, f->final, CHANGES_TO);
	free(now);
}

static void length_and_checksum_are_known_before_it_is_written(void **state)
{
	struct fixture *f = *state;
	struct redo_place dry = record(f, NULL);

	assert_true(f->place.bytes > 0 && f->place.bytes % SECTOR_SIZE == 0);
	assert_int_equal(dry.bytes, f->place.bytes);
	assert_int_equal(dry.crc, f->place.crc);
}

static void nothing_written_yet_is_staged_again(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(resume(f), 0);
	assert_all_is_staged(f);
}

static void from_any_layer_that_was_written_it_is_staged_again(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(device_commit(f->device, LAYER_REPLAY, NULL, NULL), 0);
	assert_int_equal(resume(f), 0);
	assert_all_is_staged(f);
}

static void after_the_last_write_it_is_staged_again(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(device_write(f->device, f->final, 0, CHANGES_TO), 0);
	assert_int_equal(resume(f), 0);
	assert_all_is_staged(f);
	/* what is there already takes no memory, so a record that is mostly holes does not, either */
	assert_int_equal(device_staged(f->device, LAYER_REPLAY), 0);
}

static void sector_that_others_wrote_to_is_refused(void **state)
{
	struct fixture *f = *state;
	uint8_t *now = malloc(BYTES);
	uint64_t at = 0;

	assert_int_equal(device_read_below(f->device, now, 0, BYTES, 0), 0);
	while (memcmp(now + at, f->final + at, SECTOR_SIZE) == 0)
		at += SECTOR_SIZE;
	assert_int_equal(device_write(f->device, "theirs", at + 100, 6), 0);
	assert_int_equal(resume(f), -ESTALE);
	assert_int_equal(device_staged(f->device, LAYER_REPLAY), 0);
	free(now);
}

static void any_wrong_byte_of_the_record_is_refused(void **state)
{
	struct fixture *f = *state;

	for (uint64_t at = 0; at < f->place.bytes; at += 1009) {
		uint8_t was, wrong;

		assert_int_equal(pread(f->scratch.fd, &was, 1, (off_t)(RECORD_AT + at)), 1);
		wrong = was ^ 0x10;
		assert_int_equal(device_write(f->device, &wrong, RECORD_AT + at, 1), 0);
		assert_int_equal(resume(f), -EBADMSG);
		assert_int_equal(device_write(f->device, &was, RECORD_AT + at, 1), 0);
	}
	assert_int_equal(resume(f), 0);
}

static void record_beyond_the_device_is_refused(void **state)
{
	struct fixture *f = *state;

	f->place.offset = BYTES - SECTOR_SIZE;
	assert_int_equal(resume(f), -EBADMSG);
	f->place.offset = UINT64_MAX - SECTOR_SIZE + 1;
	assert_int_equal(resume(f), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(length_and_checksum_are_known_before_it_is_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_written_yet_is_staged_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(from_any_layer_that_was_written_it_is_staged_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(after_the_last_write_it_is_staged_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sector_that_others_wrote_to_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(any_wrong_byte_of_the_record_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(record_beyond_the_device_is_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
