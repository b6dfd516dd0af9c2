/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Undo files: writes one before a commit, and rolls the commit back. An undo file is a header, followed by extents.
 * Each has a header, a checksum for each sector as the commit writes it, and the previous contents. Numbers are
 * big-endian. The header is marked complete only after everything else is on the medium, so that a truncated file is
 * never taken for a complete one.
 *
 * For a rollback, the whole undo file is verified first; then every sector in it must have its contents from
 * before the commit, or those of the commit: a file system written to since then would be destroyed if some of its old
 * sectors were restored.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "be.h"
#include "device.h"
#include "libxfs/crc.h"
#include "origin.h"
#include "output.h"
#include "read.h"
#include "undo.h"
#include "unreadable.h"
#include "whole.h"

#define UNDO_MAGIC	  "xfsckund"
#define UNDO_VERSION	  1u
#define UNDO_EXTENT_MAGIC 0x58754e65u /* XuNe */
#define UNDO_MAX_LEN	  (2u << 20)  /* bytes of an extent */
#define UNDO_LOST	  (1u << 0)   /* flag of an extent: it was unreadable, so it cannot be restored */
#define UNDO_FREE	  (1u << 1) /* flag of an extent: free space, restored without checking the current contents */

struct undo_device_disk {
	be64_t bytes; /* size; 0: no such device */
	char path[248];
};

struct undo_header_disk {
	char magic[8];
	be32_t version;
	be32_t complete; /* 1: all extents are present */
	uint8_t uuid[16];
	be64_t time;	/* seconds since 1970 */
	be64_t extents; /* number of extents */
	be64_t bytes;	/* of the whole file */
	be32_t pad;
	be32_t crc; /* of this header, with 0 in this field */
	struct undo_device_disk devices[UNDO_DEVICES];
};
_Static_assert(sizeof(struct undo_header_disk) == 64 + UNDO_DEVICES * 256, "undo header");
_Static_assert(offsetof(struct undo_header_disk, crc) == 60, "undo header");

struct undo_extent_disk {
	be32_t magic;
	be32_t device;
	be64_t offset; /* bytes */
	be32_t len;
	be32_t flags;
	be32_t number; /* from 0; detects missing and duplicate extents */
	be32_t crc;    /* of this header with 0 in this field, the checksums and the contents */
};
_Static_assert(sizeof(struct undo_extent_disk) == 32, "undo extent");
_Static_assert(offsetof(struct undo_extent_disk, crc) == 28, "undo extent");

/* Returns the number of sectors of an extent; the last may be incomplete. */
static inline uint32_t undo_sectors(uint32_t len)
{
	return (len + 511) / 512;
}

/* ---- writing ---- */

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

/* Returns the checksum of one sector of an extent of len bytes. */
static uint32_t undo_sector_crc(const uint8_t *bytes, uint32_t len, uint32_t sector)
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

#define MAX_SUSPECTS (1u << 20)

struct undo {
	int fd;
	uint64_t bytes; /* of the file */
	uint64_t extents;
	bool has[UNDO_DEVICES];
	struct unreadable *lost[UNDO_DEVICES]; /* ranges of extents with UNDO_LOST */
	struct undo_header_disk header;

	/* the current extent, as in the file */
	struct undo_extent_disk extent;
	be32_t after[UNDO_MAX_LEN / SECTOR_SIZE];
	uint8_t before[UNDO_MAX_LEN];
};

/* A decoded extent; struct undo has its checksums and contents. */
struct extent {
	unsigned device;
	uint64_t offset;
	uint32_t len;
	bool lost;
	bool free;
};

/* Called for each extent; a result other than 0 ends the loop. */
typedef int extent_fn(struct undo *undo, const struct extent *extent, void *ctx);

