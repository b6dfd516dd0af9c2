/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting records by a number that says most of where each belongs, so that few need to be compared. */
#ifndef XFSCK_REPAIR_NUMBER_SORT_H
#define XFSCK_REPAIR_NUMBER_SORT_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_SORT_SIZE 128u /* bytes of a record, at most */

struct number_order {
	size_t size; /* bytes of a record */
	/* what comes before another by compare() has no greater number than that */
	uint64_t (*number)(const void *record, const void *ctx);
	const void *ctx;
	int (*compare)(const void *a, const void *b);
	const struct number_order *then; /* of many that have the same number, by another one; NULL: by compare() */
};

/*
 * Sort in place.  Takes 16 bytes a record, unless they are in order; where these can't be had, it is as slow as
 * qsort().
 */
void number_sort(void *records, size_t count, const struct number_order *order);

#endif
