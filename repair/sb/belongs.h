/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where metadata belongs, by what it says itself: headers of groups by their number (ondisk 02), blocks of version 5 by
 * their address, inodes of that version by their own number (ondisk 00, 04), records of the log by their LSN (ondisk
 * 11).
 */
#ifndef XFSCK_REPAIR_BELONGS_H
#define XFSCK_REPAIR_BELONGS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

#define BELONGS_PIECE (4u << 20) /* bytes that belongs_each() reads at once */

struct repair;

/* The byte of the device at which an AGF or AGI, of any version, belongs.  False: it is none of this file system. */
bool belongs_header(const struct geometry *geo, const uint8_t *sector, uint64_t *ret_at);
/* The same for any metadata whose first sector this is.  False: nothing says so. */
bool belongs_sector(const struct geometry *geo, const uint8_t *sector, uint64_t *ret_at);

/* Metadata begins at byte `at` of the device, and belongs at `where`. */
typedef void belongs_fn(void *ctx, uint64_t where, uint64_t at);
/*
 * Call fn() for all metadata in the bytes [start, end) of the data device, in ascending order.  buf: BELONGS_PIECE
 * bytes.  Bytes that can't be read are zero; without memory it ends early.
 */
void belongs_each(const struct repair *rc, uint8_t *buf, uint64_t start, uint64_t end, belongs_fn *fn, void *ctx);

/* True if an AGF or an AGI lies where that of this group should. */
bool belongs_has_header(const struct repair *rc, agno_t agno);

#endif
