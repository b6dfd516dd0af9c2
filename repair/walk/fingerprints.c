/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Duplicate names in a directory, or among the attributes of an inode, that
 * lie in different blocks: a 64-bit keyed hash of each name is kept until all blocks
 * have come; equal hashes are equal names but for odds of 2^-64 per pair.  Of many, most are told to have no equal by a
 * few of their bits; only the others are sorted.
 */
#include <stdlib.h>

#include "inflight.h"
#include "sets/sort.h"

#define FEW	      1024u /* are sorted at once */
#define BITS_FOR_EACH 8u    /* at least: every eighth name has its bit by chance with another then */
#define WORD_BITS     64u

void fingerprints_add(struct walker *w, uint64_t **all, size_t *count, size_t *room)
{
	for (size_t i = 0; i < w->nfingerprints; i++) {
		if (walk_grow(w, all, room, *count, sizeof(**all)))
			return;
		(*all)[(*count)++] = w->fingerprints[i];
	}
}

/* Set a bit: true if it was set before. */
static bool set(uint64_t *bits, uint64_t bit)
{
	uint64_t mask = 1ull << bit % WORD_BITS, before = bits[bit / WORD_BITS];

	bits[bit / WORD_BITS] = before | mask;
	return before & mask;
}

/* Move those that may have an equal to the front, and return how many they are. */
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
		if (set(once, all[i] & last))
			set(again, all[i] & last);
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
