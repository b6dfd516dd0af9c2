/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of files, by where they lie on the devices; and reading many of them in that order. */
#ifndef XFSCK_REPAIR_EXTRACT_PIECES_H
#define XFSCK_REPAIR_EXTRACT_PIECES_H

#include "base/sink.h"

struct device;
struct ioq;
struct repair;

/* Pieces lie in one cell of the device each, so a read for those of a cell is no larger than this. */
#define PIECE_CELL (1u << 20) /* bytes */

struct piece {
	bool rt;	  /* it lies on the realtime device */
	uint64_t address; /* byte of the device */
	uint64_t offset;  /* byte of the file */
	uint32_t len;	  /* bytes */
	xino_t ino;
};

/* The device that pieces lie on; NULL: there is none. */
struct device *piece_device(const struct repair *rc, bool rt);

/*
 * Call put() for each piece of an extent that begins at block `offset` of a file, up to the end of its last block that
 * has bytes before `size`, until it returns other than 0. That, or 0.
 */
int pieces_of_extent(const struct repair *rc, xino_t ino, const struct blocks *at, uint64_t offset, uint64_t size,
		     int (*put)(void *ctx, const struct piece *piece), void *ctx);

/* Reads pieces; begin with { .rc }. */
struct piece_reader {
	const struct repair *rc;
	struct device *device; /* that the queue is for, or NULL */
	struct ioq *ioq;
	struct piece_read *reads;
	unsigned depth;
	uint64_t *bytes_read; /* counted here, atomically; NULL: nowhere */
};

/*
 * Read pieces that are sorted by device and address, several reads at a time, and hand each to got() with its bytes,
 * until it returns other than 0; in any order.  What can't be read is zeroes.  That, 0 or negative errno.
 */
int pieces_read(struct piece_reader *reader, const struct piece *pieces, size_t count,
		int (*got)(void *ctx, const struct piece *piece, const uint8_t *bytes), void *ctx);
void piece_reader_end(struct piece_reader *reader);

#endif
