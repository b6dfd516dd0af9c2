/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts records that consist of numbers, in place, without a function to compare them. */
#ifndef XFSCK_REPAIR_SORT_H
#define XFSCK_REPAIR_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts records by a number for each that decides most of the order, so that few records need to be compared. */

#define NUMBER_SORT_SIZE 128u /* bytes of a record, at most */

struct number_order {
	size_t size; /* bytes of a record */
	/* a record that comes before another by compare() must not have a greater number */
	uint64_t (*number)(const void *record, const void *ctx);
	const void *ctx;
	int (*compare)(const void *a, const void *b);
	const struct number_order *then; /* for sorting many records with the same number; NULL: use compare() */
};

/*
 * Sort in place.  Takes 16 bytes of memory a record, unless these are in order already; without that memory it is as
 * slow as qsort().
 */
void number_sort(void *records, size_t count, const struct number_order *order);

/* The order of two numbers, as comparison functions of qsort() return it. */
static inline int number_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Sort count records of `words` 64-bit numbers each, at most SORT_MAX_WORDS, ascending by the first, then the next. */
#define SORT_MAX_WORDS 2u
void sort_words(uint64_t *all, size_t count, unsigned words);

/* Sorts millions of records that lie in several arrays, by a number for each that decides most of the order, with a
 * thread for each array. */

struct spread_part {
	uint8_t *records; /* by malloc(); NULL: none */
	size_t count;
};

/*
 * Sort the records of all parts into one array, which the caller frees.  The parts are freed, even on failure.  Takes
 * as much memory again as the parts.  number() and compare() are called by several threads.  NULL: out of memory.
 */
uint8_t *spread_sort(struct spread_part *parts, unsigned nparts, const struct number_order *order, size_t *ret_count);

#endif
