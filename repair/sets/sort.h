/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts records that consist of numbers, in place, without a comparison function. */
#ifndef XFSCK_REPAIR_SORT_H
#define XFSCK_REPAIR_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts records by a number for each that decides most of the order, so that few records need to be compared. */

#define NUMBER_SORT_SIZE 128u /* maximum of bytes of a record */

struct number_order {
	size_t size; /* bytes of a record */
	/* a record that compare() puts before another must not have a greater number */
	uint64_t (*number)(const void *record, const void *ctx);
	const void *ctx;
	int (*compare)(const void *a, const void *b);
	const struct number_order *then; /* for sorting many records with the same number; NULL: use compare() */
};

/*
 * Sorts in place.  Takes 16 bytes of memory per record, unless they are in order already; without that memory it is as
 * slow as qsort().
 */
void number_sort(void *records, size_t count, const struct number_order *order);

/* Compares two numbers, for comparison functions of qsort(). */
static inline int number_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Sorts count records of `words` 64-bit numbers each, at most SORT_MAX_WORDS, ascending by the first, then the next. */
#define SORT_MAX_WORDS 2u
void sort_words(uint64_t *all, size_t count, unsigned words);

/* Sorts millions of records in several arrays, by a number that decides most of the order, with a thread per array. */

struct spread_input {
	uint8_t *records; /* from malloc(); NULL: none */
	size_t count;
};

/*
 * Sorts the records of all parts into one array, for the caller to free.  The parts are freed, even on failure.  Needs
 * as much memory again as the parts.  number() and compare() are called by several threads.  NULL: out of memory.
 */
uint8_t *spread_sort(struct spread_input *inputs, unsigned count, const struct number_order *order, size_t *ret_count);

#endif
