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
};

void latency_add(struct latency *latency, uint64_t ns);
/* Whether requests are dear. False while there is too little to go by. */
bool latency_slow(const struct latency *latency);

#endif
