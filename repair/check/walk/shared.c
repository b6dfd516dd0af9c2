/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shared ranges of a group, sorted by start, with a bitmap in front of them that is as fine as fits into the
 * processor's nearest cache.  For nearly all extents, one word of the bitmap shows that they are not shared.  For the
 * others, first[] of that word gives the range to begin with.
 */
#include "shared.h"
#include "sets/ordered.h"

#include <errno.h>
#include <stdlib.h>

#define WORD_BITS 64u
#define MAP_BITS  (1u << 17)
#define MAP_WORDS 8u /* longer extents, in words of the map, are looked up in the ranges at once */

void shared_free(struct shared *shared)
{
	if (shared->lent)
		return;
	free(shared->v);
	free(shared->map);
	free(shared->first);
}

int shared_settle(struct shared *shared, uint64_t blocks)
{
	uint32_t words;

	if (!shared->count)
		return 0;
	ordered_sort(shared->v, shared->count, MEMBERS(MEMBER(shared->v, start)));
	while (blocks >> shared->log > MAP_BITS)
		shared->log++;
	words = (uint32_t)(blocks >> shared->log) / WORD_BITS + 1;
	shared->map = calloc(words, sizeof(*shared->map));
	shared->first = calloc(words, sizeof(*shared->first));
	if (!shared->map || !shared->first)
		return -ENOMEM;
	for (size_t i = shared->count; i-- > 0;) {
		uint32_t last = (shared->v[i].end - 1) >> shared->log;

		for (uint32_t g = shared->v[i].start >> shared->log; g <= last; g++) {
			shared->map[g / WORD_BITS] |= 1ull << g % WORD_BITS;
			shared->first[g / WORD_BITS] = (uint32_t)i;
		}
	}
	/* a word without any bit gets the first range of the next word that has one */
	for (uint32_t word = words, first = (uint32_t)shared->count; word-- > 0; first = shared->first[word])
		if (!shared->map[word])
			shared->first[word] = first;
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

bool shared_any(const struct shared *shared, gbno_t start, uint32_t len)
{
	const uint32_t from = (uint32_t)start.v, end = from + len;
	const uint32_t first = from >> shared->log, last = (end - 1) >> shared->log;

	if (!shared->map || (last - first < MAP_WORDS * WORD_BITS && !map_any(shared->map, first, last)))
		return false;
	for (size_t i = shared->first[first / WORD_BITS]; i < shared->count && shared->v[i].start < end; i++)
		if (shared->v[i].end > from)
			return true;
	return false;
}
