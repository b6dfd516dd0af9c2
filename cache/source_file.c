/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device in a file or block device, or in a part of one: its size, alignment for direct reads, and medium. It must
 * not be in use (in_use.c). The descriptor is read-only, and exclusive for a block device, so that it cannot be mounted
 * during the check. The descriptor for writing is opened through the first one, so that it is the same device even if
 * the name has changed.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"
#include "device.h"
#include "output.h"
#include "partitions.h"
#include "source.h"

/*
 * Finds the medium, and so the cost of a seek: on a rotating disk that of reading a megabyte. sysfs knows it for real
 * disks. A loop device has the medium of its file. Virtual disks claim to rotate, whatever is below them.
 */

#define MAX_LOOPS 8 /* loop devices on top of each other */

/* Opens a sysfs attribute of a block device, or of the disk of a partition. */
static FILE *open_attribute(dev_t devno, const char *name)
{
	static const char *const parents[] = { "", "../" };
	char path[128];
	FILE *file = NULL;

	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]) && !file; i++) {
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s%s", major(devno), minor(devno), parents[i], name);
		file = fopen(path, "re");
	}
	return file;
}

/* Finds the device that holds the file of a loop device. False: not a loop device, or its file is gone. */
static bool loop_backing(dev_t devno, dev_t *ret_devno)
{
	FILE *file = open_attribute(devno, "loop/backing_file");
	char path[PATH_MAX];
	struct stat st;
	bool found;

	if (!file)
		return false;
	found = fgets(path, sizeof(path), file) != NULL;
	fclose(file);
	if (!found)
		return false;
	path[strcspn(path, "\n")] = '\0';
	if (stat(path, &st))
		return false;
	*ret_devno = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	return true;
}

static bool is_virtual(dev_t devno)
{
	static const char *const places[] = { "device/subsystem", "../device/subsystem" };
	char path[128], bus[PATH_MAX];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		ssize_t len;

		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s", major(devno), minor(devno), places[i]);
		len = readlink(path, bus, sizeof(bus) - 1);
		if (len <= 0)
			continue;
		bus[len] = '\0';
		return strstr(bus, "/bus/virtio") || strstr(bus, "/bus/xen");
	}
	return false;
}

/* Returns the medium of a block device, or of the device that holds a regular file. */
static enum device_medium medium_find(const struct stat *st)
{
	dev_t devno = S_ISBLK(st->st_mode) ? st->st_rdev : st->st_dev;
	FILE *file;
	int c;

	for (int i = 0; i < MAX_LOOPS && loop_backing(devno, &devno); i++)
		;
	file = open_attribute(devno, "queue/rotational");
	if (!file)
		return MEDIUM_UNKNOWN;
	c = fgetc(file);
	fclose(file);
	if (c == '0')
		return MEDIUM_FLASH;
	return is_virtual(devno) ? MEDIUM_UNKNOWN : MEDIUM_DISK;
}

#define PHYSICAL_MOST 65536u /* bytes; greater values mean something else */

#define BUSY_TRIES 60u
#define BUSY_WAIT  50000000L /* nanoseconds */

/* Waits before another try at a busy device: io_uring may hold it for a while after a program has ended. */
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

/* Opens the file of st, with O_DIRECT if its file system supports that. Returns a descriptor or negative errno. */
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

/* Gets the size of an open file or block device in bytes. 0 or negative errno. */
static int size_of(int fd, bool file, uint64_t *ret_bytes)
{
	struct stat st;

	if (file ? fstat(fd, &st) : ioctl(fd, BLKGETSIZE64, ret_bytes))
		return -errno;
	if (file)
		*ret_bytes = (uint64_t)st.st_size;
	return 0;
}

/* Locks an open file, unless O_EXCL has. Returns fd, or -EBUSY after closing it. */
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
	bool exclusive = false;
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
		ret = options->allow_mounted
			      ? 0
			      : in_use_check(path, st, options->allow_readonly_mounted, &exclusive, message, size);
		if (ret)
			return ret;
		*ret_mounted = S_ISBLK(st->st_mode) && !exclusive;
		/* if only a part is used, in_use_lock_part() locks that */
		ret = lock(open_same(path, st, exclusive), exclusive, options->alone && !part_wanted(options));
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
	device->block = !device->file;
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

/*
 * Returns the physical sector size of a disk in bytes; if it is bad, none of its logical sectors can be read. 0:
 * unknown, or the device does not begin at a physical sector.
 */
static uint32_t physical_sector(const struct device *device)
{
	unsigned physical = 0;
	int begin = 0;

	if (!device->block || ioctl(device->fd, BLKPBSZGET, &physical) || ioctl(device->fd, BLKALIGNOFF, &begin) ||
	    begin || !physical)
		return 0;
	return physical & (physical - 1) || device->base % physical || physical > PHYSICAL_MOST ? 0 : physical;
}

/* Finds the part, and locks it. */
static int prepare_part(struct device *device, const struct device_options *options, char *message, size_t size)
{
	int ret = part_find(device, options, message, size);

	if (ret || !part_wanted(options))
		return ret;
	ret = device->file ? in_use_lock_part(device->fd, device->base, device->bytes, options->alone, &device->lock_fd)
			   : 0;
	if (ret)
		snprintf(message, size, "%s is in use by another program", device->name);
	return ret;
}

