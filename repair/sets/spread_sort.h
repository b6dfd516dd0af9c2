/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting millions of records that lie in several arrays, by a number that says roughly where each belongs: with a
 * thread for each array. */
#ifndef XFSCK_REPAIR_SPREAD_SORT_H
#define XFSCK_REPAIR_SPREAD_SORT_H

#include "number_sort.h"

struct spread_part {
	uint8_t *records; /* malloc()ed; NULL: none */
	size_t count;
};

/*
 * All of them in one array, for the caller to free; the parts are freed and empty, whatever comes of it.  Takes as much
 * memory again as the parts.  number() and compare() are called by several threads.  NULL: out of memory.
 */
uint8_t *spread_sort(struct spread_part *parts, unsigned nparts, const struct number_order *order, size_t *ret_count);

#endif
