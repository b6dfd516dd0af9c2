/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of blocks that have begun and not ended, by their ends, and what they add up to. */
#ifndef XFSCK_REPAIR_OPEN_RANGES_H
#define XFSCK_REPAIR_OPEN_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* How often blocks are used, free, and may be either; and how often by somebody who may not share them. */
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
/* 0 or -ENOMEM. */
int open_ranges_add(struct open_ranges *open, uint64_t end, struct times times);
/* Where the next of them ends; UINT64_MAX: none is open. */
uint64_t open_ranges_end(const struct open_ranges *open);
/* All that end there: it is where the next one does, or before. */
void open_ranges_close(struct open_ranges *open, uint64_t end);

#endif
