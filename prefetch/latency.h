/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_PREFETCH_LATENCY_H
#define XFSCK_PREFETCH_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#define LATENCY_SAMPLES 64u

/* Zeroed to begin with; safe to use from many threads. */
struct latency {
	uint32_t ns[LATENCY_SAMPLES]; /* the first ones */
	unsigned count;
	unsigned waited;    /* requests that many others were in flight with, */
	uint64_t waited_ns; /* and how long workers waited for them */
};

/* A lone small request took so long. */
void latency_add(struct latency *latency, uint64_t ns);
/* A worker with many requests in flight waited so long for that many of them. */
void latency_waited(struct latency *latency, uint64_t ns, unsigned requests);
/* Whether requests are dear, where so many workers send them. False while there is too little to go by. */
bool latency_slow(const struct latency *latency, unsigned workers);

#endif
