/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a lone small request takes.  Where nobody knows what a device is, this
 * says whether requests are dear: memory answers within microseconds, flash and networks within a millisecond,
 * and with many in flight that is hidden; only what moves a head, or is held back, takes longer.  The lower eighth
 * counts: delays of our own, on a busy machine, are no fault of the device.
 */
#include <stdlib.h>

#include "latency.h"

#define SLOW_NS	    2000000u
#define MIN_SAMPLES 4u

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

bool latency_slow(const struct latency *latency)
{
	unsigned count = __atomic_load_n(&latency->count, __ATOMIC_RELAXED);
	uint32_t sorted[LATENCY_SAMPLES];

	if (count > LATENCY_SAMPLES)
		count = LATENCY_SAMPLES;
	if (count < MIN_SAMPLES)
		return false;
	for (unsigned i = 0; i < count; i++)
		sorted[i] = __atomic_load_n(&latency->ns[i], __ATOMIC_RELAXED);
	qsort(sorted, count, sizeof(*sorted), ascending);
	return sorted[count / 8] > SLOW_NS;
}
