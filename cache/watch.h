/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time limit of requests.  A device is silent if threads wait for it and none of them gets an answer for so long.
 * A slow one that answers is not, however many requests are in flight.  A thread of the device counts the seconds, so
 * those in which the program itself is stopped don't count.
 */
#ifndef XFSCK_CACHE_WATCH_H
#define XFSCK_CACHE_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct device;

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

#endif
