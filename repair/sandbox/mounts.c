/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls the kernel by number, since older C libraries lack these functions. */
#define _GNU_SOURCE 1

#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* the kernel's interface: these numbers are the same on all architectures */
#define OPEN_TREE	428
#define MOUNT_SETATTR	442
#define TREE_CLONE	1u
#define TREE_CLOEXEC	((unsigned)O_CLOEXEC)
#define RECURSIVE	0x8000u
#define ATTR_RDONLY	UINT64_C(1)
#define ATTR_NOSUID	UINT64_C(2)
#define ATTR_NODEV	UINT64_C(4)
#define ATTR_NOEXEC	UINT64_C(8)
#define WITHOUT_DEVICES (ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC)

struct attr {
	uint64_t set, clear, propagation, userns_fd;
};

static int set_attr(int dir, const char *path, unsigned flags, uint64_t set, uint64_t clear)
{
	struct attr attr = { .set = set, .clear = clear };

	return syscall(MOUNT_SETATTR, dir, path, flags, &attr, sizeof(attr)) ? -errno : 0;
}

static bool is_same(int one, int other)
{
	struct stat a, b;

	return !fstat(one, &a) && !fstat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Makes a detached mount of the directory. *ret_folder: the directory, opened through it. 0 or negative errno. */
static int mount_folder(const char *path, int folder, int *ret_folder, int *ret_mount)
{
	const int mount = (int)syscall(OPEN_TREE, AT_FDCWD, path, TREE_CLONE | TREE_CLOEXEC | RECURSIVE);
	int ret = mount < 0 ? -errno : set_attr(mount, "", AT_EMPTY_PATH | RECURSIVE, WITHOUT_DEVICES, 0);
	int fd = -1;

	if (!ret) {
		fd = openat(mount, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		/* the path may lead to another directory by now */
		ret = fd < 0 ? -errno : is_same(fd, folder) ? 0 : -ESTALE;
	}
	if (!ret) {
		*ret_folder = fd;
		*ret_mount = mount;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	if (mount >= 0)
		close(mount);
	return ret;
}

/* True if a path is the directory or below it. */
static bool is_below(const char *path, const char *folder)
{
	const size_t length = strcmp(folder, "/") ? strlen(folder) : 0;

	return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

/* True if a run may still open something on this mount, or if the mount keeps no device busy. */
static bool is_kept(struct libmnt_fs *fs, const char *temporary)
{
	static const char *const types[] = { "proc", "sysfs", "devtmpfs", "devpts", "tmpfs" };
	const char *type = mnt_fs_get_fstype(fs), *target = mnt_fs_get_target(fs);

	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(type, types[i]))
			return true;
	return !target || is_below(temporary, target);
}

/*
 * Detaches, in our namespace, all mounts that the run does not need. Otherwise a device that is unmounted elsewhere
 * would stay busy as long as we run: unmounts only propagate to us from shared mounts. Ignores errors.
 */
static void let_others_go(const char *temporary)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_BACKWARD);
	struct libmnt_fs *fs;
	char *whole = realpath(temporary, NULL);

	if (table && iter && whole && !mnt_table_parse_file(table, "/proc/self/mountinfo"))
		while (!mnt_table_next_fs(table, iter, &fs))
			if (!is_kept(fs, whole))
				umount2(mnt_fs_get_target(fs), MNT_DETACH | UMOUNT_NOFOLLOW);
	free(whole);
	mnt_free_iter(iter);
	mnt_unref_table(table);
}

int sandbox_mounts(const char *path, int *folder, const char *temporary, int *ret_mount)
{
	int ret = unshare(CLONE_NEWNS) ? -errno : 0, fd = -1, mount_fd = -1;

	/* mounts and unmounts here don't propagate to others */
	if (!ret && mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
		ret = -errno;
	if (!ret)
		ret = mount_folder(path, *folder, &fd, &mount_fd);
	if (ret)
		return ret;
	let_others_go(temporary);
	/* makes it a mount, which can have attributes of its own */
	if (mount(temporary, temporary, NULL, MS_BIND, NULL))
		ret = -errno;
	if (!ret)
		ret = set_attr(AT_FDCWD, "/", RECURSIVE, ATTR_RDONLY, 0);
	if (!ret)
		ret = set_attr(AT_FDCWD, temporary, 0, WITHOUT_DEVICES, ATTR_RDONLY);
	if (ret) {
		close(fd);
		close(mount_fd);
		return ret;
	}
	close(*folder);
	*folder = fd;
	*ret_mount = mount_fd;
	return 0;
}
