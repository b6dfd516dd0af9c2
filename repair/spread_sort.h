/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting millions of records that lie in several arrays, by a number that says roughly where each belongs. */
#ifndef XFSCK_REPAIR_SPREAD_SORT_H
#define XFSCK_REPAIR_SPREAD_SORT_H

#include <stddef.h>
#include <stdint.h>

struct spread_part {
	uint8_t *records; /* malloc()ed; NULL: none */
	size_t count;
};

struct spread_order {
	size_t size; /* bytes of a record */
	/* what comes before another by compare() has no greater number than that */
	uint64_t (*number)(const void *record, const void *ctx);
	const void *ctx;
	int (*compare)(const void *a, const void *b);
};

/*
 * All of them in one array, for the caller to free; the parts are freed and empty, whatever comes of it.  Takes as much
 * memory again as the parts.  NULL: out of memory.
 */
uint8_t *spread_sort(struct spread_part *parts, unsigned nparts, const struct spread_order *order, size_t *ret_count);

#endif
