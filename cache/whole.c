/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Complete reads and writes: a system call may do only a part, or nothing if a signal comes. Temporary files. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "whole.h"

/* Temporary files go to a disk, since /tmp is often in memory. */

#define DEFAULT_FOLDER "/var/tmp"

static const char *choose_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : DEFAULT_FOLDER;
}

static int open_unnamed(const char *folder)
{
	return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
}

const char *temporary_folder(bool *ret_unnamed)
{
	const char *folder = choose_folder();
	const int fd = open_unnamed(folder);

	*ret_unnamed = fd >= 0;
	if (fd >= 0)
		close(fd);
	return folder;
}

int temporary_open(void)
{
	const char *folder = choose_folder();
	char path[4096];
	int fd = open_unnamed(folder);

	if (fd >= 0)
		return fd;
	/* for file systems without O_TMPFILE */
	if (snprintf(path, sizeof(path), "%s/xfsck-XXXXXX", folder) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

uint64_t temporary_room(int fd)
{
	struct statvfs fs;

	return fstatvfs(fd, &fs) ? UINT64_MAX : (uint64_t)fs.f_bavail * fs.f_frsize;
}

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
