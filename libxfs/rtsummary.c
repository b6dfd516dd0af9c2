/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summary of the bitmap (ondisk 09, Summary): how many runs of free
 * extents begin in each bitmap block, by the logarithm of their length.  The caller
 * compares the counters with the bitmap when all blocks of both have been read.
 */
#include "rt_block.h"

/* The largest number of runs of at least 2^level extents that can begin in one block of the bitmap. */
static uint32_t max_runs(const struct geometry *g, uint32_t level)
{
	uint64_t extents = rt_block_extents(g);

	return (uint32_t)((extents + (1ull << level)) / ((1ull << level) + 1)) + 1;
}

bool rtsummary_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		      void (*counter)(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count), void *ctx)
{
	const struct geometry *g = c->geo;
	const uint8_t *words = (const uint8_t *)block + rt_header_size(g);
	bool header = rt_header_size(g);
	uint32_t count = rt_block_words(g);
	uint64_t index = expect->block * count;

	if (!rt_block_check(c, block, RTSUMMARY_MAGIC, expect))
		return false;
	for (uint32_t i = 0; i < count; i++, index++) {
		uint32_t runs = rt_block_word(words, i, header);
		uint64_t level;

		if (!runs)
			continue;
		level = index / g->rbmblocks;
		if (level >= g->rsumlevels)
			problem_at(c, F_RTSUMMARY_BEYOND, rt_header_size(g) + i * 4, NO_INDEX, runs, 0);
		else if (runs > max_runs(g, (uint32_t)level))
			problem_at(c, F_RTSUMMARY_COUNTER, rt_header_size(g) + i * 4, NO_INDEX, runs,
				   max_runs(g, (uint32_t)level));
		else
			counter(ctx, (uint32_t)level, (uint32_t)(index % g->rbmblocks), runs);
	}
	return true;
}
