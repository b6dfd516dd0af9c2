/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows loop devices down to their file or device, by numbers from the kernel, which don't depend on names. */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "origin.h"

struct origin origin_itself(const struct stat *st)
{
	const bool block = S_ISBLK(st->st_mode);

	return (struct origin){ block, block ? st->st_rdev : st->st_dev, block ? 0 : st->st_ino, 0 };
}

bool origin_below(const char *loop, struct origin *ret_origin)
{
	struct loop_info64 info;
	const int fd = open(loop, O_RDONLY | O_CLOEXEC);
	const bool known = fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0;

	if (fd >= 0)
		close(fd);
	if (known)
		*ret_origin = (struct origin){ info.lo_rdevice != 0, info.lo_rdevice ? info.lo_rdevice : info.lo_device,
					       info.lo_rdevice ? 0 : info.lo_inode, info.lo_offset };
	return known;
}

/* Finds the name of a loop device. False: not one; nor is a partition of one, which begins elsewhere. */
static bool find_loop(dev_t device, char *name, size_t size)
{
	char link[64], target[1024];
	const char *base;
	ssize_t length;

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(device), minor(device));
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = '\0';
	base = strrchr(target, '/');
	if (!base || strncmp(base, "/loop", 5) != 0 || strspn(base + 5, "0123456789") != strlen(base + 5))
		return false;
	return snprintf(name, size, "/dev%s", base) < (int)size;
}

struct origin origin_find(const struct stat *st)
{
	struct origin at = origin_itself(st), below;
	char name[64];

	for (unsigned depth = 0; depth < LOOPS_DEEP && at.block; depth++) {
		if (!find_loop(at.dev, name, sizeof(name)) || !origin_below(name, &below))
			break;
		below.offset += at.offset;
		at = below;
	}
	return at;
}

bool origin_shared(const struct origin *a, const struct origin *b)
{
	return a->block == b->block && a->dev == b->dev && a->ino == b->ino;
}
