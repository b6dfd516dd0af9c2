/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the log for libxfs/log.h, from the data device or a log device. */
#ifndef XFSCK_REPAIR_LOG_SOURCE_H
#define XFSCK_REPAIR_LOG_SOURCE_H

#include "cache.h"
#include "geometry.h"

struct log_ahead;

struct log_source {
	struct device *device;
	uint64_t start;		 /* of the log on the device, in bytes */
	struct log_ahead *ahead; /* windows that were read ahead; NULL: each read goes to the device */
};

/* Returns the log of this geometry, on the device or, unless NULL, on log_device. */
struct log_source log_source_of(const struct geometry *geo, struct device *device, struct device *log_device);

/*
 * Makes sequential reads read large windows from now on, and keeps them for a while.  Copies of the source share the
 * windows; only one may call log_source_forget().  Returns 0, or -ENOMEM with nothing changed.
 */
int log_source_read_ahead(struct log_source *log);
/*
 * Reads and keeps, in the order of the disk, the blocks that the search for the head reads if it is near block bb of a
 * log of bbs blocks.  Errors are ignored: those blocks will be read again when they are needed.
 */
void log_source_read_near(const struct log_source *log, uint64_t bbs, uint64_t bb);
/* Frees the windows, and stops reading ahead. */
void log_source_forget(struct log_source *log);

/* A log_read of libxfs/log.h; ctx is a struct log_source. */
int log_source_read(void *ctx, void *buf, uint64_t bb, uint32_t count);

#endif
