/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How runs of free realtime extents and the counters of the summary are summed up (ondisk 09, Summary; 12, S13). */
#ifndef XFSCK_REPAIR_RT_SUM_H
#define XFSCK_REPAIR_RT_SUM_H

#include "sets/hash.h"

/* One run of free extents that begins in a block of the bitmap and whose length has the logarithm `level`. */
static inline uint64_t rt_sum_level(const struct hash_key *key, uint32_t bitmap_block, uint32_t level)
{
	return hash2(key, level, bitmap_block);
}

/* The same for a run of len > 0 extents. */
static inline uint64_t rt_sum_run(const struct hash_key *key, uint32_t bitmap_block, uint64_t len)
{
	return rt_sum_level(key, bitmap_block, 63u - (unsigned)__builtin_clzll(len));
}

#endif
