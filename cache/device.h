/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of cache/ share: an open device, and one read request to it. */
#ifndef XFSCK_CACHE_DEVICE_H
#define XFSCK_CACHE_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cache.h"
#include "units.h"

struct buffers;
struct fault;
struct kept;
struct overlay;
struct source_ops;
struct unreadable;

/*
 * The time limit of requests.  A device is silent if threads wait for it and none of them gets an answer for so long.
 * A slow one that answers is not, however many requests are in flight.  A thread of the device counts the seconds, so
 * those in which the program itself is stopped don't count.
 */

enum watched {
	WATCH_READ,
	WATCH_WRITE,
	WATCH_FLUSH, /* may take ten times as long */
	WATCH_NR,
};

struct watch {
	unsigned limit; /* seconds; 0: none */
	/* see device_options */
	void (*on_silence)(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled);
	const void *ctx;

	atomic_uint waiting[WATCH_NR]; /* threads that wait for an answer */
	atomic_uint answers;
	atomic_bool running; /* `thread` was started */

	pthread_mutex_t lock; /* for the following */
	pthread_cond_t news;  /* stop was set */
	pthread_t thread;
	bool stop;
};

void watch_init(struct device *device);
/* The calling thread is about to wait for the device; device->at is where, but for a flush. */
void watch_wait(struct device *device, enum watched what);
/* It has its answer. */
void watch_answered(struct device *device, enum watched what);
/* End the thread, until somebody waits again.  Nobody may be waiting. */
void watch_rest(struct device *device);
void watch_destroy(struct device *device);

/* pace.c: limits of what is read in a second */
struct pace {
	uint64_t rate;		    /* bytes; 0: without limit */
	uint64_t gap;		    /* ns from one request to the next */
	atomic_uint_least64_t next; /* when that may be, on the monotonic clock: ns */
};
/* requests: in a second; 0: without limit */
void pace_init(struct pace *pace, uint64_t rate, unsigned requests);
/* Wait until a request for so many bytes may be made. */
void pace_wait(struct pace *pace, size_t len);

struct device {
	/* fixed after device_open() */
	char *path;
	char *name; /* for messages: the path, and which part of it */
	const struct source_ops *source;
	void *state;   /* the source's own */
	int fd;	       /* negative: it is no file or block device */
	int lock_fd;   /* see in_use_lock_part() */
	uint64_t base; /* where it begins in what fd is open on: byte */
	uint64_t bytes;
	uint32_t align;
	uint32_t sector;   /* of the device itself: bytes */
	uint32_t bad_unit; /* bytes that are bad together, a multiple of align: a physical sector */
	enum device_medium medium;
	bool file;	     /* a regular file, or a part of one */
	bool block;	     /* a block device, or a part of one */
	bool part;	     /* only a part of what path names, of a size of its own */
	bool mounted;	     /* it was mounted (read-only) when it was opened */
	bool may_be_mounted; /* the user allows that it is mounted read-only, even when it is opened for writing */
	bool uring;	     /* queues use io_uring */
	bool uring_required; /* false: a queue that gets no ring uses threads */
	void (*on_loss)(const void *ctx, const char *name, uint64_t offset, int error); /* see device_options */
	const void *on_loss_ctx;

	/* these have locks of their own */
	struct buffers *buffers;
	struct unreadable *unreadable;
	struct overlay *overlay;
	struct kept *kept;  /* for device_keep() */
	struct kept *ahead; /* for device_ahead() */
	struct kept *below; /* for device_keep_below() */

	uint8_t apart[64]; /* keeps the above, which all threads read, off cache lines that are written to */
	/* see write.c */
	bool writable; /* device_open_write() has been called */
	int write_fd;  /* of a file or block device; negative: read-only */
	atomic_uint_least64_t written;
	pthread_mutex_t failed_lock;
	uint64_t failed_offset, failed_len; /* the range of the first write that failed; len 0: none did */

	/* see read.c */
	uint64_t doubtful; /* a read of some of the bytes before this one has failed while the device was opened */
	atomic_uint_least64_t witness; /* 1 plus the offset of a unit that could be read; 0: none could so far */
	atomic_bool gone;	       /* see device_gone() */
	atomic_int gone_error;	       /* with which what could be read before failed; 0: the source knows why */
	atomic_bool lost_any;	       /* see device_lost_any() */

	struct watch watch;
	struct pace pace;

	/* for device_counts() */
	atomic_uint_least64_t requests;
	atomic_uint_least64_t bytes_read;
	atomic_uint_least64_t backward;
	atomic_uint_least64_t errors;
	atomic_uint_least64_t bytes_kept;
	atomic_uint_least64_t arrived;
	atomic_uint_least64_t at;
	atomic_uint_least64_t compared;

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

/* Aligned memory for reads, recycled by size.  Safe to use from many threads. */

struct buffers *buffers_create(uint32_t align); /* NULL: out of memory */
void buffers_destroy(struct buffers *buffers);	/* no buffer may be in use any more */

/* Direct I/O: whether it works, and how it must be aligned. */

/*
 * The alignment in bytes that reads from fd need, at least the given one, which is a power of two.  If direct reads
 * don't work, fd is set to read through the page cache. base: the byte where the device begins in fd;
 * bytes: its size.  *ret_failed: the end of what was read for that, if it can't be read; else unchanged.
 */
uint32_t direct_setup(int fd, uint32_t align, uint64_t base, uint64_t bytes, uint64_t *ret_failed);

/* Read through the page cache from now on; harmless to requests in flight. */
void direct_off(int fd);

/* Writing to a device that is open for it, see device_open_write(). */

/*
 * As device_write(), for a range that starts on a unit of device->align, and ends on one or with the device; the
 * address of bytes is aligned, too.
 */
int write_units(struct device *device, const uint8_t *bytes, uint64_t offset, size_t len);
/* Note that a write of this range has failed, for device_write_failed(). Returns the error. */
int write_failed(struct device *device, uint64_t offset, size_t len, int error);

#endif
