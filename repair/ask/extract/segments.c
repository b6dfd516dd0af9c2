/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segments near each other are read together, since bytes between them cost less than another request. They share a
 * buffer, so shared blocks are read once.
 */
#include "segments.h"

#include <errno.h>
#include <stdlib.h>

#include "cache.h"
#include "options.h"
#include "repair.h"
#include "run.h"

#define GAP   (32u << 10) /* the most bytes between segments of one read */
#define DEPTH 16u	  /* reads in flight, unless -o queue_depth is given */

struct device *segment_device(const struct repair *rc, bool rt)
{
	return rt && !rc->geo.rtstart ? rc->run->rt_device : rc->run->device;
}

int segments_of_extent(const struct repair *rc, xino_t ino, const struct blocks *at, uint64_t offset, uint64_t size,
		       int (*put)(void *ctx, const struct segment *segment), void *ctx)
{
	const struct geometry *geo = &rc->geo;
	const uint64_t blocks = blocks_of_bytes(geo, size);
	struct segment segment = { .rt = group_is_rt(geo, at->group) && !geo->rtstart, .ino = ino };
	uint64_t left;
	int ret = 0;

	if (offset >= blocks)
		return 0;
	left = (at->len < blocks - offset ? at->len : blocks - offset) << geo->block_log;
	segment.address = bytes_of_gbno(geo, at->group, at->start);
	segment.offset = offset << geo->block_log;
	for (; left && !ret; left -= segment.len) {
		const uint64_t room = SEGMENT_CELL - segment.address % SEGMENT_CELL;

		segment.len = (uint32_t)(left < room ? left : room);
		ret = put(ctx, &segment);
		segment.address += segment.len;
		segment.offset += segment.len;
	}
	return ret;
}

/* ---- reading ---- */

struct segment_read {
	struct io io;
	void *buf;
	size_t first, end; /* its segments */
	bool busy;
};

static void close_queue(struct segment_reader *r)
{
	if (r->ioq)
		ioq_destroy(r->ioq);
	for (unsigned i = 0; r->reads && i < r->depth; i++)
		device_buffer_free(r->reads[i].buf);
	free(r->reads);
	r->reads = NULL;
	r->ioq = NULL;
	r->device = NULL;
}

void segment_reader_end(struct segment_reader *r)
{
	close_queue(r);
}

/* Opens a queue for a device, unless it is open. 0 or negative errno. */
static int open_queue(struct segment_reader *r, struct device *device)
{
	const unsigned depth = r->rc->run->options->no_prefetch ? 1 : r->rc->run->options->queue_depth;
	int ret;

	if (r->device == device)
		return 0;
	close_queue(r);
	r->depth = depth ? depth : DEPTH;
	r->reads = calloc(r->depth, sizeof(*r->reads));
	if (!r->reads)
		return -ENOMEM;
	ret = ioq_create(device, r->depth, &r->ioq);
	if (ret) {
		r->ioq = NULL;
		return ret;
	}
	r->device = device;
	for (unsigned i = 0; i < r->depth && !ret; i++) {
		r->reads[i].buf = device_buffer(device, SEGMENT_CELL + 2 * (size_t)device_align(device));
		ret = r->reads[i].buf ? 0 : -ENOMEM;
	}
	return ret;
}

/* Returns the end of the segments that are read together with `first`: in the same cell, without large gaps. */
static size_t together(const struct segment *segments, size_t first, size_t count, uint64_t *ret_end)
{
	const uint64_t cell = segments[first].address / SEGMENT_CELL;
	size_t i = first;

	*ret_end = segments[first].address;
	for (; i < count && segments[i].rt == segments[first].rt && segments[i].address / SEGMENT_CELL == cell &&
	       (segments[i].address <= *ret_end || segments[i].address - *ret_end <= GAP);
	     i++)
		if (segments[i].address + segments[i].len > *ret_end)
			*ret_end = segments[i].address + segments[i].len;
	return i;
}

/* Submits a read for some segments. 0 or negative errno. */
static int submit(struct segment_reader *r, struct segment_read *read, const struct segment *segments, size_t first,
		  size_t end, uint64_t end_address)
{
	const uint64_t align = device_align(r->device), from = segments[first].address / align * align;
	const uint64_t to = (end_address + align - 1) / align * align;
	int ret;

	read->first = first;
	read->end = end;
	read->io = (struct io){ .offset = from, .len = (uint32_t)(to - from), .buf = read->buf, .cookie = read };
	ret = ioq_submit(r->ioq, &read->io);
	read->busy = !ret;
	return ret;
}

/* Waits for a read, and passes on its segments if wanted. 0, or a result of got(), or -ENOMEM. */
static int finish(struct segment_reader *r, const struct segment *segments,
		  int (*got)(void *ctx, const struct segment *segment, const uint8_t *bytes), void *ctx, bool wanted)
{
	const struct io *io = ioq_wait(r->ioq);
	struct segment_read *read = io->cookie;
	int ret = 0;

	read->busy = false;
	if (wanted && r->bytes_read)
		__atomic_fetch_add(r->bytes_read, io->len, __ATOMIC_RELAXED);
	if (io->error && io->error != -EIO && io->error != -ENODATA)
		ret = io->error == -ENOMEM ? io->error : 0; /* other errors mean unreadable bytes */
	for (size_t i = read->first; wanted && i < read->end && !ret; i++)
		ret = got(ctx, &segments[i], (const uint8_t *)read->buf + (segments[i].address - io->offset));
	return ret;
}

static struct segment_read *idle(const struct segment_reader *r)
{
	for (unsigned i = 0; i < r->depth; i++)
		if (!r->reads[i].busy)
			return &r->reads[i];
	return NULL;
}

/* Waits for all reads in flight. */
static int drain(struct segment_reader *r, const struct segment *segments,
		 int (*got)(void *ctx, const struct segment *segment, const uint8_t *bytes), void *ctx, int ret)
{
	bool any = false;

	for (unsigned i = 0; i < r->depth && r->reads; i++)
		any |= r->reads[i].busy;
	while (any) {
		const int error = finish(r, segments, got, ctx, !ret);

		ret = ret ? ret : error;
		any = false;
		for (unsigned i = 0; i < r->depth; i++)
			any |= r->reads[i].busy;
	}
	return ret;
}

int segments_read(struct segment_reader *r, const struct segment *segments, size_t count,
		  int (*got)(void *ctx, const struct segment *segment, const uint8_t *bytes), void *ctx)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret;) {
		struct device *device = segment_device(r->rc, segments[i].rt);
		uint64_t end_address;
		const size_t end = together(segments, i, count, &end_address);

		if (!device)
			return drain(r, segments, got, ctx, -ENXIO);
		if (device != r->device)
			ret = drain(r, segments, got, ctx, 0);
		if (!ret)
			ret = open_queue(r, device);
		while (!ret && !idle(r))
			ret = finish(r, segments, got, ctx, true);
		if (!ret)
			ret = submit(r, idle(r), segments, i, end, end_address);
		i = end;
	}
	return drain(r, segments, got, ctx, ret);
}
