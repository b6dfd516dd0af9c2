/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_PREFETCH_LATENCY_H
#define XFSCK_PREFETCH_LATENCY_H

#include <pthread.h>
#include <stdint.h>

/* The time of requests as a function of their size. */
struct latency {
	pthread_mutex_t lock; /* for the sums over samples (x, y): mean bytes and nanoseconds of some requests */
	double n, x, y, xx, xy;
	uint8_t apart[64]; /* keeps what workers read before each request off the cache line of the sums */
	/* atomic: a request's cost in a worker's time besides its bytes, from the sums; 0: negligible */
	uint64_t request_ns;
	uint8_t apart_too[64];
};

void latency_init(struct latency *latency);
void latency_destroy(struct latency *latency);
/* Adds a sample: with many requests in flight, a worker waited ns for `requests` > 0 of them, with this many bytes. */
void latency_waited(struct latency *latency, uint64_t ns, uint64_t bytes, unsigned requests);
/*
 * Returns the bytes that can be read in the time of an additional request if this many workers submit requests: smaller
 * gaps are worth reading. 0: requests are not slow, or there are too few samples.
 */
uint64_t latency_gap(const struct latency *latency, unsigned workers);

#endif
