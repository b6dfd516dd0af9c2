/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long requests take.  Where nobody knows what a device is, this says whether they are dear: memory answers within
 * microseconds, flash and networks within a millisecond, and with many in flight that is hidden; only what moves a
 * head, or is held back, takes longer, however many there are.  So it is slow if a lone small request takes long, by
 * the lower quartile of them, and so does, on average, each of many.  Either alone may be our own delay: the first on a
 * busy machine, the second where data come slowly.
 */
#include <stdlib.h>

#include "latency.h"

#define SLOW_NS	    2000000u
#define MIN_SAMPLES 4u
#define MIN_WAITED  64u

void latency_add(struct latency *latency, uint64_t ns)
{
	unsigned i = __atomic_fetch_add(&latency->count, 1, __ATOMIC_RELAXED);

	if (i < LATENCY_SAMPLES)
		__atomic_store_n(&latency->ns[i], ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX, __ATOMIC_RELAXED);
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void latency_waited(struct latency *latency, uint64_t ns, unsigned requests)
{
	__atomic_fetch_add(&latency->waited_ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&latency->waited, requests, __ATOMIC_RELAXED);
}

bool latency_slow(const struct latency *latency, unsigned workers)
{
	uint64_t waited = __atomic_load_n(&latency->waited, __ATOMIC_RELAXED);
	uint64_t waited_ns = __atomic_load_n(&latency->waited_ns, __ATOMIC_RELAXED);
	unsigned count = __atomic_load_n(&latency->count, __ATOMIC_RELAXED);
	uint32_t sorted[LATENCY_SAMPLES];

	/* they wait at the same time */
	if (waited < MIN_WAITED || waited_ns / waited <= (uint64_t)SLOW_NS * workers)
		return false;
	if (count > LATENCY_SAMPLES)
		count = LATENCY_SAMPLES;
	if (count < MIN_SAMPLES)
		return false;
	for (unsigned i = 0; i < count; i++)
		sorted[i] = __atomic_load_n(&latency->ns[i], __ATOMIC_RELAXED);
	qsort(sorted, count, sizeof(*sorted), ascending);
	return sorted[count / 4] > SLOW_NS;
}
