/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device that fails where a test wants it to. */
#ifndef XFSCK_CACHE_FAULT_H
#define XFSCK_CACHE_FAULT_H

#include "device.h"

/* What happens to read requests that touch [offset, offset + len) of the device. */
struct fault {
	uint64_t offset;
	uint64_t len;
	int error;	     /* they fail with this negative errno; 0: they don't */
	uint32_t shorten_to; /* they give no more bytes than this; 0: as many as asked for */
	unsigned delay_us;   /* they take so much longer */
	atomic_uint times;   /* for so many requests, then the fault is gone */
};

#define FAULT_ALWAYS UINT32_MAX

/* From now on the device has these faults; they stay the caller's, and must outlive the reads. NULL, 0: none. */
void fault_inject(struct device *device, struct fault *faults, size_t count);

/* What a request at offset that gave this result gives on this device. */
ssize_t fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result);

#endif
