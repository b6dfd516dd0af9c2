/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call may do a part of what it is asked for, or nothing if a signal comes. */
#include "whole.h"

#include <errno.h>
#include <unistd.h>

int whole_write(int fd, uint64_t offset, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	while (len) {
		const ssize_t n = pwrite(fd, from, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		from += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

int whole_read(int fd, uint64_t offset, void *bytes, size_t len, int at_end)
{
	uint8_t *to = bytes;

	while (len) {
		const ssize_t n = pread(fd, to, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : at_end;
		to += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}
