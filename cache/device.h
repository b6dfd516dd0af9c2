/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to cache/: an open device, its time limit and read rate, and helpers for reads and writes. */
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
 * The time limit of requests. A device is silent if threads wait for it and none gets an answer within the limit. A
 * slow device that answers is not silent, however many requests are in flight. A thread counts the seconds, so that
 * time during which the program is stopped doesn't count.
 */

enum watched {
	WATCH_READ,
	WATCH_WRITE,
	WATCH_FLUSH, /* the limit is ten times as long */
	WATCH_NR,
};

struct watch {
	unsigned limit; /* seconds; 0: none */
	/* see device_options */
	void (*on_silence)(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled);
	const void *ctx;

	atomic_uint waiting[WATCH_NR]; /* threads waiting for an answer */
	atomic_uint answers;
	atomic_bool running; /* `thread` has been started */

	pthread_mutex_t lock; /* for the following members */
	pthread_cond_t news;  /* stop was set */
	pthread_t thread;
	bool stop;
};

void watch_init(struct device *device);
/* The calling thread is about to wait for the device, at byte device->at except for a flush. */
void watch_wait(struct device *device, enum watched what);
/* The calling thread has its answer. */
void watch_answered(struct device *device, enum watched what);
/* Ends the thread until a thread waits again. No thread may be waiting. */
void watch_rest(struct device *device);
void watch_destroy(struct device *device);

/* pace.c: limits on reading */
struct pace {
	uint64_t rate;		    /* bytes per second; 0: no limit */
	uint64_t gap;		    /* ns between requests */
	unsigned share;		    /* percent of the time in which a request may be in flight; 0: no limit */
	atomic_uint_least64_t next; /* earliest time of the next request, in ns of the monotonic clock */
	pthread_mutex_t one;	    /* with a share: locked while a request is in flight */
};
/* requests: per second; 0: no limit */
void pace_init(struct pace *pace, uint64_t rate, unsigned requests, unsigned share);
void pace_destroy(struct pace *pace);
/* Waits until a request for len bytes may be made; keeps to rate and gap only. */
void pace_wait(struct pace *pace, size_t len);
/* Likewise, and keeps to the share. Returns what pace_end() needs, which the same thread calls after the request. */
uint64_t pace_begin(struct pace *pace, size_t len);
void pace_end(struct pace *pace, uint64_t began);

struct device {
	/* fixed after device_open() */
	char *path;
	char *name; /* for messages: the path, and which part of it if not all */
	const struct source_ops *source;
	void *state;   /* private to the source */
	int fd;	       /* negative: neither a file nor a block device */
	int lock_fd;   /* see in_use_lock_part() */
	uint64_t base; /* byte in fd where the device begins */
	uint64_t bytes;
	uint32_t align;
	uint32_t sector;   /* of the device itself, in bytes */
	uint32_t bad_unit; /* bytes that fail together, a multiple of align: the physical sector */
	enum device_medium medium;
	bool file;	     /* a regular file, or a part of one */
	bool block;	     /* a block device, or a part of one */
	bool is_range;	     /* a part of `path` with a size of its own */
	bool mounted;	     /* was mounted (read-only) when it was opened */
	bool may_be_mounted; /* the user accepts that it is mounted read-only, even if it is opened for writing */
	bool uring;	     /* queues use io_uring */
	bool uring_required; /* false: a queue uses threads if it cannot have a ring */
	void (*on_loss)(const void *ctx, const char *name, uint64_t offset, int error); /* see device_options */
	const void *on_loss_ctx;

	/* these have their own locks */
	struct buffers *buffers;
	struct unreadable *unreadable;
	struct overlay *overlay;
	struct kept *kept;  /* for device_keep() */
	struct kept *ahead; /* for device_ahead() */
	struct kept *below; /* for device_keep_below() */

	uint8_t apart[64]; /* keeps the members above, which all threads read, off cache lines that are written */
	/* see write.c */
	bool writable; /* device_open_write() has been called */
	int write_fd;  /* for a file or block device; negative: read-only */
	atomic_uint_least64_t written;
	pthread_mutex_t failed_lock;
	uint64_t failed_offset, failed_len; /* the failed write with the lowest offset; len 0: none */

	/* see read.c */
	uint64_t doubtful;	       /* end of a range in which a read failed while the device was opened; 0: none */
	atomic_uint_least64_t witness; /* offset + 1 of a unit that could be read; 0: none yet */
	atomic_bool gone;	       /* see device_gone() */
	atomic_int gone_error;	       /* error of reading what could be read before; 0: the source knows the reason */
	atomic_bool any_unreadable;    /* see device_any_unreadable() */

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

/* Returns how many of the len bytes at offset are before the end of the device. */
static inline size_t device_available(const struct device *device, uint64_t offset, size_t len)
{
	if (offset >= device->bytes)
		return 0;
	return len < device->bytes - offset ? len : device->bytes - offset;
}

/* Aligned memory for reads, recycled by size. Thread-safe. */

struct buffers *buffers_create(uint32_t align); /* NULL: out of memory */
void buffers_destroy(struct buffers *buffers);	/* no buffer may be in use */

/* Direct I/O: availability and alignment. */

/*
 * Returns the alignment that reads from fd need, in bytes: at least `align`, a power of two. If direct reads don't
 * work, makes fd use the page cache. base: the byte in fd where the device begins; bytes: its size. *ret_failed: the
 * end of the range that was read for this, if that failed; else unchanged.
 */
uint32_t direct_setup(int fd, uint32_t align, uint64_t base, uint64_t bytes, uint64_t *ret_failed);

/* Makes fd use the page cache from now on; harmless to requests in flight. */
void direct_off(int fd);

/* Writes, after device_open_write(). */

/*
 * Like device_write(), for a range that starts at a unit of device->align, and ends at one or with the device. bytes
 * must be aligned as well.
 */
int write_units(struct device *device, const uint8_t *bytes, uint64_t offset, size_t len);
/* Records a failed write for device_write_failed(). Returns the error. */
int write_failed(struct device *device, uint64_t offset, size_t len, int error);

#endif
