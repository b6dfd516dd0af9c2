/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Undo files: they restore the device bit for bit from any state that a commit can leave; and what must be refused. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

#include "undo.h"
#include "units.h"

#define KIB   1024u
#define BYTES (256 * KIB)

static const uint8_t uuid[] = "some file system";

struct fixture {
	struct scratch scratch;
	struct device *devices[UNDO_DEVICES];
	struct undo_place place;
	char path[64];
	char message[512];
};

static int keep(void *ctx, const struct change *change)
{
	return undo_add(ctx, 0, change);
}

/* Stages changes all over the device, in two layers, some over others. */
static void stage_changes(struct fixture *f, unsigned seed)
{
	uint8_t bytes[8 * KIB];

	for (unsigned i = 0; i < 30; i++) {
		uint64_t len = SECTOR_SIZE * (1 + (unsigned)rand_r(&seed) % 16);
		uint64_t offset = SECTOR_SIZE * ((unsigned)rand_r(&seed) % ((BYTES - 8 * KIB) / SECTOR_SIZE));

		memset(bytes, 'a' + (int)i, sizeof(bytes));
		assert_int_equal(device_stage(f->devices[0], i % 2 ? LAYER_REPLAY : LAYER_MEND, bytes, offset, len), 0);
	}
	assert_int_equal(device_stage(f->devices[0], LAYER_MEND, bytes, 0, SECTOR_SIZE), 0);
}

static void write_undo(struct fixture *f)
{
	struct undo_writer *undo;
	uint64_t bytes;

	if (undo_create(f->path, uuid, f->devices, &f->place, &undo, f->message, sizeof(f->message)))
		fail_msg("%s", f->message);
	for (unsigned layer = 0; layer < LAYERS; layer++)
		assert_int_equal(device_changes(f->devices[0], layer, NULL, NULL, keep, undo), 0);
	assert_int_equal(undo_finish(undo, &bytes, f->message, sizeof(f->message)), 0);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	scratch_open(&f->scratch, ENGINE_AUTO, BYTES);
	f->devices[0] = f->scratch.device;
	snprintf(f->path, sizeof(f->path), "/tmp/xfsck-undo-%d", (int)getpid());
	unlink(f->path);
	undo_place_open("/tmp", false, &f->place);
	stage_changes(f, 4);
	write_undo(f);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	undo_place_close(&f->place);
	scratch_close(&f->scratch);
	free(f);
	return 0;
}

static void open_for_writing(struct fixture *f)
{
	if (device_open_write(f->devices[0], f->message, sizeof(f->message)))
		fail_msg("%s", f->message);
}

/* Rolls back.  Returns 0 or the error, with the reason in f->message. */
static int roll_back(struct fixture *f)
{
	struct undo *undo;
	unsigned device;
	int ret = undo_open(f->path, &undo, f->message, sizeof(f->message));

	if (ret)
		return ret;
	assert_true(undo_has(undo, 0));
	assert_false(undo_has(undo, 1));
	ret = undo_check(undo, f->devices, f->message, sizeof(f->message));
	if (!ret)
		ret = undo_restore(undo, f->devices, &device);
	undo_close(undo);
	return ret;
}

static size_t differences(const struct fixture *f)
{
	uint8_t *bytes = malloc(BYTES);
	size_t n;

	assert_int_equal(pread(f->scratch.fd, bytes, BYTES, 0), BYTES);
	n = scratch_differences(bytes, 0, BYTES);
	free(bytes);
	return n;
}

static void a_commit_is_taken_back_bit_for_bit(void **state)
{
	struct fixture *f = *state;

	open_for_writing(f);
	assert_int_equal(device_commit(f->devices[0], LAYER_REPLAY, NULL, NULL), 0);
	assert_int_equal(device_commit(f->devices[0], LAYER_MEND, NULL, NULL), 0);
	assert_true(differences(f) > 10 * KIB);
	if (roll_back(f))
		fail_msg("%s", f->message);
	assert_int_equal(differences(f), 0);
	/* again does no harm */
	assert_int_equal(roll_back(f), 0);
	assert_int_equal(differences(f), 0);
}

/* True for sectors before *ctx: as if the power had failed there. */
static bool before(void *ctx, uint64_t offset)
{
	return offset < *(const uint64_t *)ctx;
}

