/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates files that get their name when they are complete. */
#define _GNU_SOURCE 1 /* O_TMPFILE */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "output.h"

int nameless_create(int folder, int flags)
{
	return opened(openat(folder, ".", O_TMPFILE | O_CLOEXEC | flags, 0600));
}

int nameless_link(int fd, int folder, const char *name)
{
	char self[40];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, folder, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

/* Creates the file in file->folder. 0 or negative errno. */
static int create(struct nameless *file, int flags)
{
	const char *name = path_name(file->path);

	if (!faccessat(file->folder, name, F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	file->fd = nameless_create(file->folder, flags);
	if (file->fd >= 0)
		return 0;
	/* for file systems without O_TMPFILE */
	file->fd = openat(file->folder, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	file->named = file->fd >= 0;
	return file->named ? 0 : -errno;
}

int nameless_open(struct nameless *file, const char *path, int flags)
{
	int ret;

	*file = (struct nameless){ .path = path, .folder = output_folder_of(path), .fd = -1 };
	if (file->folder < 0)
		return file->folder;
	ret = create(file, flags);
	if (ret) {
		file->fd = -1;
		close(file->folder);
	}
	return ret;
}

int nameless_finish(struct nameless *file)
{
	int ret = fsync(file->fd) ? -errno : 0;

	if (!ret && !file->named)
		ret = nameless_link(file->fd, file->folder, path_name(file->path));
	if (!ret)
		file->named = file->whole = true;
	return ret;
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
		unlinkat(file->folder, path_name(file->path), 0);
	if (file->folder >= 0)
		close(file->folder);
	return ret;
}
