/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts millions of records that lie in several arrays, by a number for each that decides most of the order, with a
 * thread for each array. */
#ifndef XFSCK_REPAIR_SPREAD_SORT_H
#define XFSCK_REPAIR_SPREAD_SORT_H

#include "number_sort.h"

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
