/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening devices and images: their kind, how they must be read, which file system they hold. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../../cache/device.h"
#include "privileged.h"

#define MIB (1u << 20)

static void assert_refused(const char *path, int error)
{
	const struct device_options options = { .engine = ENGINE_AUTO };
	struct device *device = NULL;
	char message[256] = "";

	assert_int_equal(device_open(path, &options, &device, message, sizeof(message)), error);
	assert_null(device);
	assert_non_null(strstr(message, path));
}

static void what_is_no_device_is_refused_by_name(void **state)
{
	(void)state;
	assert_refused("/nonexistent/device", -ENOENT);
	assert_refused("/tmp", -ENOTBLK);
	assert_refused("/dev/null", -ENOTBLK);
}

static void an_empty_file_is_refused(void **state)
{
	char path[] = "/tmp/test_device.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_refused(path, -ENODATA);
	close(fd);
	unlink(path);
}

static void the_descriptor_is_read_only(void **state)
{
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	assert_int_equal(fcntl(scratch.device->fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_string_equal(device_path(scratch.device), scratch.path);
	assert_int_equal(device_bytes(scratch.device), MIB);
	scratch_close(&scratch);
}

static void holes_of_a_file_are_passed_over(void **state)
{
	const uint64_t hole = MIB / 4, end = 3 * (MIB / 4);
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	assert_int_equal(device_next_data(scratch.device, 0, 1), 0);
	if (fallocate(scratch.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)hole, (off_t)(end - hole))) {
		scratch_close(&scratch);
		SKIP_BECAUSE("no holes can be punched into files of the folder for temporary ones");
	}
	assert_int_equal(device_next_data(scratch.device, hole - 1, 1), hole - 1);
	assert_int_equal(device_next_data(scratch.device, hole, 1), end);
	assert_int_equal(device_next_data(scratch.device, end + 1, 1), end + 1);
	assert_int_equal(device_next_data(scratch.device, 0, MIB / 2), 0);
	assert_int_equal(device_next_data(scratch.device, end, MIB / 2), MIB / 2);
	assert_int_equal(fallocate(scratch.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)end, MIB / 4), 0);
	assert_int_equal(device_next_data(scratch.device, hole, 1), MIB);
	scratch_close(&scratch);
}

static void data_below_ends_at_the_next_hole(void **state)
{
	const uint64_t hole = MIB / 4, data = 3 * (MIB / 4);
	static const uint8_t sector[SECTOR_SIZE] = { 1 };
	struct scratch scratch;
	uint64_t end;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	if (fallocate(scratch.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)hole, (off_t)(data - hole))) {
		scratch_close(&scratch);
		SKIP_BECAUSE("no holes can be punched into files of the folder for temporary ones");
	}
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, sector, MIB / 2, SECTOR_SIZE), 0);
	assert_int_equal(device_data_below(scratch.device, 1, &end), 1);
	assert_int_equal(end, hole);
	assert_int_equal(device_data_below(scratch.device, hole, &end), data);
	assert_int_equal(end, MIB);
	assert_int_equal(device_data_below(scratch.device, MIB, &end), MIB);
	assert_int_equal(end, MIB);
	scratch_close(&scratch);
}

