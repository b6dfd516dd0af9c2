/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_PREFETCH_LATENCY_H
#define XFSCK_PREFETCH_LATENCY_H

#include <pthread.h>
#include <stdint.h>

/* How long requests took, by their size. */
struct latency {
	pthread_mutex_t lock; /* of the sums: over (x, y), bytes and nanoseconds of a request among some */
	double n, x, y, xx, xy;
	uint8_t apart[64]; /* what workers look at before each request shares no cache line with these */
	/* by these, what a request takes of a worker's time, whatever its size is; 0: too little to matter; atomic */
	uint64_t request_ns;
	uint8_t apart_too[64];
};

void latency_init(struct latency *latency);
void latency_destroy(struct latency *latency);
/* A worker with many requests in flight waited so long for this many of them, at least one, with so many bytes. */
void latency_waited(struct latency *latency, uint64_t ns, uint64_t bytes, unsigned requests);
/*
 * Bytes that may take no longer to be read than a request by itself does, where so many workers send them; 0: requests
 * are not dear, or there is too little to go by.
 */
uint64_t latency_gap(const struct latency *latency, unsigned workers);

#endif
