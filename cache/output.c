/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files for writing, component by component. Each component is opened without following links; a symbolic link is
 * followed only if its owner is trusted. Links below /proc, such as /dev/stdout, don't have a path as their text, so
 * the kernel follows them.
 */
#define _GNU_SOURCE 1

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MOST 40 /* the kernel's limit */
#define TRIES	   10 /* for a name that others keep creating and removing */

struct way {
	int at;		     /* the directory reached so far */
	char rest[PATH_MAX]; /* the rest of the path */
	unsigned links;
};

static bool is_trusted(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

static void step_to(struct way *way, int folder)
{
	close(way->at);
	way->at = folder;
}

/* Puts `path` in front of the rest, and restarts at the root if it is absolute. 0 or negative errno. */
static int turn_to(struct way *way, const char *path)
{
	char rest[PATH_MAX];
	int root;

	if (snprintf(rest, sizeof(rest), "%s%s%s", path, way->rest[0] ? "/" : "", way->rest) >= (int)sizeof(rest))
		return -ENAMETOOLONG;
	memcpy(way->rest, rest, strlen(rest) + 1);
	if (path[0] != '/')
		return 0;
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -errno;
	step_to(way, root);
	return 0;
}

/* Takes the first component off the rest. False: there is none, so the path names the directory itself. */
static bool take_name(struct way *way, char name[static NAME_MAX + 2])
{
	const char *from = way->rest + strspn(way->rest, "/");
	const size_t length = strcspn(from, "/");

	if (!length)
		return false;
	snprintf(name, NAME_MAX + 2, "%.*s", (int)length, from); /* if it is too long, opening it fails */
	from += length;
	memmove(way->rest, from, strlen(from) + 1);
	return true;
}

/* True if the link is in /proc, and its text need not be a path. */
static bool is_of_kernel(int link)
{
	struct statfs fs;

	return !fstatfs(link, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* Follows the link, unless another user owns it. 0 or negative errno. */
static int go_along(struct way *way, int fd, const struct stat *st)
{
	char target[PATH_MAX];
	ssize_t length;

	if (!is_trusted(st))
		return -EPERM;
	if (way->links++ == LINKS_MOST)
		return -ELOOP;
	length = readlinkat(fd, "", target, sizeof(target) - 1);
	if (length < 0)
		return -errno;
	target[length] = '\0';
	return turn_to(way, target);
}

/* True if only slashes are left. */
static bool is_last(const struct way *way)
{
	return way->rest[strspn(way->rest, "/")] == '\0';
}

/*
 * Resolves one component. 0: way->at is the directory reached, or the path continues from a link's target. 1: the last
 * component is in way->at, and missing or not a directory; *ret_follow: it is a link that the kernel may follow. Or
 * negative errno.
 */
static int step(struct way *way, const char *name, bool *ret_follow)
{
	int fd = openat(way->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), ret = 0;
	const bool last = is_last(way);
	struct stat st;

	*ret_follow = false;
	if (fd < 0)
		return errno == ENOENT && last && !way->rest[0] ? 1 : -errno;
	if (fstat(fd, &st)) {
		ret = -errno;
	} else if (S_ISLNK(st.st_mode) && !is_of_kernel(fd)) {
		ret = go_along(way, fd, &st);
	} else if (S_ISLNK(st.st_mode) && last) {
		*ret_follow = true;
		ret = 1;
	} else if (S_ISLNK(st.st_mode)) {
		close(fd);
		fd = openat(way->at, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		step_to(way, fd);
		return 0;
	} else if (S_ISDIR(st.st_mode)) {
		step_to(way, fd);
		return 0;
	} else {
		ret = last && !way->rest[0] ? 1 : -ENOTDIR;
	}
	close(fd);
	return ret;
}

static int set_out(struct way *way, const char *path)
{
	way->at = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	way->rest[0] = '\0';
	way->links = 0;
	if (way->at < 0)
		return -errno;
	return path[0] ? turn_to(way, path) : -ENOENT;
}

/* True if others can put files into a directory: they own it, or may write to it. */
static bool is_foreign(const struct stat *folder)
{
	return (folder->st_mode & S_IWOTH) || !is_trusted(folder);
}

/* Returns why a file in this directory must not be written; NULL: it may be. */
static const char *object(const struct stat *st, const struct stat *folder)
{
	if (S_ISBLK(st->st_mode))
		return "it is a block device";
	if (!is_foreign(folder) || !(S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode)))
		return NULL;
	if (st->st_uid != geteuid() && st->st_uid != folder->st_uid)
		return "it belongs to another user, in a folder that others can write to";
	if (st->st_nlink > 1)
		return "it has more than one name, in a folder that others can write to";
	return NULL;
}

/* Opens an existing file. Like output_open(); -ENOENT: it is gone. */
static int open_existing(int folder, const char *name, bool follow, output_refusal *refuse, const void *ctx,
			 const char **ret_why)
{
	const int flags = O_CLOEXEC | (follow ? 0 : O_NOFOLLOW);
	struct stat before, st, in;
	int look = openat(folder, name, O_PATH | flags), fd;

	if (look < 0)
		return -errno;
	if (fstat(look, &before) || fstat(folder, &in)) {
		close(look);
		return -errno;
	}
	close(look);
	/* before opening it, which may have side effects */
	*ret_why = follow && !S_ISBLK(before.st_mode) ? NULL : object(&before, &in);
	if (*ret_why)
		return -EINVAL;
	fd = openat(folder, name, O_WRONLY | O_NOCTTY | flags);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || st.st_dev != before.st_dev || st.st_ino != before.st_ino)
		*ret_why = "somebody has just put something else there";
	else
		*ret_why = refuse ? refuse(ctx, fd) : NULL;
	if (!*ret_why && S_ISREG(st.st_mode) && ftruncate(fd, 0))
		*ret_why = strerror(errno);
	if (!*ret_why)
		return fd;
	close(fd);
	return -EINVAL;
}

static int open_in(int folder, const char *name, bool follow, output_refusal *refuse, const void *ctx,
		   const char **ret_why)
{
	int fd = -EAGAIN;

	for (unsigned i = 0; i < TRIES && fd == -EAGAIN; i++) {
		fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return opened(fd);
		fd = open_existing(folder, name, follow, refuse, ctx, ret_why);
		if (fd == -ENOENT)
			fd = -EAGAIN;
	}
	return fd;
}

const char *output_words(int error)
{
	return error == -EPERM ? "a symbolic link on the way there belongs to another user" : strerror(-error);
}

int output_open(const char *path, output_refusal *refuse, const void *ctx, const char **ret_why)
{
	char name[NAME_MAX + 2];
	bool follow = false;
	struct way way;
	int ret = set_out(&way, path);

	*ret_why = NULL;
	while (!ret)
		ret = take_name(&way, name) ? step(&way, name, &follow) : -EISDIR;
	if (ret == 1)
		ret = open_in(way.at, name, follow, refuse, ctx, ret_why);
	if (way.at >= 0)
		close(way.at);
	if (ret < 0 && !*ret_why)
		*ret_why = output_words(ret);
	return ret;
}

int output_folder(const char *path)
{
	char name[NAME_MAX + 2];
	bool follow;
	struct way way;
	struct stat st;
	int ret = set_out(&way, path);

	while (!ret && take_name(&way, name))
		ret = step(&way, name, &follow);
	if (ret == 1 && fstatat(way.at, name, &st, AT_SYMLINK_NOFOLLOW))
		ret = -ENOENT;
	else if (ret == 1 && S_ISDIR(st.st_mode)) /* another run has created it meanwhile */
		ret = step(&way, name, &follow);
	if (ret == 1)
		ret = -ENOTDIR;
	if (!ret)
		ret = opened(openat(way.at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (way.at >= 0)
		close(way.at);
	return ret;
}

int output_folder_of(const char *path)
{
	const size_t length = (size_t)(path_name(path) - path);
	char folder[PATH_MAX];

	if (!length)
		return output_folder(".");
	if (length >= sizeof(folder))
		return -ENAMETOOLONG;
	memcpy(folder, path, length);
	folder[length] = '\0';
	return output_folder(folder);
}

int output_folder_make(const char *path, bool *ret_made)
{
	size_t length = strlen(path);
	char folder[PATH_MAX];
	int fd = output_folder(path), in;

	*ret_made = false;
	while (length > 1 && path[length - 1] == '/')
		length--;
	if (fd != -ENOENT || length >= sizeof(folder))
		return fd;
	memcpy(folder, path, length);
	folder[length] = '\0';
	in = output_folder_of(folder);
	if (in < 0)
		return in;
	*ret_made = !mkdirat(in, path_name(folder), 0700);
	/* another run may have created it meanwhile */
	fd = *ret_made || errno == EEXIST ? output_folder(folder) : -errno;
	close(in);
	return fd;
}