static void what_is_staged_in_a_hole_is_not_passed_over(void **state)
{
	const uint64_t near = MIB / 2 + 3 * SECTOR_SIZE, far = 3 * (MIB / 4) + (64u << 10);
	static const uint8_t sector[SECTOR_SIZE] = { 1 };
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_AUTO, MIB);
	if (fallocate(scratch.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, MIB)) {
		scratch_close(&scratch);
		SKIP_BECAUSE("no holes can be punched into files of the folder for temporary ones");
	}
	assert_int_equal(device_next_data(scratch.device, 0, 1), MIB);
	assert_int_equal(device_stage(scratch.device, LAYER_MEND, sector, far, SECTOR_SIZE), 0);
	assert_int_equal(device_next_data(scratch.device, 0, 1), far);
	assert_int_equal(device_stage(scratch.device, LAYER_REPLAY, sector, near, SECTOR_SIZE), 0);
	/* where the 64 KiB begin in which it lies, or in which one asks */
	assert_int_equal(device_next_data(scratch.device, 0, 1), MIB / 2);
	assert_int_equal(device_next_data(scratch.device, near, SECTOR_SIZE), near);
	assert_int_equal(device_next_data(scratch.device, MIB / 2 + (64u << 10), 1), far);
	assert_int_equal(device_next_data(scratch.device, far + (64u << 10), 1), MIB);
	/* more groups than there are to ask about */
	for (uint64_t at = 0; at < MIB / 4; at += 64u << 10)
		assert_int_equal(device_stage(scratch.device, LAYER_MEND, sector, at, SECTOR_SIZE), 0);
	assert_int_equal(device_next_data(scratch.device, MIB / 4, 1), MIB / 2);
	assert_int_equal(device_next_data(scratch.device, MIB / 4 - SECTOR_SIZE, 1), MIB / 4 - SECTOR_SIZE);
	scratch_close(&scratch);
}

static void assert_described(const char *expected, size_t offset, const char *bytes, size_t len, const char *want)
{
	struct scratch scratch;
	struct device_contents contents;

	scratch_open(&scratch, ENGINE_AUTO, MIB);
	assert_int_equal(pwrite(scratch.fd, bytes, len, offset), len);
	device_describe(scratch.device, expected, &contents);
	assert_string_equal(contents.what, want);
	scratch_close(&scratch);
}

static void what_lies_there_instead_of_xfs_is_named(void **state)
{
	/* one partition of type 0x83, 16 sectors from sector 1 on */
	static const char mbr[66] = { [4] = (char)0x83, [8] = 1, [12] = 16, [64] = 0x55, [65] = (char)0xaa };

	(void)state;
	assert_described("xfs", 0, "LUKS\xba\xbe\0\1", 8, "looks like crypto_LUKS");
	assert_described("xfs", 446, mbr, sizeof(mbr), "looks like dos partition table");
	assert_described("xfs", 0, "nothing", 7, "");
	assert_described("xfs", 0, "XFSB", 4, "");
	assert_described("xfs_external_log", 0, "LUKS\xba\xbe\0\1", 8, "looks like crypto_LUKS");
}

/* Makes the kernel refuse io_uring to this process from now on. */
static bool refuse_uring(int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* 0: as it should be; 1: not; 2: no seccomp here */
static int open_without_uring(const char *path, int error)
{
	struct device_options options = { .engine = ENGINE_URING };
	struct device *device;
	char message[256];

	if (!refuse_uring(error))
		return 2;
	if (device_open(path, &options, &device, message, sizeof(message)) != -error || !strstr(message, "io_uring"))
		return 1;
	options.engine = ENGINE_AUTO;
	if (device_open(path, &options, &device, message, sizeof(message)) || device_uses_uring(device))
		return 1;
	device_close(device);
	return 0;
}

static void threads_are_chosen_where_io_uring_is_refused(void **state)
{
	static const int errors[] = { EPERM, ENOSYS, ENOMEM };
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, MIB);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		int status = 0;
		pid_t child = fork();

		if (child == 0)
			_exit(open_without_uring(scratch.path, errors[i]));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 2)
			print_message("no seccomp: not tested\n");
		else
			assert_int_equal(WEXITSTATUS(status), 0);
	}
	scratch_close(&scratch);
}

