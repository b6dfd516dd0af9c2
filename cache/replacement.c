/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces files: a new one is written beside the old one, flushed, and renamed, and then the folder is flushed. */
#define _GNU_SOURCE 1

#include "replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opened.h"
#include "output.h"
#include "path.h"

int replacement_begin(const char *path, struct replacement *ret, const char **ret_why)
{
	const char *name = path_name(path);
	int error = 0;

	*ret = (struct replacement){ .folder = -1 };
	if (!name[0] || !strcmp(name, ".") || !strcmp(name, ".."))
		error = -EISDIR;
	else if (snprintf(ret->fresh, sizeof(ret->fresh), ".%s.xfsck", name) >= (int)sizeof(ret->fresh))
		error = -ENAMETOOLONG;
	if (!error) {
		memcpy(ret->name, name, strlen(name) + 1);
		ret->folder = output_folder_of(path);
		error = ret->folder < 0 ? ret->folder : 0;
	}
	*ret_why = error ? output_words(error) : NULL;
	return error;
}

void replacement_end(struct replacement *r)
{
	if (r->folder >= 0)
		close(r->folder);
	r->folder = -1;
}

/* Why a file is not to be read as one of ours; NULL: it may be. */
static const char *refusal(const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return "it is no regular file";
	return st->st_uid == geteuid() || st->st_uid == 0 ? NULL : "it belongs to another user";
}

int replacement_open(const struct replacement *r, const char **ret_why)
{
	int fd = openat(r->folder, r->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	*ret_why = NULL;
	if (fd < 0) {
		const int error = -errno;

		*ret_why = error == -ELOOP ? "it is a symbolic link" : strerror(-error);
		return error;
	}
	*ret_why = fstat(fd, &st) ? strerror(errno) : refusal(&st);
	if (!*ret_why)
		return fd;
	close(fd);
	return -EINVAL;
}

/* Whether the new file's name is that of the file that fd is open for. */
static int is_ours(const struct replacement *r, int fd)
{
	struct stat st, named;

	return !fstat(fd, &st) && !fstatat(r->folder, r->fresh, &named, AT_SYMLINK_NOFOLLOW) &&
	       st.st_dev == named.st_dev && st.st_ino == named.st_ino;
}

int replacement_new(const struct replacement *r)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd = openat(r->folder, r->fresh, flags, 0600);

	if (fd < 0 && errno == EEXIST && !unlinkat(r->folder, r->fresh, 0))
		fd = openat(r->folder, r->fresh, flags, 0600);
	return opened(fd);
}

int replacement_settle(const struct replacement *r, int fd)
{
	int ret = fsync(fd) ? -errno : 0;

	if (!ret && !is_ours(r, fd))
		ret = -ESTALE; /* another run has begun to write there */
	if (!ret && renameat(r->folder, r->fresh, r->folder, r->name))
		ret = -errno;
	if (ret) {
		replacement_drop(r, fd);
		return ret;
	}
	close(fd);
	return fsync(r->folder) ? -errno : 0;
}

void replacement_drop(const struct replacement *r, int fd)
{
	if (is_ours(r, fd))
		unlinkat(r->folder, r->fresh, 0);
	close(fd);
}

void replacement_remove(const struct replacement *r)
{
	unlinkat(r->folder, r->name, 0);
	fsync(r->folder);
}
