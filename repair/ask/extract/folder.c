/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int folder_each(int dir, bool (*one)(void *ctx, const struct dirent *d), void *ctx)
{
	const int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *from = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;
	int ret;

	if (!from) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	do {
		errno = 0;
		d = readdir(from);
		ret = d ? 0 : -errno;
	} while (d && one(ctx, d));
	closedir(from);
	return ret;
}

struct clearing {
	int dir;
	const char *except;
	int error;
};

static bool clear_one(void *ctx, const struct dirent *d)
{
	struct clearing *c = ctx;

	if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 && strcmp(d->d_name, c->except) != 0 &&
	    unlinkat(c->dir, d->d_name, 0))
		c->error = -errno;
	return !c->error;
}

int folder_clear(int dir, const char *except)
{
	struct clearing c = { .dir = dir, .except = except };
	const int ret = folder_each(dir, clear_one, &c);

	return ret ? ret : c.error;
}
