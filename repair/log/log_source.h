/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the log for libxfs/log.h, wherever it lies. */
#ifndef XFSCK_REPAIR_LOG_SOURCE_H
#define XFSCK_REPAIR_LOG_SOURCE_H

#include "cache.h"
#include "geometry.h"

struct log_ahead;

struct log_source {
	struct device *device;
	uint64_t start;		 /* bytes */
	struct log_ahead *ahead; /* NULL: every read is one of the device */
};

/* The log of this geometry, on the device or, if that is not NULL, on log_device. */
struct log_source log_source_of(const struct geometry *geo, struct device *device, struct device *log_device);

/*
 * From here on, large pieces are read where one follows upon the other, and kept for a while. Copies of the source
 * share them, and one frees them. -ENOMEM: then it is as before.
 */
int log_source_read_ahead(struct log_source *log);
/*
 * The head of the log, which has bbs blocks, is thought to be near block bb: read what is looked at then, in the order
 * in which it lies, and keep it. What can't be read is as if it had not been asked for.
 */
void log_source_read_near(const struct log_source *log, uint64_t bbs, uint64_t bb);
void log_source_forget(struct log_source *log);

/* A log_read of libxfs/log.h; ctx is a struct log_source. */
int log_source_read(void *ctx, void *buf, uint64_t bb, uint32_t count);

#endif
