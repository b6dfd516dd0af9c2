/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an undo file. Its header is marked complete only after everything else is on the medium, so that a truncated
 * file is never taken for a complete one.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "libxfs/crc.h"
#include "origin.h"
#include "output.h"
#include "undo_file.h"
#include "whole.h"

#define LOCK_TRIES 100u /* one per millisecond */

struct undo_writer {
	char *path;
	int fd;
	struct undo_place *place;
	bool named;	  /* it already has a name */
	uint64_t bytes;	  /* written */
	uint64_t extents; /* written */
	int error;	  /* the first error */
	struct undo_header_disk header;
	be32_t after[UNDO_MAX_LEN / SECTOR_SIZE]; /* checksums of the current extent */
};

static int fail(int error, const char *path, char *message, size_t size)
{
	snprintf(message, size, "the undo file %s can't be written: %s", path, output_words(error));
	return error;
}

/* True if the file system of the file is on this device, looking through loop devices. */
static bool lies_on(int fd, const struct device *device)
{
	struct stat file, under, disk = { .st_mode = S_IFBLK };
	struct origin of_file, of_device;

	if (!device || device->fd < 0 || fstat(fd, &file) || fstat(device->fd, &under))
		return false;
	disk.st_rdev = file.st_dev;
	of_file = origin_find(&disk);
	of_device = origin_find(&under);
	return origin_shared(&of_file, &of_device);
}

/* Sets the description of the file system and its devices; write_header() sets the rest. */
static void set_header(struct undo_header_disk *header, const uint8_t uuid[16],
		       struct device *const devices[UNDO_DEVICES])
{
	memcpy(header->magic, UNDO_MAGIC, sizeof(header->magic));
	memcpy(header->uuid, uuid, sizeof(header->uuid));
	header->version = be32_put(UNDO_VERSION);
	header->time = be64_put((uint64_t)time(NULL));
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		struct undo_device_disk *disk = &header->devices[i];

		if (!devices[i])
			continue;
		disk->bytes = be64_put(device_bytes(devices[i]));
		snprintf(disk->path, sizeof(disk->path), "%s", device_path(devices[i]));
	}
}

static int write_header(struct undo_writer *undo, bool complete)
{
	struct undo_header_disk *header = &undo->header;

	header->complete = be32_put(complete);
	header->extents = be64_put(undo->extents);
	header->bytes = be64_put(undo->bytes);
	header->crc = be32_put(crc_block(header, sizeof(*header), offsetof(struct undo_header_disk, crc)));
	return whole_write(undo->fd, 0, header, sizeof(*header));
}

/*
 * Locks the directory, so that another run that created it doesn't remove it: undo_place_close() needs an exclusive
 * lock for that. False: it is already removed.
 */
static bool stay_there(int folder)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct stat st;

	/* unrelated programs may hold a lock for long */
	for (unsigned i = 0; i < LOCK_TRIES && flock(folder, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK; i++)
		nanosleep(&pause, NULL);
	return fstat(folder, &st) || st.st_nlink;
}

/* Opens the directory, creating it if it is missing. A descriptor or negative errno. */
static int open_made(const char *path, bool *ret_made)
{
	int folder;

	for (unsigned i = 0; i < LOCK_TRIES; i++) {
		folder = output_folder_make(path, ret_made);
		if (folder < 0 || stay_there(folder))
			return folder;
		close(folder);
	}
	return -ENOENT;
}

void undo_place_open(const char *folder, bool make, struct undo_place *ret_place)
{
	*ret_place = (struct undo_place){ strdup(folder), -ENOMEM, -1, false };
	if (!ret_place->path)
		return;
	ret_place->folder = make ? open_made(folder, &ret_place->made) : output_folder(folder);
	if (ret_place->folder >= 0)
		ret_place->file = nameless_create(ret_place->folder, O_WRONLY);
}