static ssize_t file_read(struct device *device, void *buf, uint64_t offset, size_t len)
{
	const ssize_t n = pread(device->fd, buf, len, (off_t)(device->base + offset));

	return n < 0 ? -errno : n;
}

static ssize_t file_write(struct device *device, const void *bytes, uint64_t offset, size_t len)
{
	const ssize_t n = pwrite(device->write_fd, bytes, len, (off_t)(device->base + offset));

	return n < 0 ? -errno : n;
}

static int file_flush(struct device *device)
{
	return fsync(device->write_fd) ? -errno : 0;
}

static int explain(const struct device *device, int error, char *message, size_t size)
{
	snprintf(message, size, "%s can't be written: %s", device->name, strerror(-error));
	return error;
}

static int file_may_write(const struct device *device, char *message, size_t size)
{
	char name[40];
	int readonly = 0;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", device->fd);
	if (access(name, W_OK))
		return explain(device, -errno, message, size);
	if (ioctl(device->fd, BLKROGET, &readonly) == 0 && readonly)
		return explain(device, -EROFS, message, size);
	return 0;
}

/*
 * Checks again that the device is not in use: since it was opened, an image may have been mounted or truncated, or a
 * mount may have become writable.
 */
static int check_unused(const struct device *device, char *message, size_t size)
{
	struct stat st;
	bool exclusive;

	if (fstat(device->fd, &st))
		return explain(device, -errno, message, size);
	if (device_resized(device, message, size))
		return -EBUSY;
	return in_use_check(device->path, &st, device->may_be_mounted, &exclusive, message, size);
}

static int file_open_write(struct device *device, char *message, size_t size)
{
	const int direct = fcntl(device->fd, F_GETFL) & O_DIRECT;
	char name[40];
	int ret = file_may_write(device, message, size);

	if (!ret)
		ret = check_unused(device, message, size);
	if (ret)
		return ret;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", device->fd);
	device->write_fd = open(name, O_RDWR | O_CLOEXEC | direct);
	return device->write_fd < 0 ? explain(device, -errno, message, size) : 0;
}

/* Gets the current size of the device; a part keeps its size if the whole has grown. */
static int file_size(const struct device *device, uint64_t *ret_bytes)
{
	uint64_t whole = 0;
	const int ret = size_of(device->fd, device->file, &whole);

	*ret_bytes = whole > device->base ? whole - device->base : 0;
	if (device->is_range && *ret_bytes > device->bytes)
		*ret_bytes = device->bytes;
	return ret;
}

static int file_extent(const struct device *device, uint64_t offset, uint64_t *ret_data, uint64_t *ret_hole)
{
	const off_t data = device->file ? lseek(device->fd, (off_t)(device->base + offset), SEEK_DATA) : -1;
	const int error = device->file ? -errno : -EOPNOTSUPP;
	off_t hole;

	if (data < 0)
		return error;
	hole = lseek(device->fd, data, SEEK_HOLE);
	*ret_data = (uint64_t)data - device->base;
	*ret_hole = hole < data ? *ret_data : (uint64_t)hole - device->base;
	return 0;
}

static int file_probe(const struct device *device, uint64_t *ret_base)
{
	char name[40];

	/* a descriptor of its own, since libblkid's reads are not aligned for direct I/O */
	snprintf(name, sizeof(name), "/proc/self/fd/%d", device->fd);
	*ret_base = device->base;
	return opened(open(name, O_RDONLY | O_CLOEXEC));
}

static void file_close(struct device *device)
{
	if (device->write_fd >= 0)
		close(device->write_fd);
	if (device->lock_fd >= 0)
		close(device->lock_fd);
	if (device->fd >= 0)
		close(device->fd);
}

static const struct source_ops source_file = {
	.read = file_read,
	.write = file_write,
	.flush = file_flush,
	.may_write = file_may_write,
	.open_write = file_open_write,
	.size = file_size,
	.extent = file_extent,
	.probe = file_probe,
	.gone_why = "what could be read of it before can't be any more",
	.close = file_close,
};

int source_file_open(struct device *device, const struct device_options *options, char *message, size_t size)
{
	struct stat st;
	int ret;

	device->source = &source_file;
	ret = device->fd = open_unused(device->path, options, &st, &device->mounted, message, size);
	if (ret < 0)
		return ret;
	ret = find_size(device, &st);
	if (ret) {
		snprintf(message, size, "cannot get the size of %s: %s", device->path, strerror(-ret));
		return ret;
	}
	if (!device->bytes) {
		snprintf(message, size, "%s is empty", device->path);
		return -ENODATA;
	}
	ret = prepare_part(device, options, message, size);
	if (ret)
		return ret;
	device->align = direct_setup(device->fd, device->align, device->base, device->bytes, &device->doubtful);
	device->bad_unit = physical_sector(device);
	device->medium = medium_find(&st);
	return 0;
}
