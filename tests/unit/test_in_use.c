/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices and images that other programs use. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>
#include <sys/stat.h>

#include "privileged.h"

static int try_open(const char *path, bool allow_readonly_mounted, char *message, size_t size)
{
	const struct device_options options = { .allow_readonly_mounted = allow_readonly_mounted };
	struct device *device;
	int ret;

	memset(message, 0, size);
	ret = device_open(path, &options, &device, message, size);
	if (!ret)
		device_close(device);
	return ret;
}

static bool can_be_opened(const char *path, bool allow_readonly_mounted)
{
	char message[512];

	return try_open(path, allow_readonly_mounted, message, sizeof(message)) == 0;
}

/* Fails unless the device is refused, in a sentence with these words. */
static bool is_refused(const char *path, bool allow_readonly_mounted, const char *words)
{
	char message[512];

	return try_open(path, allow_readonly_mounted, message, sizeof(message)) == -EBUSY && strstr(message, path) &&
	       strstr(message, words);
}

static void make_file_system(const char *path)
{
	char command[128];

	snprintf(command, sizeof(command), "mkfs.xfs -q -f %s >/dev/null 2>&1", path);
	NEEDS(system(command) == 0);
}

static void use_mounts(const char *path)
{
	char node[32];
	int loop;

	make_file_system(path);
	loop = attach_loop(path, 512, node, sizeof(node));
	MUST(can_be_opened(node, false));
	MUST(can_be_opened(path, false));

	NEEDS(mount("none", "/mnt", "tmpfs", 0, NULL) == 0 && chdir("/mnt") == 0);
	MUST(mkdir("at", 0700) == 0);
	NEEDS(mount(node, "at", "xfs", 0, NULL) == 0);
	MUST(is_refused(node, false, "is mounted on"));
	MUST(is_refused(node, true, "is mounted on"));
	MUST(is_refused(path, true, "is mounted on"));

	/* one mount of it read-only does not keep the others from writing */
	MUST(mkdir("bind", 0700) == 0);
	MUST(mount("at", "bind", NULL, MS_BIND, NULL) == 0);
	MUST(mount(NULL, "bind", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL) == 0);
	MUST(is_refused(node, true, "is mounted on"));
	MUST(umount("bind") == 0);

	MUST(mount(NULL, "at", NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
	MUST(is_refused(node, false, "mounted read-only"));
	MUST(is_refused(path, false, "mounted read-only"));
	MUST(can_be_opened(node, true));
	MUST(can_be_opened(path, true));
	MUST(umount("at") == 0);
	MUST(can_be_opened(node, false));
	close(loop);
}

/* A loop device on a loop device, and an image whose name was removed since. */
static void use_stacked(const char *path)
{
	char node[32], upper[32], other[64];
	int loop, above;

	make_file_system(path);
	loop = attach_loop(path, 512, node, sizeof(node));
	above = attach_loop(node, 512, upper, sizeof(upper));
	MUST(can_be_opened(node, false));
	MUST(can_be_opened(path, false));

	snprintf(other, sizeof(other), "%s.other", path);
	MUST(link(path, other) == 0 && unlink(path) == 0);
	NEEDS(mount("none", "/mnt", "tmpfs", 0, NULL) == 0 && mkdir("/mnt/at", 0700) == 0);
	NEEDS(mount(upper, "/mnt/at", "xfs", 0, NULL) == 0);
	MUST(is_refused(upper, false, "is mounted on"));
	MUST(is_refused(node, false, "is mounted on"));
	MUST(is_refused(other, false, "is mounted on"));
	MUST(rename(other, path) == 0);
	MUST(mount(NULL, "/mnt/at", NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
	MUST(is_refused(node, false, "mounted read-only"));
	MUST(can_be_opened(path, true));
	MUST(umount("/mnt/at") == 0);
	MUST(can_be_opened(path, false));
	close(above);
	close(loop);
}

static void use_exclusively(const char *path)
{
	const struct device_options options = { .engine = ENGINE_THREADS };
	struct device *device;
	char node[32], message[512];
	int loop = attach_loop(path, 512, node, sizeof(node)), holder;

	holder = open(node, O_RDONLY | O_EXCL | O_CLOEXEC);
	MUST(holder >= 0);
	MUST(is_refused(node, false, "in use"));
	MUST(is_refused(node, true, "in use"));
	MUST(is_refused(path, false, "in use"));
	close(holder);

	MUST(device_open(node, &options, &device, message, sizeof(message)) == 0);
	MUST(open(node, O_RDONLY | O_EXCL | O_CLOEXEC) < 0 && errno == EBUSY); /* it can't be mounted while we check */
	device_close(device);
	close(loop);
}

static void what_is_mounted_is_refused_unless_read_only_and_allowed(void **state)
{
	(void)state;
	assert_privileged(use_mounts);
}

static void what_lies_below_what_is_mounted_is_refused(void **state)
{
	(void)state;
	assert_privileged(use_stacked);
}

static void what_others_hold_is_refused_and_what_we_hold_is_refused_to_them(void **state)
{
	(void)state;
	assert_privileged(use_exclusively);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_mounted_is_refused_unless_read_only_and_allowed),
		cmocka_unit_test(what_lies_below_what_is_mounted_is_refused),
		cmocka_unit_test(what_others_hold_is_refused_and_what_we_hold_is_refused_to_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