/* Reads and verifies the extent at *offset of the file, and advances *offset. -EBADMSG: corrupt. */
static int read_extent(struct undo *undo, uint64_t number, uint64_t *offset, struct extent *ret_extent)
{
	struct undo_extent_disk *disk = &undo->extent;
	uint64_t at = *offset;
	uint32_t crc, stored, sectors;
	int ret = whole_read(undo->fd, at, disk, sizeof(*disk), -ENODATA);

	if (ret)
		return ret;
	*ret_extent = (struct extent){
		.device = be32_get(disk->device),
		.offset = be64_get(disk->offset),
		.len = be32_get(disk->len),
		.lost = be32_get(disk->flags) & UNDO_LOST,
		.free = be32_get(disk->flags) & UNDO_FREE,
	};
	if (be32_get(disk->magic) != UNDO_EXTENT_MAGIC || be32_get(disk->number) != number || ret_extent->len == 0 ||
	    ret_extent->len > UNDO_MAX_LEN || ret_extent->device >= UNDO_DEVICES)
		return -EBADMSG;
	sectors = undo_sectors(ret_extent->len);
	at += sizeof(*disk);
	ret = whole_read(undo->fd, at, undo->after, sectors * sizeof(undo->after[0]), -ENODATA);
	at += sectors * sizeof(undo->after[0]);
	if (!ret)
		ret = whole_read(undo->fd, at, undo->before, ret_extent->len, -ENODATA);
	if (ret)
		return ret;
	stored = be32_get(disk->crc);
	disk->crc = be32_put(0);
	crc = crc_add(CRC_SEED, disk, sizeof(*disk));
	crc = crc_add(crc, undo->after, sectors * sizeof(undo->after[0]));
	if (~crc_add(crc, undo->before, ret_extent->len) != stored)
		return -EBADMSG;
	*offset = at + ret_extent->len;
	return 0;
}

static int each_extent(struct undo *undo, extent_fn *fn, void *ctx)
{
	uint64_t offset = sizeof(undo->header);
	struct extent extent;
	int ret = 0;

	for (uint64_t i = 0; i < undo->extents && !ret; i++) {
		ret = read_extent(undo, i, &offset, &extent);
		if (!ret && fn)
			ret = fn(undo, &extent, ctx);
	}
	if (!ret && offset != undo->bytes)
		ret = -EBADMSG;
	return ret;
}

/* Checks that the range is within its device, and records it if it is lost. */
static int verify_range(struct undo *undo, const struct extent *extent, void *ctx)
{
	uint64_t bytes = be64_get(undo->header.devices[extent->device].bytes);

	(void)ctx;
	undo->has[extent->device] = true;
	if (extent->offset > bytes || extent->len > bytes - extent->offset)
		return -EBADMSG;
	if (extent->lost)
		unreadable_add(undo->lost[extent->device], extent->offset, extent->offset + extent->len);
	return 0;
}

/* Reads the header. Returns why the file is unusable, or NULL if the header is good. */
static const char *judge_header(struct undo *undo)
{
	struct undo_header_disk *header = &undo->header;
	struct stat st;

	if (whole_read(undo->fd, 0, header, sizeof(*header), -ENODATA) ||
	    memcmp(header->magic, UNDO_MAGIC, sizeof(header->magic)) != 0)
		return "is not an undo file";
	if (be32_get(header->version) != UNDO_VERSION)
		return "is an undo file of another version of xfsck";
	if (crc_block(header, sizeof(*header), offsetof(struct undo_header_disk, crc)) != be32_get(header->crc))
		return "is damaged: its header has a wrong checksum";
	if (be32_get(header->complete) != 1)
		return "is not complete: writing it was cut short, before anything was changed";
	undo->extents = be64_get(header->extents);
	undo->bytes = be64_get(header->bytes);
	if (fstat(undo->fd, &st) || (uint64_t)st.st_size != undo->bytes)
		return "is damaged: it is shorter or longer than it was";
	return NULL;
}

static struct undo *undo_new(void)
{
	struct undo *undo = calloc(1, sizeof(*undo));
	bool whole = undo != NULL;

	if (undo)
		undo->fd = -1;
	for (unsigned i = 0; i < UNDO_DEVICES && whole; i++) {
		undo->lost[i] = unreadable_create();
		whole = undo->lost[i] != NULL;
	}
	if (whole)
		return undo;
	undo_close(undo);
	return NULL;
}

/* Opens a file and reads its header. 0, or negative errno with a sentence in message. */
static int open_header(const char *path, struct undo **ret_undo, char *message, size_t size)
{
	struct undo *undo = undo_new();
	const char *fault;
	int ret;

	if (!undo) {
		snprintf(message, size, "cannot open %s: %s", path, strerror(ENOMEM));
		return -ENOMEM;
	}
	undo->fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* O_NONBLOCK: don't wait for a writer if it is a pipe */
	if (undo->fd < 0) {
		ret = -errno;
		snprintf(message, size, "cannot open %s: %s", path, strerror(errno));
		undo_close(undo);
		return ret;
	}
	fault = judge_header(undo);
	if (fault) {
		snprintf(message, size, "%s %s", path, fault);
		undo_close(undo);
		return -EBADMSG;
	}
	*ret_undo = undo;
	return 0;
}

