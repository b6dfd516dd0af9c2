/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges that cover the current block of a sweep over blocks, sorted by their ends, and the sum of their counts. */
#ifndef XFSCK_REPAIR_OPEN_RANGES_H
#define XFSCK_REPAIR_OPEN_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* How often blocks are used, free, and allowed to be either, and how often they have an owner that may not share. */
struct times {
	int64_t used, free, allowed, alone;
};

struct open_range {
	uint64_t end;
	struct times times;
};

/* Start with { 0 }. */
struct open_ranges {
	struct open_range *v; /* a heap: the least end is first */
	size_t count, room;
	struct times sum;
};

void open_ranges_free(struct open_ranges *open);
/* Adds a range that begins at the current block.  Returns 0 or -ENOMEM. */
int open_ranges_add(struct open_ranges *open, uint64_t end, struct times times);
/* Returns the least end of all ranges; UINT64_MAX: none is open. */
uint64_t open_ranges_end(const struct open_ranges *open);
/* Removes all ranges that end at `end`, which must not be greater than open_ranges_end(). */
void open_ranges_close(struct open_ranges *open, uint64_t end);

#endif
