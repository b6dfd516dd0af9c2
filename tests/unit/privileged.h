/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs tests that need root in a child process with its own mount namespace: mounts end with it, and loop devices
 * detach by themselves.
 */
#ifndef XFSCK_TESTS_PRIVILEGED_H
#define XFSCK_TESTS_PRIVILEGED_H

#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch_device.h"
#include "skip.h"

enum privileged_result {
	PRIVILEGED_PASSED,
	PRIVILEGED_FAILED,
	PRIVILEGED_SKIPPED, /* not root, or the kernel lacks something */
};

/* In the child: the test fails unless the condition is true, or, for what the machine may lack, is skipped. */
#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                        \
			_exit(PRIVILEGED_FAILED);                                                                      \
		}                                                                                                      \
	} while (0)
#define NEEDS(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			_exit(PRIVILEGED_SKIPPED);                                                                     \
	} while (0)

static inline enum privileged_result run_privileged(void (*body)(const char *path), const char *path)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		NEEDS(unshare(CLONE_NEWNS) == 0);
		NEEDS(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
		body(path);
		_exit(PRIVILEGED_PASSED);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return PRIVILEGED_FAILED;
	return WEXITSTATUS(status);
}

/* Runs body in a child, on a file of 320 MiB; the first MiB has the known contents, the rest is a hole. */
static inline void assert_privileged(void (*body)(const char *path))
{
	struct scratch scratch;
	enum privileged_result result;

	scratch_file(&scratch, "/tmp", 1 << 20);
	assert_int_equal(ftruncate(scratch.fd, 320 << 20), 0);
	assert_int_equal(close(scratch.fd), 0);
	result = run_privileged(body, scratch.path);
	assert_int_equal(unlink(scratch.path), 0);
	if (result == PRIVILEGED_SKIPPED)
		SKIP_BECAUSE("it needs root, loop devices and a mount namespace of its own");
	assert_int_equal(result, PRIVILEGED_PASSED);
}

/*
 * Attaches a loop device to a file; stores its name in node.  It is detached when the returned descriptor is closed and
 * it is no longer mounted.
 */
static inline int attach_loop(const char *path, unsigned sector_bytes, char *node, size_t size)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int image = open(path, O_RDWR | O_CLOEXEC);
	struct loop_config config = {
		.fd = image,
		.block_size = sector_bytes,
		.info.lo_flags = LO_FLAGS_AUTOCLEAR,
	};

	NEEDS(control >= 0 && image >= 0);
	for (unsigned tries = 0; tries < 16; tries++) {
		int fd;

		snprintf(node, size, "/dev/loop%d", ioctl(control, LOOP_CTL_GET_FREE));
		fd = open(node, O_RDWR | O_CLOEXEC);
		NEEDS(fd >= 0);
		if (ioctl(fd, LOOP_CONFIGURE, &config) == 0) {
			close(control);
			close(image);
			return fd;
		}
		close(fd); /* another process has taken this device */
	}
	_exit(PRIVILEGED_SKIPPED);
}

#endif
