/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests: makes a device fail at chosen places. */
#ifndef XFSCK_CACHE_FAULT_H
#define XFSCK_CACHE_FAULT_H

#include "device.h"

/* What happens to requests that touch [offset, offset + len) of the device. */
struct fault {
	uint64_t offset;
	uint64_t len;
	bool writes;	     /* it is about writes, else about reads */
	int error;	     /* they fail with this negative errno; 0: they don't */
	uint32_t shorten_to; /* they transfer no more bytes than this; 0: no limit */
	unsigned delay_us;   /* reads take so much longer */
	atomic_uint spared;  /* so many requests are left alone first */
	atomic_uint times;   /* then so many have the fault, and later ones don't */
};

#define FAULT_ALWAYS UINT32_MAX

/* Give a device these faults, which the caller frees after the last request. NULL, 0: none. */
void fault_inject(struct device *device, struct fault *faults, size_t count);

/* The result that a read request must return on this device, if its real result was `result`. */
ssize_t fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result);

/* How many of len bytes a write at offset may write, or the negative errno that it must return. */
ssize_t fault_write(struct device *device, uint64_t offset, size_t len);

#endif