int undo_summary(const char *path, struct undo_summary *ret_summary, char *message, size_t size)
{
	struct undo *undo;
	int ret = open_header(path, &undo, message, size);

	if (ret)
		return ret;
	*ret_summary = (struct undo_summary){ .time = (int64_t)be64_get(undo->header.time), .bytes = undo->bytes };
	memcpy(ret_summary->uuid, undo->header.uuid, sizeof(ret_summary->uuid));
	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		snprintf(ret_summary->device[i], sizeof(ret_summary->device[i]), "%.*s",
			 (int)sizeof(undo->header.devices[i].path), undo->header.devices[i].path);
	undo_close(undo);
	return 0;
}

int undo_open(const char *path, struct undo **ret_undo, char *message, size_t size)
{
	struct undo *undo;
	int ret = open_header(path, &undo, message, size);

	if (ret)
		return ret;
	ret = each_extent(undo, verify_range, NULL);
	if (ret) {
		if (ret == -EBADMSG || ret == -ENODATA)
			snprintf(message, size, "%s is damaged: what it keeps has wrong checksums", path);
		else
			snprintf(message, size, "cannot read %s: %s", path, strerror(-ret));
		undo_close(undo);
		return ret;
	}
	*ret_undo = undo;
	return 0;
}

void undo_close(struct undo *undo)
{
	if (!undo)
		return;
	if (undo->fd >= 0)
		close(undo->fd);
	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		unreadable_destroy(undo->lost[i]);
	free(undo);
}

bool undo_has(const struct undo *undo, unsigned device)
{
	return undo->has[device];
}

bool undo_unreadable(const struct undo *undo, unsigned device, uint64_t start, uint64_t end, uint64_t *ret_start,
		     uint64_t *ret_len)
{
	return unreadable_find(undo->lost[device], start, end, ret_start, ret_len);
}

/* A sector that matches neither its previous contents nor, by one of its extents, those of the commit. */
struct suspect {
	uint64_t sector;
	unsigned device;
	bool cleared;
};

struct examination {
	struct device *const *devices;
	uint8_t *now; /* UNDO_MAX_LEN bytes */
	struct suspect *suspects;
	size_t count;
	bool clearing; /* second pass: sectors that match another extent are no suspects */
};

static bool sector_expected(const struct undo *undo, const struct extent *extent, const uint8_t *now, uint32_t sector)
{
	uint32_t crc = undo_sector_crc(now, extent->len, sector);

	return crc == be32_get(undo->after[sector]) || crc == undo_sector_crc(undo->before, extent->len, sector);
}

static int compare_suspects(const void *a, const void *b)
{
	const struct suspect *first = a, *second = b;

	if (first->device != second->device)
		return first->device < second->device ? -1 : 1;
	return (first->sector > second->sector) - (first->sector < second->sector);
}

/* Adds an unexpected sector to the suspects; in the second pass, clears an expected one. */
static int judge_sector(struct examination *e, const struct extent *extent, uint32_t sector, bool expected)
{
	const struct suspect key = { (extent->offset >> SECTOR_LOG) + sector, extent->device, false };
	struct suspect *found;

	if (!e->clearing && !expected) {
		if (e->count == MAX_SUSPECTS)
			return -ESTALE;
		e->suspects[e->count++] = key;
	}
	if (e->clearing && expected) {
		found = bsearch(&key, e->suspects, e->count, sizeof(key), compare_suspects);
		if (found)
			found->cleared = true;
	}
	return 0;
}

static int examine_extent(struct undo *undo, const struct extent *extent, void *ctx)
{
	struct examination *e = ctx;
	int ret;

	if (extent->lost || extent->free)
		return 0;
	ret = read_below(e->devices[extent->device], e->now, extent->offset, extent->len);
	for (uint32_t i = 0; i < undo_sectors(extent->len) && !ret; i++)
		ret = judge_sector(e, extent, i, sector_expected(undo, extent, e->now, i));
	return ret;
}

static int check_sizes(const struct undo *undo, struct device *const devices[UNDO_DEVICES], char *message, size_t size)
{
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		uint64_t bytes = be64_get(undo->header.devices[i].bytes);

		if (!undo->has[i])
			continue;
		if (!devices[i]) {
			snprintf(message, size,
				 "the undo file also keeps what was on another device, then %.*s: name it with %s",
				 (int)sizeof(undo->header.devices[i].path), undo->header.devices[i].path,
				 i == 1 ? "-l" : "-r");
			return -ENODEV;
		}
		if (device_bytes(devices[i]) != bytes) {
			snprintf(message, size, "%s has %llu bytes; the undo file is of a device of %llu",
				 device_path(devices[i]), (unsigned long long)device_bytes(devices[i]),
				 (unsigned long long)bytes);
			return -ESTALE;
		}
	}
	return 0;
}