static void a_commit_that_was_cut_short_is_taken_back_from_anywhere(void **state)
{
	struct fixture *f = *state;

	open_for_writing(f);
	for (unsigned layer = LAYER_REPLAY; layer <= LAYER_MEND; layer++) {
		for (uint64_t end = 0; end <= BYTES; end += 7 * SECTOR_SIZE) {
			if (layer == LAYER_MEND)
				assert_int_equal(device_commit(f->devices[0], LAYER_REPLAY, NULL, NULL), 0);
			assert_int_equal(device_commit(f->devices[0], layer, before, &end), 0);
			if (roll_back(f))
				fail_msg("%s", f->message);
			assert_int_equal(differences(f), 0);
		}
	}
}

static void a_device_that_was_written_to_since_is_refused(void **state)
{
	struct fixture *f = *state;
	uint8_t byte;

	open_for_writing(f);
	assert_int_equal(device_commit(f->devices[0], LAYER_REPLAY, NULL, NULL), 0);
	assert_int_equal(device_commit(f->devices[0], LAYER_MEND, NULL, NULL), 0);
	assert_int_equal(pread(f->scratch.fd, &byte, 1, 100), 1);
	byte ^= 0x10;
	assert_int_equal(pwrite(f->scratch.fd, &byte, 1, 100), 1);
	assert_int_equal(roll_back(f), -ESTALE);
	assert_non_null(strstr(f->message, "1 sectors are neither"));
	byte ^= 0x10;
	assert_int_equal(pwrite(f->scratch.fd, &byte, 1, 100), 1);
	assert_int_equal(roll_back(f), 0);
}

static void a_device_of_another_size_is_refused(void **state)
{
	struct fixture *f = *state;
	struct scratch other;
	struct device *own = f->devices[0];

	scratch_open(&other, ENGINE_AUTO, BYTES + 4096);
	f->devices[0] = other.device;
	assert_int_equal(roll_back(f), -ESTALE);
	assert_non_null(strstr(f->message, "bytes"));
	f->devices[0] = own;
	scratch_close(&other);
}

static void a_file_that_exists_is_not_overwritten(void **state)
{
	struct fixture *f = *state;
	struct undo_writer *undo;
	struct stat st, after;

	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(undo_create(f->path, uuid, f->devices, &f->place, &undo, f->message, sizeof(f->message)),
			 -EEXIST);
	assert_non_null(strstr(f->message, f->path));
	assert_int_equal(stat(f->path, &after), 0);
	assert_int_equal(after.st_size, st.st_size);
}

/* Makes it work as on a file system without O_TMPFILE. */
static void create_by_name(struct fixture *f)
{
	close(f->place.file);
	f->place.file = -1;
}

static void the_name_appears_with_the_whole_file(void **state)
{
	struct fixture *f = *state;
	struct undo_writer *undo;
	uint64_t bytes;

	unlink(f->path);
	undo_place_close(&f->place);
	undo_place_open("/tmp", false, &f->place);
	if (f->place.file < 0)
		skip();
	assert_int_equal(undo_create(f->path, uuid, f->devices, &f->place, &undo, f->message, sizeof(f->message)), 0);
	assert_int_equal(device_changes(f->devices[0], LAYER_MEND, NULL, NULL, keep, undo), 0);
	assert_int_equal(access(f->path, F_OK), -1);
	/* somebody else takes the name: that file stays, and the next name is tried */
	assert_int_equal(symlink("/nowhere", f->path), 0);
	assert_int_equal(undo_finish(undo, &bytes, f->message, sizeof(f->message)), -EEXIST);
	assert_true(f->place.file >= 0);
	unlink(f->path);
	write_undo(f);
	assert_int_equal(access(f->path, F_OK), 0);
}

static void what_is_given_up_leaves_no_file(void **state)
{
	struct fixture *f = *state;
	struct undo_writer *undo;

	unlink(f->path);
	create_by_name(f);
	assert_int_equal(undo_create(f->path, uuid, f->devices, &f->place, &undo, f->message, sizeof(f->message)), 0);
	assert_int_equal(access(f->path, F_OK), 0);
	undo_abandon(undo);
	assert_int_equal(access(f->path, F_OK), -1);
}

