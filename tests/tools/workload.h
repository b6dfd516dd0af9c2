/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the tools that fill a mounted file system. */
#ifndef TOOLS_WORKLOAD_H
#define TOOLS_WORKLOAD_H

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#define BLOCK	 4096
#define NAME_LEN 256

/* A pseudo-random number below n: the same sequence for the same seed, which must not be 0. */
static inline unsigned below(uint64_t *seed, unsigned n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)((*seed >> 16) % n);
}

/* The seed of such a sequence, from a tool's argument. */
static inline uint64_t seed_of(const char *text)
{
	return strtoull(text, NULL, 10) * 0x9e3779b97f4a7c15 + 1;
}

/* Ends the program unless result is fine or the file system just lacks a feature. */
static inline int need(int result, const char *what)
{
	if (result < 0 && errno != EOPNOTSUPP && errno != EINVAL && errno != ENOTTY && errno != EPERM)
		err(1, "%s", what);
	return result;
}

static inline int create(const char *path)
{
	int fd = open(path, O_CREAT | O_RDWR | O_NOFOLLOW, 0644);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

#endif