static int check_sectors(struct undo *undo, struct examination *e)
{
	int ret = each_extent(undo, examine_extent, e);
	size_t kept = 1;

	if (ret || !e->count)
		return ret;
	qsort(e->suspects, e->count, sizeof(*e->suspects), compare_suspects);
	for (size_t i = 1; i < e->count; i++) {
		/* a sector may be in several extents */
		if (compare_suspects(&e->suspects[kept - 1], &e->suspects[i]) != 0)
			e->suspects[kept++] = e->suspects[i];
	}
	e->count = kept;
	e->clearing = true;
	return each_extent(undo, examine_extent, e);
}

int undo_check(struct undo *undo, struct device *const devices[UNDO_DEVICES], char *message, size_t size)
{
	struct examination e = { .devices = devices };
	size_t strange = 0;
	int ret = check_sizes(undo, devices, message, size);

	if (ret)
		return ret;
	e.now = malloc(UNDO_MAX_LEN);
	e.suspects = malloc(MAX_SUSPECTS * sizeof(*e.suspects));
	ret = e.now && e.suspects ? check_sectors(undo, &e) : -ENOMEM;
	for (size_t i = 0; i < e.count; i++)
		strange += !e.suspects[i].cleared;
	if (strange && !ret)
		ret = -ESTALE;
	if (ret == -ESTALE)
		snprintf(message, size,
			 "%s is another file system, or was written to after the repair: %zu sectors are neither as "
			 "before nor as the repair left them",
			 device_path(devices[0]), strange);
	else if (ret)
		snprintf(message, size, "%s can't be compared with the undo file: %s", device_path(devices[0]),
			 strerror(-ret));
	free(e.suspects);
	free(e.now);
	return ret;
}

struct restoring {
	struct device *const *devices;
	bool first; /* restore only sector 0 of the first device; false: the rest */
	unsigned device;
	uint8_t *now; /* UNDO_MAX_LEN bytes */
};

static bool sector_alike(const uint8_t *a, const uint8_t *b, uint32_t at, uint32_t len)
{
	return memcmp(a + at, b + at, len - at < SECTOR_SIZE ? len - at : SECTOR_SIZE) == 0;
}

/* Writes only sectors that differ: a full thin volume would refuse to allocate the others. */
static int put_back(const struct restoring *r, const uint8_t *before, uint64_t offset, uint32_t len)
{
	struct device *device = r->devices[r->device];
	uint32_t end;
	int ret = 0;

	if (read_below(device, r->now, offset, len))
		return device_write(device, before, offset, len);
	for (uint32_t at = 0; at < len && !ret; at = end) {
		const bool alike = sector_alike(before, r->now, at, len);

		end = at + SECTOR_SIZE;
		while (end < len && sector_alike(before, r->now, end, len) == alike)
			end += SECTOR_SIZE;
		if (!alike)
			ret = device_write(device, before + at, offset + at, (end < len ? end : len) - at);
	}
	return ret;
}

static int restore_extent(struct undo *undo, const struct extent *extent, void *ctx)
{
	struct restoring *r = ctx;
	bool has_first = extent->device == 0 && extent->offset == 0;
	uint32_t skip = has_first && !r->first ? SECTOR_SIZE : 0;
	uint32_t end = has_first && r->first && extent->len > SECTOR_SIZE ? SECTOR_SIZE : extent->len;

	if (extent->lost || (r->first && !has_first) || skip >= end)
		return 0;
	r->device = extent->device;
	return put_back(r, undo->before + skip, extent->offset + skip, end - skip);
}

static int flush_all(struct restoring *r)
{
	int ret = 0;

	for (unsigned i = 0; i < UNDO_DEVICES && !ret; i++) {
		r->device = i;
		if (r->devices[i])
			ret = device_flush(r->devices[i]);
	}
	return ret;
}

int undo_restore(struct undo *undo, struct device *const devices[UNDO_DEVICES], unsigned *ret_device)
{
	struct restoring r = { .devices = devices, .now = malloc(UNDO_MAX_LEN) };
	int ret = r.now ? each_extent(undo, restore_extent, &r) : -ENOMEM;

	if (!ret)
		ret = flush_all(&r);
	r.first = true;
	if (!ret)
		ret = each_extent(undo, restore_extent, &r);
	if (!ret)
		ret = flush_all(&r);
	*ret_device = r.device;
	free(r.now);
	return ret;
}