static void a_file_that_was_not_finished_is_refused(void **state)
{
	struct fixture *f = *state;
	struct undo_writer *undo;

	unlink(f->path);
	create_by_name(f);
	assert_int_equal(undo_create(f->path, uuid, f->devices, &f->place, &undo, f->message, sizeof(f->message)), 0);
	assert_int_equal(device_changes(f->devices[0], LAYER_MEND, NULL, NULL, keep, undo), 0);
	assert_int_equal(roll_back(f), -EBADMSG);
	assert_non_null(strstr(f->message, "not complete"));
	undo_abandon(undo);
}

/* Every byte of the headers is damaged, and some of the rest. */
static void damage_anywhere_in_the_file_is_found(void **state)
{
	struct fixture *f = *state;
	struct undo *undo;
	struct stat st;
	int fd = open(f->path, O_RDWR);
	uint8_t byte;

	assert_int_equal(fstat(fd, &st), 0);
	for (off_t at = 0; at < st.st_size; at += at < 1000 ? 1 : 97) {
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 0x40;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		if (!undo_open(f->path, &undo, f->message, sizeof(f->message)))
			fail_msg("damage at %lld is not found", (long long)at);
		byte ^= 0x40;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	}
	assert_int_equal(ftruncate(fd, st.st_size - 1), 0);
	assert_int_not_equal(undo_open(f->path, &undo, f->message, sizeof(f->message)), 0);
	assert_int_equal(ftruncate(fd, st.st_size + 1), 0);
	assert_int_not_equal(undo_open(f->path, &undo, f->message, sizeof(f->message)), 0);
	close(fd);
}

/* A run makes the folder but needs no undo file, and ends before another run writes its own there. */
static void a_folder_of_several_runs_stays(void **state)
{
	struct fixture *f = *state;
	struct undo_place first, second;
	struct undo_writer *undo;
	char folder[64], path[96];
	uint64_t bytes;

	snprintf(folder, sizeof(folder), "/tmp/xfsck-undos-%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/undo", folder);
	undo_place_open(folder, true, &first);
	undo_place_open(folder, true, &second);
	assert_true(first.made && !second.made);
	undo_place_close(&first);
	assert_int_equal(undo_create(path, uuid, f->devices, &second, &undo, f->message, sizeof(f->message)), 0);
	assert_int_equal(undo_finish(undo, &bytes, f->message, sizeof(f->message)), 0);
	undo_place_close(&second);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);

	undo_place_open(folder, true, &first);
	undo_place_close(&first);
	assert_int_equal(access(folder, F_OK), -1);
}

static void *open_place(void *arg)
{
	struct undo_place *place = arg;
	const char *folder = place->path;

	undo_place_open(folder, true, place);
	return NULL;
}

static void a_folder_is_made_by_several_at_once(void **state)
{
	enum { RUNS = 4, TIMES = 500 };
	char folder[64];

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/xfsck-undos-%d", (int)getpid());
	for (unsigned i = 0; i < TIMES; i++) {
		struct undo_place places[RUNS];
		pthread_t threads[RUNS];

		for (unsigned run = 0; run < RUNS; run++) {
			places[run].path = folder;
			assert_int_equal(pthread_create(&threads[run], NULL, open_place, &places[run]), 0);
		}
		for (unsigned run = 0; run < RUNS; run++)
			pthread_join(threads[run], NULL);
		for (unsigned run = 0; run < RUNS; run++) {
			if (places[run].folder < 0)
				fail_msg("%u of %u: %s", run, i, strerror(-places[run].folder));
			undo_place_close(&places[run]);
		}
		rmdir(folder);
	}
}

#define undo_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		undo_test(a_commit_is_taken_back_bit_for_bit),
		undo_test(a_commit_that_was_cut_short_is_taken_back_from_anywhere),
		undo_test(a_device_that_was_written_to_since_is_refused),
		undo_test(a_device_of_another_size_is_refused),
		undo_test(a_file_that_exists_is_not_overwritten),
		undo_test(the_name_appears_with_the_whole_file),
		undo_test(what_is_given_up_leaves_no_file),
		undo_test(a_folder_of_several_runs_stays),
		undo_test(a_folder_is_made_by_several_at_once),
		undo_test(a_file_that_was_not_finished_is_refused),
		undo_test(damage_anywhere_in_the_file_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
