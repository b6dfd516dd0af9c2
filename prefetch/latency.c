/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long requests take.  Where nobody knows what a device is, this says whether they are dear: memory answers within
 * microseconds, flash and networks within a millisecond, and with many in flight that is hidden; only what moves a
 * head, or has its requests counted, takes longer, however many there are.  Where it is the bytes that come slowly,
 * larger requests would make it worse: so a line is laid through times and sizes, and what counts is the time that is
 * left at size 0.  What was long ago counts less: credit with a device runs out, and hiccups pass.
 */
#include "latency.h"

#define SLOW_NS	    1000000u
#define MIN_SAMPLES 8.0
#define MAX_SAMPLES 256.0
/* Where sizes don't differ by more than this, a byte takes as long as where requests are counted it does at best: */
#define SIZES_BYTES 4096.0
#define BYTE_NS	    10u

void latency_init(struct latency *latency)
{
	*latency = (struct latency){ 0 };
	pthread_mutex_init(&latency->lock, NULL);
}

void latency_destroy(struct latency *latency)
{
	pthread_mutex_destroy(&latency->lock);
}

/* Where the line begins. */
static double at_no_bytes(const struct latency *l)
{
	double spread = l->xx / l->n - l->x / l->n * (l->x / l->n) + SIZES_BYTES * SIZES_BYTES;
	double both = l->xy / l->n - l->x / l->n * (l->y / l->n) + SIZES_BYTES * SIZES_BYTES * BYTE_NS;
	double slope = both > 0 ? both / spread : 0;
	double begin = (l->y - slope * l->x) / l->n;

	return begin > 0 ? begin : 0;
}

void latency_waited(struct latency *latency, uint64_t ns, uint64_t bytes, unsigned requests)
{
	double x = (double)bytes / requests, y = (double)ns / requests;
	uint64_t begin = 0;

	pthread_mutex_lock(&latency->lock);
	if (latency->n >= MAX_SAMPLES) {
		latency->n /= 2;
		latency->x /= 2;
		latency->y /= 2;
		latency->xx /= 2;
		latency->xy /= 2;
	}
	latency->n++;
	latency->x += x;
	latency->y += y;
	latency->xx += x * x;
	latency->xy += x * y;
	if (latency->n >= MIN_SAMPLES)
		begin = (uint64_t)at_no_bytes(latency);
	if (begin <= SLOW_NS)
		begin = 0;
	if (begin != __atomic_load_n(&latency->request_ns, __ATOMIC_RELAXED))
		__atomic_store_n(&latency->request_ns, begin, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&latency->lock);
}

uint64_t latency_gap(const struct latency *latency, unsigned workers)
{
	/* they wait at the same time */
	uint64_t ns = __atomic_load_n(&latency->request_ns, __ATOMIC_RELAXED) / workers;

	return ns > SLOW_NS ? ns / BYTE_NS : 0;
}
