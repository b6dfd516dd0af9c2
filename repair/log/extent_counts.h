/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from buffers, identified by first sector and length, to a number for each. */
#ifndef XFSCK_REPAIR_EXTENT_COUNTS_H
#define XFSCK_REPAIR_EXTENT_COUNTS_H

#include <stddef.h>

#include "sets/hash.h"
#include "units.h"

struct extent_count {
	uint64_t daddr;
	uint32_t len; /* sectors */
	uint32_t count;
};

/* Start with { 0 }. */
struct extent_counts {
	struct extent_count *all; /* in the order in which they were added */
	size_t count, room;
	uint32_t *slots; /* index in all plus 1; 0: empty */
	unsigned log;	 /* there are 1 << log slots */
	struct hash_key key;
};

void extent_counts_free(struct extent_counts *counts);
/* Removes all, but keeps the memory. */
void extent_counts_clear(struct extent_counts *counts);
/* Returns the number of a buffer, valid until the next extent_counts_add(); NULL: not in the table. */
uint32_t *extent_counts_find(const struct extent_counts *counts, xdaddr_t daddr, uint32_t len);
/* Does the same, and adds a missing buffer with the number 0.  NULL: out of memory. */
uint32_t *extent_counts_add(struct extent_counts *counts, xdaddr_t daddr, uint32_t len);

#endif
