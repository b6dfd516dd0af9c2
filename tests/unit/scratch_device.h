/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of known contents (scratch_byte()), opened as a device, for the tests of cache/. */
#ifndef XFSCK_TESTS_SCRATCH_DEVICE_H
#define XFSCK_TESTS_SCRATCH_DEVICE_H

#include <fcntl.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cache.h"

struct scratch {
	char path[64];
	int fd; /* keeps the file alive, which scratch_open() unlinks */
	uint64_t bytes;
	struct device *device;
};

/* The byte at this offset of the file; never zero, and neighbouring sectors differ. */
static inline uint8_t scratch_byte(uint64_t offset)
{
	return ((offset / 8 + 1) * UINT64_C(0x9e3779b97f4a7c15)) >> (8 * (offset % 8)) | 1;
}

/* Makes the file in this folder; it keeps its name and is not opened as a device. */
static inline void scratch_file(struct scratch *scratch, const char *folder, uint64_t bytes)
{
	uint8_t *contents = malloc(bytes);

	for (uint64_t i = 0; i < bytes; i++)
		contents[i] = scratch_byte(i);
	snprintf(scratch->path, sizeof(scratch->path), "%s/xfsck-test-XXXXXX", folder);
	scratch->fd = mkstemp(scratch->path);
	assert_true(scratch->fd >= 0);
	assert_int_equal(write(scratch->fd, contents, bytes), bytes);
	free(contents);
	scratch->bytes = bytes;
	scratch->device = NULL;
}

static inline void scratch_open(struct scratch *scratch, enum device_engine engine, uint64_t bytes)
{
	const struct device_options options = { .engine = engine };
	char message[256] = "";

	scratch_file(scratch, "/tmp", bytes);
	assert_int_equal(unlink(scratch->path), 0);
	snprintf(scratch->path, sizeof(scratch->path), "/proc/self/fd/%d", scratch->fd);
	if (device_open(scratch->path, &options, &scratch->device, message, sizeof(message)))
		fail_msg("%s", message);
}

static inline void scratch_close(struct scratch *scratch)
{
	device_close(scratch->device);
	assert_int_equal(close(scratch->fd), 0);
}

/* Returns how many of the len bytes at buf differ from those of the file at offset. */
static inline size_t scratch_differences(const uint8_t *buf, uint64_t offset, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += buf[i] != scratch_byte(offset + i);
	return n;
}

/* True if all bytes are zero, which the file has nowhere: they could not be read. */
static inline bool scratch_all_zero(const uint8_t *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (buf[i])
			return false;
	return true;
}

#endif
