/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is staged over a device, for reading it; staging itself is in cache.h.  Safe to use from many threads. */
#ifndef XFSCK_CACHE_OVERLAY_H
#define XFSCK_CACHE_OVERLAY_H

#include "cache.h"

struct overlay;

struct overlay *overlay_create(void); /* NULL: out of memory */
void overlay_destroy(struct overlay *overlay);

/* Whether anything was ever staged; costs one load.  If not, the following need not be called. */
bool overlay_any(const struct overlay *overlay);

/*
 * bytes hold [offset, offset + len) of the device, where offset is a multiple of SECTOR_SIZE: replace what is staged in
 * any layer.  0, or the negative errno of the temporary file; then bytes are undefined.
 */
int overlay_apply(struct overlay *overlay, uint8_t *bytes, uint64_t offset, uint64_t len);
/* The same with what is staged in one layer. */
int overlay_apply_layer(struct overlay *overlay, enum overlay_layer layer, uint8_t *bytes, uint64_t offset,
			uint64_t len);

/* The first part of [start, end) that is not staged in any layer, in bytes. False: all of it is. */
bool overlay_gap(struct overlay *overlay, uint64_t start, uint64_t end, uint64_t *ret_start, uint64_t *ret_end);
/* The first byte of [start, end), which is not empty, that may be staged, to within 64 KiB; end: none is. */
uint64_t overlay_next(struct overlay *overlay, uint64_t start, uint64_t end);

#endif
