/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments of file data by device address, and reading many of them in that order. */
#ifndef XFSCK_REPAIR_EXTRACT_SEGMENTS_H
#define XFSCK_REPAIR_EXTRACT_SEGMENTS_H

#include "base/sink.h"

struct device;
struct ioq;
struct repair;

/* A segment does not cross a cell of the device, so that reads are no larger than a cell. */
#define SEGMENT_CELL (1u << 20) /* bytes */

struct segment {
	bool rt;	  /* on the realtime device */
	uint64_t address; /* byte of the device */
	uint64_t offset;  /* byte of the file */
	uint32_t len;	  /* bytes */
	xino_t ino;
};

/* Returns the device of a segment; NULL: none. */
struct device *segment_device(const struct repair *rc, bool rt);

/*
 * Calls put() for each segment of an extent at file block `offset`, up to the end of the last block with bytes before
 * `size`, until it returns a value other than 0. Returns that, or 0.
 */
int segments_of_extent(const struct repair *rc, xino_t ino, const struct blocks *at, uint64_t offset, uint64_t size,
		       int (*put)(void *ctx, const struct segment *segment), void *ctx);

/* Reads segments. Start with { .rc }. */
struct segment_reader {
	const struct repair *rc;
	struct device *device; /* device of the queue, or NULL */
	struct ioq *ioq;
	struct segment_read *reads;
	unsigned depth;
	uint64_t *bytes_read; /* counter of bytes, atomic; NULL: none */
};

/*
 * Reads segments sorted by device and address, several reads at a time, and calls got() for each with its bytes, in any
 * order, until it returns a value other than 0. Unreadable bytes are zeroes. Returns that value, 0 or negative errno.
 */
int segments_read(struct segment_reader *reader, const struct segment *segments, size_t count,
		  int (*got)(void *ctx, const struct segment *segment, const uint8_t *bytes), void *ctx);
void segment_reader_end(struct segment_reader *reader);

#endif