static void use_large_sectors(const char *path)
{
	const struct device_options options = { .engine = ENGINE_AUTO };
	struct device *device;
	char node[32], message[512];
	uint8_t buf[5000];
	int loop = attach_loop(path, 4096, node, sizeof(node));

	MUST(device_open(node, &options, &device, message, sizeof(message)) == 0);
	MUST(device_align(device) == 4096);
	MUST(device_bytes(device) == 320 * MIB);
	MUST(device_read(device, buf, MIB / 2 - 3000, sizeof(buf)) == 0);
	MUST(scratch_differences(buf, MIB / 2 - 3000, sizeof(buf)) == 0);
	MUST(device_read(device, buf, 320 * MIB - 1000, sizeof(buf)) == -ENODATA);
	device_close(device);
	close(loop);
}

static void use_ramfs(const char *path)
{
	const struct device_options options = { .engine = ENGINE_AUTO };
	struct scratch scratch;
	struct device *device;
	char message[512];
	uint8_t buf[5000];

	(void)path;
	NEEDS(mount("none", "/mnt", "ramfs", 0, NULL) == 0);
	scratch_file(&scratch, "/mnt", MIB);
	NEEDS(open(scratch.path, O_RDONLY | O_DIRECT | O_CLOEXEC) < 0);
	MUST(device_open(scratch.path, &options, &device, message, sizeof(message)) == 0);
	MUST(device_read(device, buf, 1000, sizeof(buf)) == 0);
	MUST(scratch_differences(buf, 1000, sizeof(buf)) == 0);
	device_close(device);
}

static void a_device_with_large_sectors_is_read_in_them(void **state)
{
	(void)state;
	assert_privileged(use_large_sectors);
}

static void a_file_system_without_direct_reads_is_read_buffered(void **state)
{
	(void)state;
	assert_privileged(use_ramfs);
}

static void a_file_that_was_cut_off_or_grew_is_noticed(void **state)
{
	struct scratch scratch;
	char message[512];

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, MIB);
	assert_false(device_resized(scratch.device, message, sizeof(message)));
	assert_int_equal(truncate(scratch.path, MIB - 1), 0);
	assert_true(device_resized(scratch.device, message, sizeof(message)));
	assert_non_null(strstr(message, "1048575"));
	assert_int_equal(truncate(scratch.path, MIB + 1), 0);
	assert_true(device_resized(scratch.device, message, sizeof(message)));
	assert_int_equal(truncate(scratch.path, MIB), 0);
	assert_false(device_resized(scratch.device, message, sizeof(message)));
	scratch_close(&scratch);
}

static void names_of_one_file_are_the_same_even_before_it_exists(void **state)
{
	char folder[] = "/tmp/test_device.XXXXXX", one[64], two[64], other[64];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(one, sizeof(one), "%s/one", folder);
	snprintf(two, sizeof(two), "%s/./one", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	assert_true(device_same_path(one, two));
	assert_false(device_same_path(one, other));
	assert_false(device_same_path("/nonexistent/a", "/nowhere/a"));
	assert_true(close(open(one, O_CREAT | O_WRONLY, 0600)) == 0);
	assert_true(device_same_path(one, two));
	assert_false(device_same_path(one, other));
	assert_int_equal(link(one, other), 0);
	assert_true(device_same_path(one, other));
	unlink(one);
	unlink(other);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_device_is_refused_by_name),
		cmocka_unit_test(an_empty_file_is_refused),
		cmocka_unit_test(the_descriptor_is_read_only),
		cmocka_unit_test(holes_of_a_file_are_passed_over),
		cmocka_unit_test(data_below_ends_at_the_next_hole),
		cmocka_unit_test(what_is_staged_in_a_hole_is_not_passed_over),
		cmocka_unit_test(what_lies_there_instead_of_xfs_is_named),
		cmocka_unit_test(threads_are_chosen_where_io_uring_is_refused),
		cmocka_unit_test(a_file_that_was_cut_off_or_grew_is_noticed),
		cmocka_unit_test(names_of_one_file_are_the_same_even_before_it_exists),
		cmocka_unit_test(a_device_with_large_sectors_is_read_in_them),
		cmocka_unit_test(a_file_system_without_direct_reads_is_read_buffered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
