/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single read requests, and what is done after one has failed. */
#ifndef XFSCK_CACHE_READ_H
#define XFSCK_CACHE_READ_H

#include <limits.h>

#include "device.h"

/* Counts of requests that one thread has made, and not yet added to those of the device. */
struct read_tally {
	uint64_t requests;
	uint64_t bytes;
	uint64_t errors;
	uint64_t backward;
};

/*
 * The result of a request that was not made, since a part of the range is known to be unreadable; read_finish() then
 * reads the rest.  read_is_known() says whether that is so.
 */
#define READ_KNOWN (-INT_MAX) /* no errno */
bool read_is_known(const struct device *device, uint64_t offset, size_t len);

/* Issue one request and count it; offset, len and buf are aligned. Bytes read, 0 at the end, or negative errno. */
ssize_t read_request(struct device *device, void *buf, uint64_t offset, size_t len);

/* Count a request that came back with this result.  Returns the result, or a worse one in tests (fault.h). */
ssize_t read_counted(struct device *device, struct read_tally *tally, uint64_t offset, size_t len, ssize_t result);
/* Add the counts to those of the device, which all threads share. */
void read_tell(struct device *device, const struct read_tally *tally);

/* Note that these bytes can't be read; the first time on_loss of device_open() is called. */
void read_lost(struct device *device, uint64_t offset, uint64_t len, int error);

/*
 * Finish a request for len bytes at offset that had this result; offset is aligned, and buf has room for len rounded
 * up.  What is missing is read again, where that failed in units of device->align.  Bytes that can't be read are noted
 * as unreadable, and zeroed, as are those behind the end of the device; they are not read again in this run.  Then what
 * is staged replaces what was read.  0, the negative errno of the first piece lost, or -ENODATA if the device ends
 * before and nothing else is missing.
 */
int read_finish(struct device *device, uint8_t *buf, uint64_t offset, size_t len, ssize_t result);
/* As device_read(), but without the cache. */
int read_staged(struct device *device, void *buf, uint64_t offset, size_t len);
/* As device_read(), but without the cache and without what is staged: what the device itself has. */
int read_below(struct device *device, void *buf, uint64_t offset, size_t len);

#endif
