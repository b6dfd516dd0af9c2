/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a device or image, and finds out its size, the alignment of direct reads, the kind of medium, and whether
 * io_uring may be used.  Nobody else may be using it (in_use.c).  The descriptor is read-only, and exclusive for a
 * block device, so that nobody can mount it during the check.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "device.h"
#include "direct.h"
#include "engine.h"
#include "in_use.h"
#include "kept.h"
#include "medium.h"
#include "origin.h"
#include "overlay.h"
#include "unreadable.h"

#define BUSY_TRIES 20u
#define BUSY_WAIT  50000000L /* nanoseconds */

/* Wait before another try to open or lock what is busy: after a program has ended, io_uring may hold it a bit longer.
 */
static bool try_again(unsigned *tries)
{
	const struct timespec wait = { .tv_nsec = BUSY_WAIT };

	if (++*tries > BUSY_TRIES)
		return false;
	nanosleep(&wait, NULL);
	return true;
}

static int open_free(const char *path, int flags)
{
	unsigned tries = 0;
	int fd;

	do
		fd = open(path, flags);
	while (fd < 0 && errno == EBUSY && try_again(&tries));
	return fd;
}

/* Open the file that st describes, with O_DIRECT if its file system supports that. A descriptor or negative errno. */
static int open_same(const char *path, const struct stat *st, bool exclusive)
{
	int flags = O_RDONLY | O_CLOEXEC | (exclusive ? O_EXCL : 0);
	struct stat opened;
	int fd = open_free(path, flags | O_DIRECT);

	if (fd < 0 && errno == EINVAL)
		fd = open(path, flags);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &opened) || opened.st_mode != st->st_mode || opened.st_dev != st->st_dev ||
	    opened.st_ino != st->st_ino || opened.st_rdev != st->st_rdev) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

/* The size of an open file or block device, in bytes. 0 or negative errno. */
static int size_of(int fd, bool file, uint64_t *ret_bytes)
{
	struct stat st;

	if (file ? fstat(fd, &st) : ioctl(fd, BLKGETSIZE64, ret_bytes))
		return -errno;
	if (file)
		*ret_bytes = (uint64_t)st.st_size;
	return 0;
}

/* Lock what is open, unless O_EXCL has done so.  A descriptor, or -EBUSY after it was closed. */
static int lock(int fd, bool exclusive, bool alone)
{
	unsigned tries = 0;
	int ret;

	if (fd < 0 || exclusive)
		return fd;
	do
		ret = in_use_lock(fd, alone);
	while (ret && try_again(&tries));
	if (ret)
		close(fd);
	return ret ? ret : fd;
}

static int open_unused(const char *path, const struct device_options *options, struct stat *st, bool *ret_mounted,
		       char *message, size_t size)
{
	bool exclusive;
	int ret;

	if (stat(path, st)) {
		ret = -errno;
	} else if (S_ISDIR(st->st_mode)) {
		snprintf(message, size,
			 "%s is a directory, neither a block device nor a regular file: findmnt -T %s tells on which "
			 "device it is",
			 path, path);
		return -ENOTBLK;
	} else if (!S_ISREG(st->st_mode) && !S_ISBLK(st->st_mode)) {
		snprintf(message, size, "%s is neither a block device nor a regular file", path);
		return -ENOTBLK;
	} else {
		ret = in_use_check(path, st, options->allow_readonly_mounted, &exclusive, message, size);
		if (ret)
			return ret;
		*ret_mounted = S_ISBLK(st->st_mode) && !exclusive;
		ret = lock(open_same(path, st, exclusive), exclusive, options->alone);
	}
	if (ret == -EBUSY)
		snprintf(message, size, "%s is in use by the kernel or another program", path);
	else if (ret < 0)
		snprintf(message, size, "cannot open %s: %s", path, strerror(-ret));
	return ret;
}

static int find_size(struct device *device, const struct stat *st)
{
	int sector, ret;

	device->align = device->sector = SECTOR_SIZE;
	device->file = S_ISREG(st->st_mode);
	ret = size_of(device->fd, device->file, &device->bytes);
	if (ret || device->file)
		return ret;
	if (ioctl(device->fd, BLKSSZGET, &sector))
		return -errno;
	if (sector < (int)SECTOR_SIZE || (sector & (sector - 1)))
		return -EINVAL;
	device->align = device->sector = sector;
	return 0;
}

static int choose_engine(struct device *device, enum device_engine engine)
{
	int ret;

	if (engine == ENGINE_THREADS)
		return 0;
	ret = ioq_uring_usable();
	device->uring = ret == 0;
	device->uring_required = engine == ENGINE_URING;
	return device->uring_required ? ret : 0;
}

static int prepare(struct device *device, const struct stat *st, const struct device_options *options, char *message,
		   size_t size)
{
	int ret = find_size(device, st);

	if (ret) {
		snprintf(message, size, "cannot get the size of %s: %s", device->path, strerror(-ret));
		return ret;
	}
	if (!device->bytes) {
		snprintf(message, size, "%s is empty", device->path);
		return -ENODATA;
	}
	device->align = direct_setup(device->fd, device->align, device->bytes);
	device->medium = options->medium == MEDIUM_UNKNOWN ? medium_find(st) : options->medium;
	ret = choose_engine(device, options->engine);
	if (ret) {
		snprintf(message, size, "cannot read %s through io_uring: %s", device->path, strerror(-ret));
		return ret;
	}
	device->buffers = buffers_create(device->align);
	device->unreadable = unreadable_create();
	device->overlay = overlay_create();
	device->kept = kept_create();
	device->below = kept_create();
	device->ahead = kept_create();
	if (!device->buffers || !device->unreadable || !device->overlay || !device->kept || !device->below ||
	    !device->ahead) {
		snprintf(message, size, "cannot open %s: %s", device->path, strerror(ENOMEM));
		return -ENOMEM;
	}
	return 0;
}

