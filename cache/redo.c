/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads redo records. A record is a magic number, followed by extents. Each has a header, two checksums per
 * sector (of its contents before, and in between), and the final contents. Numbers are big-endian. The magic's 4 bytes
 * misalign the copies of sectors, so a search for lost headers does not find them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "be.h"
#include "device.h"
#include "libxfs/crc.h"
#include "redo.h"

#define REDO_MAGIC   0x78526401u
#define REDO_MAX_LEN (2u << 20) /* bytes of an extent */
#define REDO_LOST    (1u << 0)	/* flag of an extent: it was unreadable before */
#define BUFFER_BYTES (1u << 20) /* bytes written or read at once */

struct redo_extent_disk {
	be64_t offset;
	be32_t len;
	be32_t flags;
};
_Static_assert(sizeof(struct redo_extent_disk) == 16, "redo extent");

struct redo_crcs_disk {
	be32_t before;
	be32_t between;
};
_Static_assert(sizeof(struct redo_crcs_disk) == 8, "checksums of a sector");

static uint32_t sector_crc(const uint8_t *bytes, size_t sector)
{
	return ~crc_add(CRC_SEED, bytes + sector * SECTOR_SIZE, SECTOR_SIZE);
}

/* ---- writing ---- */

struct redo_writer {
	struct device *device; /* NULL: write nothing, only compute `place` */
	redo_put_fn *put;      /* NULL: write to the device */
	void *ctx;
	struct redo_place place;
	uint8_t *buffer; /* BUFFER_BYTES: the next to be written */
	size_t filled;
	int error;
	struct redo_crcs_disk crcs[REDO_MAX_LEN / SECTOR_SIZE];
};

static void write_buffer(struct redo_writer *redo)
{
	const uint64_t offset = redo->place.offset + redo->place.bytes;

	if (redo->put && !redo->error)
		redo->error = redo->put(redo->ctx, offset, redo->buffer, redo->filled);
	else if (redo->device && !redo->error)
		redo->error = device_write(redo->device, redo->buffer, offset, redo->filled);
	redo->place.crc = crc_add(redo->place.crc, redo->buffer, redo->filled);
	redo->place.bytes += redo->filled;
	redo->filled = 0;
}

static void put(struct redo_writer *redo, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	while (len) {
		size_t n = BUFFER_BYTES - redo->filled < len ? BUFFER_BYTES - redo->filled : len;

		memcpy(redo->buffer + redo->filled, from, n);
		redo->filled += n;
		from += n;
		len -= n;
		if (redo->filled == BUFFER_BYTES)
			write_buffer(redo);
	}
}

int redo_create(struct device *device, uint64_t offset, struct redo_writer **ret_redo)
{
	struct redo_writer *redo = calloc(1, sizeof(*redo));
	const be32_t magic = be32_put(REDO_MAGIC);

	if (redo)
		redo->buffer = malloc(BUFFER_BYTES);
	if (!redo || !redo->buffer) {
		free(redo);
		return -ENOMEM;
	}
	redo->device = device;
	redo->place = (struct redo_place){ .offset = offset, .crc = CRC_SEED };
	put(redo, &magic, sizeof(magic));
	*ret_redo = redo;
	return 0;
}

void redo_divert(struct redo_writer *redo, redo_put_fn *fn, void *ctx)
{
	redo->put = fn;
	redo->ctx = ctx;
}

int redo_add(struct redo_writer *redo, const struct change *change, const uint8_t *between, const uint8_t *final)
{
	const struct redo_extent_disk extent = {
		.offset = be64_put(change->offset),
		.len = be32_put((uint32_t)change->len),
		.flags = be32_put(change->lost ? REDO_LOST : 0),
	};
	size_t sectors = change->len / SECTOR_SIZE;

	if (change->len > REDO_MAX_LEN || change->len % SECTOR_SIZE)
		return redo->error = -EFBIG;
	for (size_t i = 0; i < sectors; i++) {
		redo->crcs[i].before = be32_put(sector_crc(change->before, i));
		redo->crcs[i].between = be32_put(sector_crc(between, i));
	}
	put(redo, &extent, sizeof(extent));
	put(redo, redo->crcs, sectors * sizeof(redo->crcs[0]));
	put(redo, final, change->len);
	return redo->error;
}

void redo_abandon(struct redo_writer *redo)
{
	free(redo->buffer);
	free(redo);
}

int redo_finish(struct redo_writer *redo, struct redo_place *ret_place)
{
	static const uint8_t zeroes[SECTOR_SIZE];
	const struct redo_extent_disk end = { .len = be32_put(0) };
	int ret;

	put(redo, &end, sizeof(end));
	put(redo, zeroes, (SECTOR_SIZE - redo->filled % SECTOR_SIZE) % SECTOR_SIZE);
	if (redo->filled)
		write_buffer(redo);
	if (redo->device && !redo->error)
		redo->error = device_flush(redo->device);
	redo->place.crc = ~redo->place.crc;
	ret = redo->error;
	if (!ret)
		*ret_place = redo->place;
	redo_abandon(redo);
	return ret;
}

/* ---- reading ---- */

struct reading {
	struct device *device;
	const struct redo_place *place;
	uint64_t known; /* sectors before this offset are not verified */
	enum overlay_layer layer;
	bool staging;	 /* false: verifying */
	uint64_t staged; /* bytes */
	uint8_t *final;	 /* REDO_MAX_LEN bytes: final contents */
	uint8_t *now;	 /* REDO_MAX_LEN bytes: current contents of the device */
	struct redo_crcs_disk crcs[REDO_MAX_LEN / SECTOR_SIZE];
};

