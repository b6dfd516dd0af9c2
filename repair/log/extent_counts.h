/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers kept for buffers, which are named by their first sector and their length. */
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
	uint32_t *slots; /* index in all and 1; 0: empty */
	unsigned log;	 /* of the number of slots */
	struct hash_key key;
};

void extent_counts_free(struct extent_counts *counts);
/* Forget all, but keep the memory. */
void extent_counts_clear(struct extent_counts *counts);
/* The number of a buffer, good until the next extent_counts_add(); NULL: never added. */
uint32_t *extent_counts_find(const struct extent_counts *counts, xdaddr_t daddr, uint32_t len);
/* The same, which is 0 if it was not there. NULL: out of memory. */
uint32_t *extent_counts_add(struct extent_counts *counts, xdaddr_t daddr, uint32_t len);

#endif
