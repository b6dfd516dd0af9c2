/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts records by a number for each that decides most of the order, so that few records need to be compared. */
#ifndef XFSCK_REPAIR_NUMBER_SORT_H
#define XFSCK_REPAIR_NUMBER_SORT_H

#include <stddef.h>
#include <stdint.h>

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

#endif
