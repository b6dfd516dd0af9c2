/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces files atomically: a new file is written beside the old one and flushed, takes over its name, and the
 * directory is flushed. Two files are written in turns and exchange their names. On file systems without O_TMPFILE each
 * new file is created, so the directory must stay writable.
 */
#define _GNU_SOURCE 1 /* RENAME_EXCHANGE */

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "output.h"

int replacement_begin(const char *path, struct replacement *ret, const char **ret_why)
{
	const char *name = path_name(path);
	int error = 0;

	*ret = (struct replacement){ .folder = -1, .files = { -1, -1 } };
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

/* True if the name of the new file still refers to the open file fd. */
static int is_ours(const struct replacement *r, int fd)
{
	struct stat st, named;

	return !fstat(fd, &st) && !fstatat(r->folder, r->fresh, &named, AT_SYMLINK_NOFOLLOW) &&
	       st.st_dev == named.st_dev && st.st_ino == named.st_ino;
}

void replacement_end(struct replacement *r)
{
	for (unsigned i = 0; i < REPLACEMENT_FILES; i++) {
		if (r->files[i] >= 0 && is_ours(r, r->files[i]))
			unlinkat(r->folder, r->fresh, 0);
		if (r->files[i] >= 0)
			close(r->files[i]);
		r->files[i] = -1;
	}
	if (r->folder >= 0)
		close(r->folder);
	r->folder = -1;
}

/* Returns why a file must not be read as one of ours; NULL: it may be. */
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

bool replacement_opens(const struct replacement *r)
{
	return r->files[0] < 0;
}

/* Creates a new file under its temporary name. */
static int make_fresh(const struct replacement *r)
{
	return opened(openat(r->folder, r->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

int replacement_prepare(struct replacement *r)
{
	int fd = make_fresh(r);

	if (fd == -EEXIST && !unlinkat(r->folder, r->fresh, 0))
		fd = make_fresh(r);
	if (fd < 0)
		return fd;
	replacement_drop(r, fd);
	for (unsigned i = 0; i < REPLACEMENT_FILES; i++)
		r->files[i] = nameless_create(r->folder, O_WRONLY);
	if (r->files[1] < 0 && r->files[0] >= 0)
		close(r->files[0]);
	if (r->files[1] < 0)
		r->files[0] = r->files[1] = -1;
	return 0;
}

int replacement_new(const struct replacement *r)
{
	const int fd = r->files[r->next];

	if (replacement_opens(r))
		return make_fresh(r);
	return ftruncate(fd, 0) ? -errno : fd;
}

/* Exchanges the names of two files. 0 or negative errno. */
static int exchange(const struct replacement *r)
{
	/* musl has no wrapper */
	return syscall(SYS_renameat2, r->folder, r->fresh, r->folder, r->name, RENAME_EXCHANGE) ? -errno : 0;
}

/* Gives the new file its final name; the previous file, if it is ours, gets the temporary one. 0 or negative errno. */
static int give_name(struct replacement *r, int fd)
{
	const bool first = !replacement_opens(r) && !r->named[r->next];
	int ret = first ? nameless_link(fd, r->folder, r->fresh) : 0;

	if (ret)
		return ret == -EEXIST ? -ESTALE : ret; /* another run has begun to write there */
	if (first)
		r->named[r->next] = true;
	if (!is_ours(r, fd))
		return -ESTALE;
	if (r->named[!r->next])
		return exchange(r);
	return renameat(r->folder, r->fresh, r->folder, r->name) ? -errno : 0;
}

int replacement_settle(struct replacement *r, int fd)
{
	int ret = fsync(fd) ? -errno : 0;

	if (!ret)
		ret = give_name(r, fd);
	if (ret) {
		replacement_drop(r, fd);
		return ret;
	}
	if (replacement_opens(r))
		close(fd);
	else
		r->next = !r->next;
	return fsync(r->folder) ? -errno : 0;
}

void replacement_drop(const struct replacement *r, int fd)
{
	if (!replacement_opens(r))
		return;
	if (is_ours(r, fd))
		unlinkat(r->folder, r->fresh, 0);
	close(fd);
}

void replacement_remove(const struct replacement *r)
{
	unlinkat(r->folder, r->name, 0);
	fsync(r->folder);
}
