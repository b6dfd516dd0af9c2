/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hashes by which runs of free realtime extents are compared with counters of the summary (ondisk 09; 12, S13). */
#ifndef XFSCK_REPAIR_RT_SUM_H
#define XFSCK_REPAIR_RT_SUM_H

#include "sets/hash.h"

/* The hash of a run of free extents that begins in this block of the bitmap, and whose length has the log2 `level`. */
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
