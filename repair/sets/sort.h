/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts records that consist of numbers, in place, without a function to compare them. */
#ifndef XFSCK_REPAIR_SORT_H
#define XFSCK_REPAIR_SORT_H

#include <stddef.h>
#include <stdint.h>

/* The order of two numbers, as comparison functions of qsort() return it. */
static inline int number_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Sort count records of `words` 64-bit numbers each, at most SORT_MAX_WORDS, ascending by the first, then the next. */
#define SORT_MAX_WORDS 2u
void sort_words(uint64_t *all, size_t count, unsigned words);

#endif
