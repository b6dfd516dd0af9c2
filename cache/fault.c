/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device that fails where a test wants it to: fails, shortens or delays the
 * requests of chosen ranges, whichever engine issued them.  The reads are done first, so
 * a buffer holds what was on the disk and must not be seen by anyone.
 */
#define _DEFAULT_SOURCE 1

#include <unistd.h>

#include "fault.h"

void fault_inject(struct device *device, struct fault *faults, size_t count)
{
	device->faults = faults;
	device->fault_count = count;
}

static bool hits(struct fault *fault, bool write, uint64_t offset, size_t len)
{
	unsigned times;

	if (fault->writes != write || offset >= fault->offset + fault->len || fault->offset >= offset + len)
		return false;
	times = atomic_load(&fault->times);
	do {
		if (times == 0)
			return false;
		if (times == FAULT_ALWAYS)
			return true;
	} while (!atomic_compare_exchange_weak(&fault->times, &times, times - 1));
	return true;
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
