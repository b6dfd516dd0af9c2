/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolls a commit back. The whole undo file is verified first; then every sector in it must have its contents from
 * before the commit, or those of the commit: a file system written to since then would be destroyed if some of its old
 * sectors were restored.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "libxfs/crc.h"
#include "read.h"
#include "undo_file.h"
#include "unreadable.h"
#include "whole.h"

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
