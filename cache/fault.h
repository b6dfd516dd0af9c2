/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests: makes a device fail at chosen places. */
#ifndef XFSCK_CACHE_FAULT_H
#define XFSCK_CACHE_FAULT_H

#include "device.h"

/* The fault of requests that touch [offset, offset + len) of the device. */
struct fault {
	uint64_t offset;
	uint64_t len;
	bool writes;	     /* affects writes, else reads */
	int error;	     /* negative errno of the request; 0: no error */
	uint32_t shorten_to; /* the most bytes it transfers; 0: no limit */
	unsigned delay_us;   /* added to the time of reads */
	atomic_uint spared;  /* requests that succeed first */
	atomic_uint times;   /* requests that then have the fault; later ones succeed */
};

#define FAULT_ALWAYS UINT32_MAX

/* Sets the faults of a device; the caller frees them after the last request. NULL, 0: none. */
void fault_inject(struct device *device, struct fault *faults, size_t count);

/* Returns the result of a read request with faults; result: without. */
ssize_t fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result);

/* Returns how many of len bytes a write may write, or its negative errno. */
ssize_t fault_write(struct device *device, uint64_t offset, size_t len);

#endif
