/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes files that appear when they are whole. */
#define _GNU_SOURCE 1 /* O_TMPFILE */

#include "nameless.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *nameless_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

int nameless_open(struct nameless *file, const char *path, int flags)
{
	char *folder;

	*file = (struct nameless){ .path = path, .fd = -1 };
	if (!faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	folder = nameless_folder(path);
	if (!folder)
		return -ENOMEM;
	file->fd = open(folder, O_TMPFILE | O_CLOEXEC | flags, 0600);
	free(folder);
	if (file->fd >= 0)
		return 0;
	/* file systems that know no such files */
	file->fd = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	file->named = file->fd >= 0;
	return file->named ? 0 : -errno;
}

int nameless_finish(struct nameless *file)
{
	char self[64];

	if (fsync(file->fd))
		return -errno;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	if (!file->named && linkat(AT_FDCWD, self, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW))
		return -errno;
	file->named = file->whole = true;
	return 0;
}

int nameless_close(struct nameless *file)
{
	int ret = 0;

	if (file->fd < 0)
		return 0;
	if (close(file->fd))
		ret = -errno;
	file->fd = -1;
	if (file->named && (!file->whole || ret))
		unlink(file->path);
	return ret;
}
