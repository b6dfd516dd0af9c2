/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device that fails where a test wants it to. */
#ifndef XFSCK_CACHE_FAULT_H
#define XFSCK_CACHE_FAULT_H

#include "device.h"

/* What happens to requests (reads, or writes if it says so) that touch [offset, offset + len) of the device. */
struct fault {
	uint64_t offset;
	uint64_t len;
	bool writes;
	int error;	     /* they fail with this negative errno; 0: they don't */
	uint32_t shorten_to; /* they give no more bytes than this; 0: as many as asked for */
	unsigned delay_us;   /* they take so much longer */
	atomic_uint spared;  /* so many requests come before that are none of it */
	atomic_uint times;   /* for so many requests, then the fault is gone */
};

#define FAULT_ALWAYS UINT32_MAX

/* From now on the device has these faults; they stay the caller's, and must outlive the reads. NULL, 0: none. */
void fault_inject(struct device *device, struct fault *faults, size_t count);

/* What a read request at offset that gave this result gives on this device. */
ssize_t fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result);

/* How many of len bytes a write at offset may write, or the negative errno that it must give. */
ssize_t fault_write(struct device *device, uint64_t offset, size_t len);

#endif