int device_open(const char *path, const struct device_options *options, struct device **ret_device, char *message,
		size_t size)
{
	struct device *device = calloc(1, sizeof(*device));
	struct stat st;
	int ret;

	if (device) {
		device->path = strdup(path);
		device->may_be_mounted = options->allow_readonly_mounted;
		device->write_fd = -1;
		pthread_mutex_init(&device->failed_lock, NULL);
	}
	if (!device || !device->path) {
		snprintf(message, size, "cannot open %s: %s", path, strerror(ENOMEM));
		free(device);
		return -ENOMEM;
	}
	ret = device->fd = open_unused(path, options, &st, &device->mounted, message, size);
	if (ret >= 0)
		ret = prepare(device, &st, options, message, size);
	if (ret) {
		device_close(device);
		return ret;
	}
	*ret_device = device;
	return 0;
}

void device_close(struct device *device)
{
	if (!device)
		return;
	if (device->write_fd >= 0)
		close(device->write_fd);
	if (device->fd >= 0)
		close(device->fd);
	buffers_destroy(device->buffers);
	unreadable_destroy(device->unreadable);
	overlay_destroy(device->overlay);
	kept_destroy(device->kept);
	kept_destroy(device->below);
	kept_destroy(device->ahead);
	pthread_mutex_destroy(&device->failed_lock);
	free(device->path);
	free(device);
}

const char *device_path(const struct device *device)
{
	return device->path;
}

bool device_is_file(const struct device *device)
{
	return device->file;
}

bool device_is_at(const struct device *device, const char *path)
{
	struct origin mine, other;
	struct stat st;

	if (fstat(device->fd, &st))
		return false;
	mine = origin_find(&st);
	if (stat(path, &st))
		return false;
	other = origin_find(&st);
	return origin_shared(&mine, &other) && mine.offset == other.offset;
}

/* The folder in which a file of this name would be created.  False: it does not exist. */
static bool find_folder(const char *path, struct stat *ret_st)
{
	char *copy = strdup(path);
	const bool found = copy && stat(dirname(copy), ret_st) == 0;

	free(copy);
	return found;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool device_same_path(const char *path, const char *other)
{
	struct stat one, two;
	struct origin a, b;

	if (stat(path, &one) == 0 && stat(other, &two) == 0) {
		a = origin_find(&one);
		b = origin_find(&two);
		return origin_shared(&a, &b);
	}
	return access(path, F_OK) && access(other, F_OK) && strcmp(last_part(path), last_part(other)) == 0 &&
	       find_folder(path, &one) && find_folder(other, &two) && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

bool device_same_file(int fd, const char *path)
{
	struct stat one, two;
	struct origin a, b;

	if (fstat(fd, &one) || stat(path, &two))
		return false;
	a = origin_find(&one);
	b = origin_find(&two);
	return origin_shared(&a, &b);
}

bool device_mounted(const struct device *device)
{
	return device->mounted;
}

uint64_t device_bytes(const struct device *device)
{
	return device->bytes;
}

bool device_resized(const struct device *device, char *message, size_t size)
{
	uint64_t now = 0;

	if (size_of(device->fd, device->file, &now) || now == device->bytes)
		return false;
	snprintf(message, size, "%s had %llu bytes at first, and has %llu now, so somebody else works on it",
		 device->path, (unsigned long long)device->bytes, (unsigned long long)now);
	return true;
}

uint32_t device_align(const struct device *device)
{
	return device->align;
}

uint32_t device_sector(const struct device *device)
{
	return device->sector;
}

enum device_medium device_medium(const struct device *device)
{
	return device->medium;
}

bool device_uses_uring(const struct device *device)
{
	return device->uring;
}

uint64_t device_next_data(const struct device *device, uint64_t offset, uint32_t unit)
{
	const off_t found = device->file ? lseek(device->fd, (off_t)offset, SEEK_DATA) : (off_t)offset;
	uint64_t data = (uint64_t)found;

	if (found < 0)
		data = errno == ENXIO ? device->bytes : offset; /* other errors: the file system can't tell */
	if (data > offset && overlay_any(device->overlay))
		data = overlay_next(device->overlay, offset, data);
	return data < device->bytes ? data - data % unit : data;
}

void device_counts(const struct device *device, struct device_counts *ret_counts)
{
	*ret_counts = (struct device_counts){
		.requests = atomic_load_explicit(&device->requests, memory_order_relaxed),
		.bytes = atomic_load_explicit(&device->bytes_read, memory_order_relaxed),
		.backward = atomic_load_explicit(&device->backward, memory_order_relaxed),
		.errors = atomic_load_explicit(&device->errors, memory_order_relaxed),
		.kept = atomic_load_explicit(&device->bytes_kept, memory_order_relaxed),
		.arrived = atomic_load_explicit(&device->arrived, memory_order_relaxed),
		.at = atomic_load_explicit(&device->at, memory_order_relaxed),
		.compared = atomic_load_explicit(&device->compared, memory_order_relaxed),
	};
}
