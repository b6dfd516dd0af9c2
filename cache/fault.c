/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests: makes requests for chosen ranges of a device fail, end short or take longer, with any engine. Reads are
 * done first, so the buffer of a failed one has the contents of the disk; callers must not use it.
 */
#define _DEFAULT_SOURCE 1

#include <unistd.h>

#include "fault.h"

void fault_inject(struct device *device, struct fault *faults, size_t count)
{
	device->faults = faults;
	device->fault_count = count;
}

/* Counts down, unless the count is FAULT_ALWAYS. False: it was 0. */
static bool take_one(atomic_uint *count)
{
	unsigned left = atomic_load(count);

	do {
		if (left == 0 || left == FAULT_ALWAYS)
			return left != 0;
	} while (!atomic_compare_exchange_weak(count, &left, left - 1));
	return true;
}

static bool hits(struct fault *fault, bool write, uint64_t offset, size_t len)
{
	if (fault->writes != write || offset >= fault->offset + fault->len || fault->offset >= offset + len)
		return false;
	return !take_one(&fault->spared) && take_one(&fault->times);
}

ssize_t fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result)
{
	for (struct fault *fault = device->faults; fault < device->faults + device->fault_count; fault++) {
		if (!hits(fault, false, offset, len))
			continue;
		if (fault->delay_us)
			usleep(fault->delay_us);
		if (fault->shorten_to && result > (ssize_t)fault->shorten_to)
			result = fault->shorten_to;
		if (fault->error)
			result = fault->error;
	}
	return result;
}

ssize_t fault_write(struct device *device, uint64_t offset, size_t len)
{
	for (struct fault *fault = device->faults; fault < device->faults + device->fault_count; fault++) {
		if (!hits(fault, true, offset, len))
			continue;
		if (fault->error)
			return fault->error;
		if (fault->shorten_to && len > fault->shorten_to)
			len = fault->shorten_to;
	}
	return (ssize_t)len;
}
