/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks whether a device or image is in use. A mounted file system changes during the check, so it is refused; one
 * mounted read-only may be read if the user allows it. An image file or a device is in use if a loop device on it is.
 * Swap, RAID, LVM and mounts in other namespaces hold a device exclusively, so that opening it with O_EXCL fails. Other
 * runs of this program lock what cannot be opened that way.
 */
#define _GNU_SOURCE 1

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "source.h"
#include "origin.h"

enum mounted {
	NOT_MOUNTED,
	MOUNTED_READONLY,
	MOUNTED_WRITABLE,
};

/*
 * True if a file system is read-only by its own options. Those of a mount don't count, since another mount of the same
 * file system may be writable.
 */
static bool is_readonly(struct libmnt_fs *fs)
{
	const char *options = mnt_fs_get_fs_options(fs);

	return options && mnt_optstr_get_option(options, "ro", NULL, NULL) == 0;
}

static enum mounted find_mount(dev_t devno, char *where, size_t size)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_fs *fs = NULL;
	enum mounted mounted = NOT_MOUNTED;

	if (table && mnt_table_parse_file(table, "/proc/self/mountinfo") == 0)
		fs = mnt_table_find_devno(table, devno, MNT_ITER_BACKWARD);
	if (fs) {
		mounted = is_readonly(fs) ? MOUNTED_READONLY : MOUNTED_WRITABLE;
		snprintf(where, size, "%s", mnt_fs_get_target(fs));
	}
	mnt_unref_table(table);
	return mounted;
}

/* Checks whether a block device is mounted. 0, or -EBUSY with a sentence in message that begins with `subject`. */
static int check_mount(const char *subject, dev_t devno, bool allow_readonly_mounted, enum mounted *ret_mounted,
		       char *message, size_t size)
{
	char where[256];
	enum mounted mounted = find_mount(devno, where, sizeof(where));

	if (mounted == MOUNTED_WRITABLE) {
		snprintf(message, size, "%s is mounted on %s: unmount it first", subject, where);
		return -EBUSY;
	}
	if (mounted == MOUNTED_READONLY && !allow_readonly_mounted) {
		snprintf(message, size, "%s is mounted read-only on %s: unmount it first, or use -d", subject, where);
		return -EBUSY;
	}
	*ret_mounted = mounted;
	return 0;
}

static int cannot_tell(const char *path, int error, char *message, size_t size)
{
	snprintf(message, size, "cannot find out whether %s is in use: %s", path, strerror(error));
	return -error;
}

/*
 * True for temporary shortages, after which "not in use" would be a guess. After other errors the state cannot be
 * known, and the device counts as unused.
 */
static bool is_shortage(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE;
}

/*
 * True if the loop device `node` is on this file or device, by device and inode number, even if that was renamed.
 * Without permission to open loop devices, compares the name `backing`.
 */
static bool lies_on(const char *node, const char *backing, const struct stat *st)
{
	const struct origin itself = origin_itself(st);
	struct origin below;
	struct stat at;

	if (!origin_below(node, &below)) {
		if (stat(backing, &at))
			return false;
		below = origin_itself(&at);
	}
	return origin_shared(&below, &itself);
}

/* A file or device to check. */
struct subject {
	const char *words; /* beginning of messages */
	const struct stat *st;
	unsigned depth; /* loop devices between it and the one named by the user */
};

static int check_loops(const struct subject *subject, bool allow_readonly_mounted, char *message, size_t size);

/*
 * If this loop device is on `below`, checks whether it, or a loop device on it, is in use. 0, or a negative errno with
 * a sentence in message.
 */
static int check_loop(const char *name, const struct subject *below, bool allow_readonly_mounted, char *message,
		      size_t size)
{
	char attribute[300], backing[4096] = "", node[280], words[4096 + 300];
	struct stat st;
	const struct subject subject = { words, &st, below->depth + 1 };
	enum mounted mounted;
	FILE *file;
	int fd, ret;

	snprintf(attribute, sizeof(attribute), "/sys/block/%s/loop/backing_file", name);
	file = fopen(attribute, "re");
	if (!file)
		return is_shortage(errno) ? cannot_tell(below->words, errno, message, size) : 0;
	if (!fgets(backing, sizeof(backing), file))
		backing[0] = '\0';
	fclose(file);
	backing[strcspn(backing, "\n")] = '\0';
	snprintf(node, sizeof(node), "/dev/%s", name);
	if (!lies_on(node, backing, below->st) || stat(node, &st))
		return 0;

	snprintf(words, sizeof(words), "%s lies behind %s, which", below->words, node);
	ret = check_mount(words, st.st_rdev, allow_readonly_mounted, &mounted, message, size);
	if (!ret)
		ret = check_loops(&subject, allow_readonly_mounted, message, size);
	if (ret || mounted != NOT_MOUNTED)
		return ret;
	fd = open(node, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno != EBUSY)
		return 0; /* no permission to open it, so nothing more can be found out */
	snprintf(message, size, "%s is in use", words);
	return -EBUSY;
}

/* Checks all loop devices. Not by glob(), which in glibc frees memory twice if memory is short. */
static int check_loops(const struct subject *subject, bool allow_readonly_mounted, char *message, size_t size)
{
	DIR *devices = subject->depth < LOOPS_DEEP ? opendir("/sys/block") : NULL;
	const struct dirent *entry;
	int ret = 0;

	if (subject->depth == LOOPS_DEEP)
		return 0;
	if (!devices)
		return is_shortage(errno) ? cannot_tell(subject->words, errno, message, size) : 0;
	while (!ret && (entry = readdir(devices)))
		if (!strncmp(entry->d_name, "loop", 4))
			ret = check_loop(entry->d_name, subject, allow_readonly_mounted, message, size);
	closedir(devices);
	return ret;
}

int in_use_check(const char *path, const struct stat *st, bool allow_readonly_mounted, bool *ret_exclusive,
		 char *message, size_t size)
{
	enum mounted mounted = NOT_MOUNTED;
	const bool block = S_ISBLK(st->st_mode);
	int ret = 0;

	if (block)
		ret = check_mount(path, st->st_rdev, allow_readonly_mounted, &mounted, message, size);
	if (!ret)
		ret = check_loops(&(struct subject){ path, st, 0 }, allow_readonly_mounted, message, size);
	if (!ret)
		*ret_exclusive = block && mounted == NOT_MOUNTED;
	return ret;
}

int in_use_lock(int fd, bool alone)
{
	return flock(fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) && errno == EWOULDBLOCK ? -EBUSY : 0;
}

int in_use_lock_part(int fd, uint64_t base, uint64_t bytes, bool alone, int *ret_lock_fd)
{
	struct flock part = {
		.l_type = alone ? F_WRLCK : F_RDLCK,
		.l_whence = SEEK_SET,
		.l_start = (off_t)base,
		.l_len = (off_t)bytes,
	};
	char name[40];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	*ret_lock_fd = alone ? open(name, O_RDWR | O_CLOEXEC) : -1;
	/* without write permission it won't be written */
	if (alone && *ret_lock_fd < 0)
		return 0;
	return fcntl(alone ? *ret_lock_fd : fd, F_OFD_SETLK, &part) && (errno == EAGAIN || errno == EACCES) ? -EBUSY
													    : 0;
}
