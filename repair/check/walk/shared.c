/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shared ranges of an AG, sorted by start, with a bitmap in front of them that is as fine as fits into the nearest
 * cache of the processor.  For nearly all extents, one word of the bitmap tells that they are not shared.  For the
 * others, shared_first[] of that word tells at which range to begin.
 */
#include "shared.h"
#include "sets/ordered.h"

#include <errno.h>
#include <stdlib.h>

#define WORD_BITS 64u
#define MAP_BITS  (1u << 17)
#define MAP_WORDS 8u /* extents that span more words of the map are looked up in the ranges at once */

int shared_settle(struct ag_state *ag, uint32_t ag_blocks)
{
	uint32_t words;

	if (!ag->nshared)
		return 0;
	ordered_sort(ag->shared, ag->nshared, MEMBERS(MEMBER(ag->shared, start)));
	while (ag_blocks >> ag->shared_log > MAP_BITS)
		ag->shared_log++;
	words = (ag_blocks >> ag->shared_log) / WORD_BITS + 1;
	ag->shared_map = calloc(words, sizeof(*ag->shared_map));
	ag->shared_first = calloc(words, sizeof(*ag->shared_first));
	if (!ag->shared_map || !ag->shared_first)
		return -ENOMEM;
	for (size_t i = ag->nshared; i-- > 0;) {
		uint32_t last = (ag->shared[i].end - 1) >> ag->shared_log;

		for (uint32_t g = ag->shared[i].start >> ag->shared_log; g <= last; g++) {
			ag->shared_map[g / WORD_BITS] |= 1ull << g % WORD_BITS;
			ag->shared_first[g / WORD_BITS] = (uint32_t)i;
		}
	}
	/* a word without any bit has the first range of the next word that has one */
	for (uint32_t word = words, first = (uint32_t)ag->nshared; word-- > 0; first = ag->shared_first[word])
		if (!ag->shared_map[word])
			ag->shared_first[word] = first;
	return 0;
}

/* True if any of the bits from first to last is set. */
static bool map_any(const uint64_t *map, uint32_t first, uint32_t last)
{
	uint64_t mask = ~0ull << first % WORD_BITS;

	for (uint32_t word = first / WORD_BITS; word < last / WORD_BITS; word++, mask = ~0ull)
		if (map[word] & mask)
			return true;
	return map[last / WORD_BITS] & mask & ~0ull >> (WORD_BITS - 1 - last % WORD_BITS);
}

bool shared_any(const struct ag_state *ag, agbno_t start, uint32_t len)
{
	uint32_t end = start.v + len;
	uint32_t first = start.v >> ag->shared_log, last = (end - 1) >> ag->shared_log;

	if (!ag->shared_map || (last - first < MAP_WORDS * WORD_BITS && !map_any(ag->shared_map, first, last)))
		return false;
	for (size_t i = ag->shared_first[first / WORD_BITS]; i < ag->nshared && ag->shared[i].start < end; i++)
		if (ag->shared[i].end > start.v)
			return true;
	return false;
}
