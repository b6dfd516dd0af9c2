/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds duplicate names in a directory, or among the attributes of an inode, that lie in different blocks.  A 64-bit
 * keyed hash of each name is kept until all blocks have arrived.  Equal hashes mean equal names, except with odds of
 * 2^-64 per pair.  If there are many, a bitmap indexed by some bits of the hashes shows that most are unique; only the
 * others are sorted.
 */
#include <stdlib.h>

#include "inflight.h"
#include "sets/sort.h"

#define FEW	      1024u /* so many are sorted without the bitmap */
#define BITS_FOR_EACH 8u    /* minimum of bitmap bits for a name: then one name in eight shares its bit by chance */
#define WORD_BITS     64u

void fingerprints_add(struct walker *w, uint64_t **all, size_t *count, size_t *room)
{
	for (size_t i = 0; i < w->nfingerprints; i++) {
		if (walk_grow(w, all, room, *count, sizeof(**all)))
			return;
		(*all)[(*count)++] = w->fingerprints[i];
	}
}

/* Sets a bit; true if it was set before. */
static bool test_and_set(uint64_t *bits, uint64_t bit)
{
	uint64_t mask = 1ull << bit % WORD_BITS, before = bits[bit / WORD_BITS];

	bits[bit / WORD_BITS] = before | mask;
	return before & mask;
}

/* Moves the hashes that may have an equal to the front, and returns their number; all of them if memory is short. */
static size_t keep_suspects(uint64_t *all, size_t count)
{
	size_t words = 1, kept = 0;
	uint64_t *once, *again, last;

	while (words * WORD_BITS / BITS_FOR_EACH < count)
		words *= 2;
	once = calloc(2 * words, sizeof(*once));
	if (!once)
		return count;
	again = once + words;
	last = words * WORD_BITS - 1;
	for (size_t i = 0; i < count; i++)
		if (test_and_set(once, all[i] & last))
			test_and_set(again, all[i] & last);
	for (size_t i = 0; i < count; i++)
		if (again[(all[i] & last) / WORD_BITS] >> all[i] % WORD_BITS & 1)
			all[kept++] = all[i];
	free(once);
	return kept;
}

uint64_t fingerprints_repeated(uint64_t *all, size_t count)
{
	uint64_t repeated = 0;

	if (count > FEW)
		count = keep_suspects(all, count);
	if (!count)
		return 0;
	sort_words(all, count, 1);
	for (size_t i = 1; i < count; i++)
		repeated += all[i] == all[i - 1];
	return repeated;
}
