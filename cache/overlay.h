/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The staged sectors of a device, for readers; cache.h has the functions for staging. Thread-safe. */
#ifndef XFSCK_CACHE_OVERLAY_H
#define XFSCK_CACHE_OVERLAY_H

#include "cache.h"

struct overlay;

struct overlay *overlay_create(void); /* NULL: out of memory */
void overlay_destroy(struct overlay *overlay);

/* True if anything was ever staged; costs one load. If false, the following calls are unnecessary. */
bool overlay_any(const struct overlay *overlay);

/*
 * Replaces staged sectors in bytes, which hold [offset, offset + len) of the device; offset is a multiple of
 * SECTOR_SIZE. 0, or the negative errno of the temporary file, after which bytes are undefined.
 */
int overlay_apply(struct overlay *overlay, uint8_t *bytes, uint64_t offset, uint64_t len);
/* The same for a single layer. */
int overlay_apply_layer(struct overlay *overlay, enum overlay_layer layer, uint8_t *bytes, uint64_t offset,
			uint64_t len);

/* Finds the first part of [start, end) that is not staged in any layer, in bytes. False: all of it is. */
bool overlay_gap(struct overlay *overlay, uint64_t start, uint64_t end, uint64_t *ret_start, uint64_t *ret_end);
/* True if readers see [offset, offset + len) as if only the lower `layers` layers were there. */
bool overlay_is_below(struct overlay *overlay, unsigned layers, uint64_t offset, uint64_t len);
/* Returns the first byte of [start, end) that may be staged, rounded down to 64 KiB; end: none. start < end. */
uint64_t overlay_next(struct overlay *overlay, uint64_t start, uint64_t end);

#endif
