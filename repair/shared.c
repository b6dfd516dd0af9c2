/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ranges of an AG that are shared, by start, and a coarse map in front of
 * them: nearly all extents are told to be unshared by a look at one bit.
 */
#include "shared.h"

#include <errno.h>
#include <stdlib.h>

#define WORD_BITS 64u
#define MAP_LOOKS 8u /* extents over more granules go straight to the ranges */

static int by_start(const void *a, const void *b)
{
	const struct shared_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

int shared_settle(struct ag_state *ag, uint32_t ag_blocks)
{
	if (!ag->nshared)
		return 0;
	qsort(ag->shared, ag->nshared, sizeof(*ag->shared), by_start);
	ag->shared_map = calloc(ag_blocks / SHARED_GRANULE / WORD_BITS + 1, sizeof(*ag->shared_map));
	if (!ag->shared_map)
		return -ENOMEM;
	for (size_t i = 0; i < ag->nshared; i++)
		for (uint32_t g = ag->shared[i].start / SHARED_GRANULE; g <= (ag->shared[i].end - 1) / SHARED_GRANULE;
		     g++)
			ag->shared_map[g / WORD_BITS] |= 1ull << g % WORD_BITS;
	return 0;
}

static bool map_any(const struct ag_state *ag, uint32_t first, uint32_t last)
{
	for (uint32_t g = first; g <= last; g++)
		if (ag->shared_map[g / WORD_BITS] >> g % WORD_BITS & 1)
			return true;
	return false;
}

static int range_cmp(const void *key, const void *element)
{
	const struct shared_range *wanted = key, *range = element;

	if (wanted->end <= range->start)
		return -1;
	return wanted->start >= range->end;
}

bool shared_any(const struct ag_state *ag, agbno_t start, uint32_t len)
{
	const struct shared_range wanted = { start.v, start.v + len };
	uint32_t first = wanted.start / SHARED_GRANULE, last = (wanted.end - 1) / SHARED_GRANULE;

	if (!ag->shared_map || (last - first < MAP_LOOKS && !map_any(ag, first, last)))
		return false;
	return bsearch(&wanted, ag->shared, ag->nshared, sizeof(wanted), range_cmp) != NULL;
}
