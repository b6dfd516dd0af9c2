/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single read requests, and retries after failures. */
#ifndef XFSCK_CACHE_READ_H
#define XFSCK_CACHE_READ_H

#include <limits.h>

#include "device.h"

/* Counts of requests by one thread that are not yet added to the device's. */
struct read_tally {
	uint64_t requests;
	uint64_t bytes;
	uint64_t errors;
	uint64_t backward;
};

/*
 * The result of a request that was not made because part of its range is known to be unreadable; read_finish() reads
 * the rest. read_is_known() returns true for such a range.
 */
#define READ_KNOWN (-INT_MAX) /* not an errno */
bool read_is_known(const struct device *device, uint64_t offset, size_t len);

/* Makes one request, all aligned, and counts it. Returns bytes read, 0 at the end, or negative errno. */
ssize_t read_request(struct device *device, void *buf, uint64_t offset, size_t len);

/* Counts a completed request. Returns its result, or a worse one in tests (fault.h). */
ssize_t read_counted(struct device *device, struct read_tally *tally, uint64_t offset, size_t len, ssize_t result);
/* Adds the counts to those of the device, which threads share. */
void read_tell(struct device *device, const struct read_tally *tally);

/* Records that these bytes are unreadable; calls on_loss of device_open() the first time. */
void read_lost(struct device *device, uint64_t offset, uint64_t len, int error);

/*
 * Completes a request for len bytes at offset, which is aligned, with this result; buf has room for len rounded up.
 * Missing bytes are read again, after failures in units of device->bad_unit. Unreadable bytes are recorded and zeroed,
 * and not read again in this run; bytes beyond the end are zeroed. Then staged bytes replace those read. 0, the
 * negative errno of the first loss, or -ENODATA if only bytes beyond the end are missing.
 */
int read_finish(struct device *device, uint8_t *buf, uint64_t offset, size_t len, ssize_t result);
/* Like device_read(), but without the cache. */
int read_staged(struct device *device, void *buf, uint64_t offset, size_t len);
/* Like device_read(), but without the cache and the overlay: the contents of the device itself. */
int read_below(struct device *device, void *buf, uint64_t offset, size_t len);

#endif
