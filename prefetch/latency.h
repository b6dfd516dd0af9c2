/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_PREFETCH_LATENCY_H
#define XFSCK_PREFETCH_LATENCY_H

#include <pthread.h>
#include <stdint.h>

/* How long requests take, depending on their size. */
struct latency {
	pthread_mutex_t lock; /* protects the sums over samples (x, y): mean bytes and nanoseconds of some requests */
	double n, x, y, xx, xy;
	uint8_t apart[64]; /* keeps what workers read before each request off the cache line of the sums */
	/* atomic: what a request takes of a worker's time beside its bytes, by the sums; 0: too little to matter */
	uint64_t request_ns;
	uint8_t apart_too[64];
};

void latency_init(struct latency *latency);
void latency_destroy(struct latency *latency);
/* Add a sample: with many requests in flight, a worker waited ns for `requests` > 0 of them, with so many bytes. */
void latency_waited(struct latency *latency, uint64_t ns, uint64_t bytes, unsigned requests);
/*
 * How many bytes can be read in the time that a request takes beside its bytes, if so many workers send requests: a gap
 * of that size is worth reading through.  0: requests are not slow, or there are too few samples.
 */
uint64_t latency_gap(const struct latency *latency, unsigned workers);

#endif
