/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An archive that was not finished is of no use, so it has no name until it is. */
#define _GNU_SOURCE 1 /* O_TMPFILE */

#include "tar_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Create a file without a name in the folder of a path. A descriptor or negative errno. */
static int open_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
	int fd;

	if (!folder)
		return -ENOMEM;
	fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(folder);
	return fd < 0 ? -errno : fd;
}

int tar_out_open(struct tar_out *out, const char *path)
{
	*out = (struct tar_out){ .path = path, .fd = -1 };
	if (!strcmp(path, "-")) {
		out->shown = true;
		out->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
		return out->fd < 0 ? -errno : 0;
	}
	if (!faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	out->fd = open_nameless(path);
	out->nameless = out->fd >= 0;
	if (!out->nameless) /* file systems that know no such files */
		out->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return out->fd < 0 ? -errno : 0;
}

int tar_out_close(struct tar_out *out, bool whole)
{
	char self[64];
	int ret = 0;

	if (out->fd < 0)
		return 0;
	if (whole && !out->shown && fsync(out->fd))
		ret = -errno;
	if (whole && !ret && out->nameless) {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", out->fd);
		if (linkat(AT_FDCWD, self, AT_FDCWD, out->path, AT_SYMLINK_FOLLOW))
			ret = -errno;
	}
	if (close(out->fd) && !ret)
		ret = -errno;
	out->fd = -1;
	if (!out->nameless && !out->shown && (!whole || ret))
		unlink(out->path);
	return ret;
}
