/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Radix sort in place, from the highest byte down (American flag sort): each record is swapped into the range for its
 * byte.  Small ranges are sorted by insertion.
 */
#include "sort.h"

#include <stdbool.h>

#define FEW	    64u
#define WORD_BYTES  8u
#define BYTE_VALUES 256u

static inline unsigned byte_of(const uint64_t *record, unsigned byte)
{
	return record[byte / WORD_BYTES] >> (56 - 8 * (byte % WORD_BYTES)) & 0xff;
}

/* The following functions are inlined twice: for records of one word, and of two. */
_Static_assert(SORT_MAX_WORDS == 2, "the sizes that are called for");
#define MADE_TWICE __attribute__((always_inline)) static inline

MADE_TWICE void copy(uint64_t *to, const uint64_t *from, unsigned words)
{
	for (unsigned w = 0; w < words; w++)
		to[w] = from[w];
}

MADE_TWICE bool less(const uint64_t *a, const uint64_t *b, unsigned words)
{
	unsigned w = 0;

	while (w + 1 < words && a[w] == b[w])
		w++;
	return a[w] < b[w];
}

MADE_TWICE void insert(uint64_t *all, size_t count, unsigned words)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t record[SORT_MAX_WORDS];
		size_t at = i;

		copy(record, all + i * words, words);
		for (; at > 0 && less(record, all + (at - 1) * words, words); at--)
			copy(all + at * words, all + (at - 1) * words, words);
		copy(all + at * words, record, words);
	}
}

/* Swaps each record into the range for the value v of its byte, [next[v], end[v]).  Afterwards next equals end. */
MADE_TWICE void distribute(uint64_t *all, unsigned words, unsigned byte, size_t *next, const size_t *end)
{
	for (unsigned v = 0; v < BYTE_VALUES; v++) {
		while (next[v] < end[v]) {
			uint64_t record[SORT_MAX_WORDS], other[SORT_MAX_WORDS];
			unsigned to;

			copy(record, all + next[v] * words, words);
			while ((to = byte_of(record, byte)) != v) {
				uint64_t *place = all + next[to]++ * words;

				copy(other, place, words);
				copy(place, record, words);
				copy(record, other, words);
			}
			copy(all + next[v]++ * words, record, words);
		}
	}
}

/* Returns the first byte, from this one on, in which any two records differ; the number of bytes if none do. */
MADE_TWICE unsigned first_difference(const uint64_t *all, size_t count, unsigned words, unsigned byte)
{
	uint64_t differ[SORT_MAX_WORDS] = { 0 };

	for (size_t i = 1; i < count; i++)
		for (unsigned w = 0; w < words; w++)
			differ[w] |= all[i * words + w] ^ all[w];
	while (byte < words * WORD_BYTES && !byte_of(differ, byte))
		byte++;
	return byte;
}

static void sort_many(uint64_t *all, size_t count, unsigned words, unsigned byte);

/* Sorts records that agree in all bytes before this one. */
static void sort_from(uint64_t *all, size_t count, unsigned words, unsigned byte)
{
	if (count > FEW)
		sort_many(all, count, words, byte);
	else if (words == 1)
		insert(all, count, 1);
	else
		insert(all, count, 2);
}

/* Does the same for many records.  The depth of recursion is at most the number of bytes. */
static void sort_many(uint64_t *all, size_t count, unsigned words, unsigned byte)
{
	size_t next[BYTE_VALUES], end[BYTE_VALUES] = { 0 }, start = 0;

	byte = words == 1 ? first_difference(all, count, 1, byte) : first_difference(all, count, 2, byte);
	if (byte == words * WORD_BYTES)
		return;
	for (size_t i = 0; i < count; i++)
		end[byte_of(all + i * words, byte)]++;
	for (unsigned v = 0; v < BYTE_VALUES; v++) {
		next[v] = start;
		start = end[v] += start;
	}
	if (words == 1)
		distribute(all, 1, byte, next, end);
	else
		distribute(all, 2, byte, next, end);
	start = 0;
	for (unsigned v = 0; v < BYTE_VALUES; v++) {
		sort_from(all + start * words, end[v] - start, words, byte + 1);
		start = end[v];
	}
}

void sort_words(uint64_t *all, size_t count, unsigned words)
{
	sort_from(all, count, words, 0);
}
