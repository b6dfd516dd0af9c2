/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps shared by the workloads. */
#define _GNU_SOURCE
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dirty.h"

void path_in(char dir, const char *name, unsigned i, char path[NAME_LEN])
{
	snprintf(path, NAME_LEN, "%c/%s%u", dir, name, i);
}

void fill(char *buf, size_t len, uint64_t *seed)
{
	for (size_t i = 0; i + 4 <= len; i += 4) {
		uint32_t word = below(seed, UINT32_MAX);

		memcpy(buf + i, &word, 4);
	}
}

void write_random(int fd, off_t offset, size_t len, uint64_t *seed)
{
	char buf[16 * BLOCK];

	if (len > sizeof(buf))
		len = sizeof(buf);
	fill(buf, len, seed);
	if (pwrite(fd, buf, len, offset) != (ssize_t)len)
		err(1, "write");
}

void put(const char *path, size_t len, uint64_t *seed)
{
	int fd = create(path);

	write_random(fd, 0, len, seed);
	close(fd);
}

void force(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fsync(fd) < 0)
		err(1, "%s", path);
	close(fd);
}

void write_back(void)
{
	int fd = open(".", O_RDONLY);

	if (fd < 0 || syncfs(fd) < 0 || ioctl(fd, FIFREEZE, 0) < 0 || ioctl(fd, FITHAW, 0) < 0)
		err(1, "writing back");
	close(fd);
}

void clone_of(const char *from, const char *to)
{
	int in = open(from, O_RDONLY), out = create(to);

	if (in >= 0)
		need(ioctl(out, FICLONE, in), "clone");
	close(in);
	close(out);
}
