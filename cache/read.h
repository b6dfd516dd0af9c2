/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One read request, and what becomes of one that failed. */
#ifndef XFSCK_CACHE_READ_H
#define XFSCK_CACHE_READ_H

#include "device.h"

/* What one thread has counted of its requests, and not yet told the device. */
struct read_tally {
	uint64_t requests;
	uint64_t bytes;
	uint64_t errors;
	uint64_t backward;
};

/* Issue one request and count it; offset, len and buf are aligned. Bytes read, 0 at the end, or negative errno. */
ssize_t read_request(struct device *device, void *buf, uint64_t offset, size_t len);

/* Count a request that came back with this result. What it is to be taken for: tests make it worse, see fault.h. */
ssize_t read_counted(struct device *device, struct read_tally *tally, uint64_t offset, size_t len, ssize_t result);
/* Add it to the counts of the device, which all threads share. */
void read_tell(struct device *device, const struct read_tally *tally);

/*
 * len bytes at offset (aligned; buf has room for len rounded up) were requested with this result: read again
 * what is missing, in ever smaller pieces down to device->align.  Zeroes and notes as unreadable what can't be
 * had, zeroes what lies behind the end of the device.  0, the negative errno of the first piece lost, or
 * -ENODATA if the device ends before and nothing else is missing.  What is staged lies over it then.
 */
int read_finish(struct device *device, uint8_t *buf, uint64_t offset, size_t len, ssize_t result);
/* device_read(), of nothing that is kept. */
int read_staged(struct device *device, void *buf, uint64_t offset, size_t len);
/* device_read() of the device itself, whatever is staged. */
int read_below(struct device *device, void *buf, uint64_t offset, size_t len);

#endif
