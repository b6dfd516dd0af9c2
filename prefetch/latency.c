/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the time of requests, to find out whether they are expensive on an unknown device. Memory answers within
 * microseconds, flash and networks within a millisecond, which is hidden with many requests in flight. Only a device
 * that moves a head, or limits the number of requests, takes longer however many are in flight. If bytes are slow,
 * larger requests would be worse; so a line is fitted through times and sizes, and its value at size 0 counts. Older
 * samples count less, since burst credits run out, and hiccups pass.
 */
#include "latency.h"

#define SLOW_NS	    1000000u
#define MIN_SAMPLES 8.0
#define MAX_SAMPLES 256.0
/*
 * If sizes differ by less than SIZES_BYTES, the slope cannot be measured. Then a byte is assumed to take BYTE_NS, the
 * best case on devices that limit the number of requests.
 */
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

/* Returns the time at size 0, by linear regression. */
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
	/* workers wait concurrently, so each request takes only a share of the time */
	uint64_t ns = __atomic_load_n(&latency->request_ns, __ATOMIC_RELAXED) / workers;

	return ns > SLOW_NS ? ns / BYTE_NS : 0;
}
