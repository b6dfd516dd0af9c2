/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the log for libxfs/log.h, wherever it lies. */
#ifndef XFSCK_REPAIR_LOG_SOURCE_H
#define XFSCK_REPAIR_LOG_SOURCE_H

#include "cache.h"
#include "geometry.h"

struct log_source {
	struct device *device;
	uint64_t start; /* bytes */
};

/* The log of this geometry, on the device or, if that is not NULL, on log_device. */
struct log_source log_source_of(const struct geometry *geo, struct device *device, struct device *log_device);

/* A log_read of libxfs/log.h; ctx is a struct log_source. */
int log_source_read(void *ctx, void *buf, uint64_t bb, uint32_t count);

#endif