void undo_place_close(struct undo_place *place)
{
	if (!place->path)
		return;
	if (place->file >= 0)
		close(place->file);
	/* fails if it contains files */
	if (place->made && (!flock(place->folder, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK))
		rmdir(place->path);
	if (place->folder >= 0)
		close(place->folder);
	free(place->path);
	*place = (struct undo_place){ 0 };
}

/* Creates the file. A descriptor or negative errno. */
static int create(const struct undo_place *place, const char *path)
{
	if (place->folder < 0)
		return place->folder;
	return opened(openat(place->folder, path_name(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

/* Sets undo->fd to the unnamed file of its place, if the name is free, else creates it. 0 or negative errno. */
static int open_file(struct undo_writer *undo)
{
	struct undo_place *place = undo->place;

	undo->named = place->file < 0;
	if (undo->named) {
		undo->fd = create(place, undo->path);
		return undo->fd < 0 ? undo->fd : 0;
	}
	if (!faccessat(place->folder, path_name(undo->path), F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	undo->fd = place->file;
	place->file = -1;
	return 0;
}

/* Gives the file its name, if it has none. 0 or negative errno. */
static int give_name(struct undo_writer *undo)
{
	int ret;

	if (undo->named)
		return 0;
	ret = nameless_link(undo->fd, undo->place->folder, path_name(undo->path));
	undo->named = !ret;
	return ret;
}

int undo_may_create(const struct undo_place *place, const char *path, char *message, size_t size)
{
	const int fd = create(place, path);

	if (fd < 0)
		return fail(fd, path, message, size);
	close(fd);
	unlinkat(place->folder, path_name(path), 0);
	return 0;
}

/* Checks that a directory has room for twice this many bytes, since it may be on a system disk. 0 or negative errno. */
static int check_room(const char *folder, uint64_t bytes)
{
	struct statvfs fs;

	if (statvfs(folder, &fs))
		return -errno;
	return bytes <= (uint64_t)fs.f_bavail * fs.f_frsize / 2 ? 0 : -ENOSPC;
}

int undo_choose(const char *folder, struct device *const devices[UNDO_DEVICES], uint64_t bytes, unsigned number,
		char **ret_path, char *message, size_t size)
{
	const time_t now = time(NULL);
	char date[32], more[16] = "", *path;
	struct tm tm;
	int ret = mkdir(folder, 0700) && errno != EEXIST ? -errno : 0;

	if (!ret)
		ret = check_room(folder, bytes);
	if (ret)
		return fail(ret, folder, message, size);
	localtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	if (number > 1)
		snprintf(more, sizeof(more), "-%u", number);
	if (asprintf(&path, "%s/%s-%s%s.undo", folder, path_name(device_path(devices[0])), date, more) < 0)
		return fail(-ENOMEM, folder, message, size);
	*ret_path = path;
	return 0;
}

int undo_create(const char *path, const uint8_t uuid[16], struct device *const devices[UNDO_DEVICES],
		struct undo_place *place, struct undo_writer **ret_undo, char *message, size_t size)
{
	struct undo_writer *undo = calloc(1, sizeof(*undo));
	int ret;

	if (undo)
		undo->path = strdup(path);
	if (!undo || !undo->path) {
		free(undo);
		return fail(-ENOMEM, path, message, size);
	}
	undo->place = place;
	ret = open_file(undo);
	if (ret) {
		fail(ret, path, message, size);
		free(undo->path);
		free(undo);
		return ret;
	}
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		if (lies_on(undo->fd, devices[i])) {
			undo_abandon(undo);
			snprintf(message, size, "the undo file %s would lie on %s itself", path, devices[i]->name);
			return -EINVAL;
		}
	}
	set_header(&undo->header, uuid, devices);
	undo->bytes = sizeof(undo->header);
	ret = write_header(undo, false);
	if (ret) {
		undo_abandon(undo);
		return fail(ret, path, message, size);
	}
	*ret_undo = undo;
	return 0;
}

uint32_t undo_sector_crc(const uint8_t *bytes, uint32_t len, uint32_t sector)
{
	uint32_t at = sector * SECTOR_SIZE;

	return ~crc_add(CRC_SEED, bytes + at, len - at < SECTOR_SIZE ? len - at : SECTOR_SIZE);
}

int undo_add(struct undo_writer *undo, unsigned device, const struct change *change)
{
	uint32_t len = (uint32_t)change->len, sectors = undo_sectors(len);
	struct undo_extent_disk extent = {
		.magic = be32_put(UNDO_EXTENT_MAGIC),
		.device = be32_put(device),
		.offset = be64_put(change->offset),
		.len = be32_put(len),
		.flags = be32_put((change->lost ? UNDO_LOST : 0) | (change->free ? UNDO_FREE : 0)),
		.number = be32_put((uint32_t)undo->extents),
	};
	uint32_t crc = crc_add(CRC_SEED, &extent, sizeof(extent));
	off_t at = (off_t)undo->bytes;

	if (undo->error)
		return undo->error;
	if (change->len > UNDO_MAX_LEN || undo->extents > UINT32_MAX - 1)
		return undo->error = -EFBIG;
	for (uint32_t i = 0; i < sectors; i++)
		undo->after[i] = be32_put(undo_sector_crc(change->after, len, i));
	crc = crc_add(crc, undo->after, sectors * sizeof(undo->after[0]));
	extent.crc = be32_put(~crc_add(crc, change->before, len));

	undo->error = whole_write(undo->fd, (uint64_t)at, &extent, sizeof(extent));
	at += sizeof(extent);
	if (!undo->error)
		undo->error = whole_write(undo->fd, (uint64_t)at, undo->after, sectors * sizeof(undo->after[0]));
	at += (off_t)(sectors * sizeof(undo->after[0]));
	if (!undo->error)
		undo->error = whole_write(undo->fd, (uint64_t)at, change->before, len);
	undo->bytes = (uint64_t)at + len;
	undo->extents++;
	return undo->error;
}

int undo_finish(struct undo_writer *undo, uint64_t *ret_bytes, char *message, size_t size)
{
	int ret = undo->error;

	if (!ret && fsync(undo->fd))
		ret = -errno;
	if (!ret)
		ret = write_header(undo, true);
	if (!ret && fsync(undo->fd))
		ret = -errno;
	if (!ret)
		ret = give_name(undo);
	if (!ret && fsync(undo->place->folder)) /* makes the name durable as well */
		ret = -errno;
	if (ret) {
		fail(ret, undo->path, message, size);
		undo_abandon(undo);
		return ret;
	}
	*ret_bytes = undo->bytes;
	close(undo->fd);
	free(undo->path);
	free(undo);
	return 0;
}

void undo_abandon(struct undo_writer *undo)
{
	if (undo->named)
		unlinkat(undo->place->folder, path_name(undo->path), 0);
	if (!undo->named && ftruncate(undo->fd, 0) == 0)
		undo->place->file = undo->fd;
	else
		close(undo->fd);
	free(undo->path);
	free(undo);
}
