/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of cache/ share: an open device, and one read request to it. */
#ifndef XFSCK_CACHE_DEVICE_H
#define XFSCK_CACHE_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "cache.h"
#include "units.h"

struct buffers;
struct fault;
struct kept;
struct overlay;
struct unreadable;

struct device {
	/* fixed after device_open() */
	char *path;
	int fd;
	uint64_t bytes;
	uint32_t align;
	enum device_medium medium;
	bool file;	     /* a regular one, not a block device */
	bool mounted;	     /* as found when it was opened */
	bool may_be_mounted; /* read-only, also when it is opened for writing */
	bool uring;	     /* queues use io_uring */
	bool uring_required; /* else a queue that gets no ring uses threads */

	/* these have locks of their own */
	struct buffers *buffers;
	struct unreadable *unreadable;
	struct overlay *overlay;
	struct kept *kept, *ahead, *below;

	uint8_t apart[64]; /* what all threads look at shares no cache line with what any may write to */
	/* see write.c */
	int write_fd; /* negative: read-only */
	atomic_uint_least64_t written;
	pthread_mutex_t failed_lock;
	uint64_t failed_offset, failed_len; /* of the first one that failed; len 0: none */

	/* see read.c */
	atomic_uint_least64_t witness; /* behind the first byte of a unit that could be read; 0: none could */
	atomic_uint losses;	       /* units that could not */
	atomic_bool gone;

	/* of what has been tallied */
	atomic_uint_least64_t requests;
	atomic_uint_least64_t bytes_read;
	atomic_uint_least64_t backward;
	atomic_uint_least64_t errors;
	atomic_uint_least64_t bytes_kept;

	/* tests only, see fault.h */
	struct fault *faults;
	size_t fault_count;
};

/* align: a power of two */
static inline uint64_t align_down(uint64_t value, uint32_t align)
{
	return value & ~((uint64_t)align - 1);
}

static inline uint64_t align_up(uint64_t value, uint32_t align)
{
	return align_down(value + align - 1, align);
}

/* How many of the len bytes at offset lie before the end of the device. */
static inline size_t device_available(const struct device *device, uint64_t offset, size_t len)
{
	if (offset >= device->bytes)
		return 0;
	return len < device->bytes - offset ? len : device->bytes - offset;
}

#endif
