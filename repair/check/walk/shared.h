/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of a group that files may share, by its refcount btree, which is read before the first inode. */
#ifndef XFSCK_REPAIR_SHARED_H
#define XFSCK_REPAIR_SHARED_H

#include <stddef.h>

#include "geometry.h"

/* blocks [start, end) of the group that may have several owners, by a refcount record */
struct shared_range {
	uint32_t start;
	uint32_t end;
};

/* All shared ranges of a group.  Start with { 0 }. */
struct shared {
	struct shared_range *v; /* sorted by start, after shared_settle() */
	size_t count, room;
	uint64_t *map;	 /* a bit per 1 << log blocks: set if any of them is shared; NULL: none is */
	uint32_t *first; /* for each word of the map, the first range that overlaps it or lies behind it */
	unsigned log;
	bool lent; /* the memory belongs to another traversal */
};

void shared_free(struct shared *shared);
/* Makes the ranges searchable, after all were added in any order.  blocks: length of the group.  0 or -ENOMEM. */
int shared_settle(struct shared *shared, uint64_t blocks);
/* True if any of len > 0 blocks from start is shared. */
bool shared_any(const struct shared *shared, gbno_t start, uint32_t len);

#endif