/* Reads len bytes from byte `at` of the record, without the overlay. 0, -EBADMSG or -ENOMEM. */
static int get(const struct reading *r, void *bytes, uint64_t at, size_t len)
{
	uint64_t start = (r->place->offset + at) & ~(uint64_t)(SECTOR_SIZE - 1);
	size_t before = (size_t)(r->place->offset + at - start);
	size_t whole = (before + len + SECTOR_SIZE - 1) & ~(size_t)(SECTOR_SIZE - 1);
	uint8_t *sectors;
	int ret;

	if (at > r->place->bytes || len > r->place->bytes - at)
		return -EBADMSG;
	sectors = malloc(whole);
	if (!sectors)
		return -ENOMEM;
	ret = device_read_below(r->device, sectors, start, whole, 0);
	if (!ret)
		memcpy(bytes, sectors + before, len);
	free(sectors);
	return ret == -ENOMEM ? ret : ret ? -EBADMSG : 0;
}

static int verify_checksum(const struct reading *r)
{
	uint32_t crc = CRC_SEED;
	int ret = 0;

	for (uint64_t at = 0; at < r->place->bytes && !ret;) {
		size_t n = r->place->bytes - at < BUFFER_BYTES ? (size_t)(r->place->bytes - at) : BUFFER_BYTES;

		ret = get(r, r->now, at, n);
		crc = crc_add(crc, r->now, n);
		at += n;
	}
	return ret ? ret : ~crc == r->place->crc ? 0 : -EBADMSG;
}

/* Verifies that each sector has its contents from before, in between, or the end. */
static int verify_extent(const struct reading *r, uint64_t offset, uint32_t len, uint32_t flags)
{
	int ret = flags & REDO_LOST ? 0 : device_read_below(r->device, r->now, offset, len, 0);

	if (ret)
		return ret == -ENOMEM ? ret : -ESTALE;
	for (size_t i = 0; i < len / SECTOR_SIZE && !(flags & REDO_LOST); i++) {
		uint32_t now = sector_crc(r->now, i);

		if (offset + i * SECTOR_SIZE >= r->known && now != be32_get(r->crcs[i].before) &&
		    now != be32_get(r->crcs[i].between) && now != sector_crc(r->final, i))
			return -ESTALE;
	}
	return 0;
}

/*
 * Stages the sectors that don't have their final contents yet. So memory is bounded by the contents of device and
 * record, whatever the record says about holes of a sparse image. An unreadable extent is staged as a whole.
 */
static int stage_extent(struct reading *r, uint64_t offset, uint32_t len)
{
	int ret = device_read(r->device, r->now, offset, len);
	bool there = !ret;
	uint32_t from = 0, to;

	ret = ret == -ENOMEM ? ret : 0;
	for (; from < len && !ret; from = to) {
		bool same = there && !memcmp(r->now + from, r->final + from, SECTOR_SIZE);

		for (to = from + SECTOR_SIZE; to < len; to += SECTOR_SIZE)
			if ((there && !memcmp(r->now + to, r->final + to, SECTOR_SIZE)) != same)
				break;
		if (same)
			continue;
		ret = device_stage(r->device, r->layer, r->final + from, offset + from, to - from);
		r->staged += ret ? 0 : to - from;
	}
	return ret;
}

/* Verifies or stages the extent at *at of the record, and advances *at; *ret_len 0: end of the record. */
static int do_extent(struct reading *r, uint64_t *at, uint32_t *ret_len)
{
	struct redo_extent_disk extent;
	int ret = get(r, &extent, *at, sizeof(extent));
	uint64_t offset = be64_get(extent.offset);
	uint32_t len = be32_get(extent.len);
	size_t crcs = len / SECTOR_SIZE * sizeof(r->crcs[0]);

	if (ret || !len) {
		*ret_len = 0;
		return ret;
	}
	if (len > REDO_MAX_LEN || len % SECTOR_SIZE || offset % SECTOR_SIZE || offset > device_bytes(r->device) ||
	    len > device_bytes(r->device) - offset)
		return -EBADMSG;
	ret = get(r, r->crcs, *at + sizeof(extent), crcs);
	if (!ret)
		ret = get(r, r->final, *at + sizeof(extent) + crcs, len);
	if (!ret && r->staging)
		ret = stage_extent(r, offset, len);
	else if (!ret)
		ret = verify_extent(r, offset, len, be32_get(extent.flags));
	*at += sizeof(extent) + crcs + len;
	*ret_len = len;
	return ret;
}

static int do_extents(struct reading *r)
{
	uint64_t at = sizeof(be32_t);
	uint32_t len = 1;
	int ret = 0;

	while (len && !ret)
		ret = do_extent(r, &at, &len);
	return ret;
}

int redo_stage(struct device *device, const struct redo_place *place, uint64_t known, enum overlay_layer layer,
	       uint64_t *ret_bytes)
{
	struct reading *r = calloc(1, sizeof(*r));
	be32_t magic = be32_put(0);
	int ret = -ENOMEM;

	if (!r)
		return ret;
	r->device = device;
	r->place = place;
	r->known = known;
	r->layer = layer;
	r->final = malloc(REDO_MAX_LEN);
	r->now = malloc(REDO_MAX_LEN);
	if (place->offset % SECTOR_SIZE || place->bytes % SECTOR_SIZE || place->offset > device_bytes(device) ||
	    place->bytes > device_bytes(device) - place->offset)
		ret = -EBADMSG;
	else if (r->final && r->now)
		ret = get(r, &magic, 0, sizeof(magic));
	if (!ret && be32_get(magic) != REDO_MAGIC)
		ret = -EBADMSG;
	if (!ret)
		ret = verify_checksum(r);
	if (!ret)
		ret = do_extents(r);
	r->staging = true;
	if (!ret)
		ret = do_extents(r);
	*ret_bytes = r->staged;
	free(r->final);
	free(r->now);
	free(r);
	return ret;
}
