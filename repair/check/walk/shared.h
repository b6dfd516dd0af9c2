/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which blocks of a group files may share, by its refcount btree, which is read before the first inode is looked at. */
#ifndef XFSCK_REPAIR_SHARED_H
#define XFSCK_REPAIR_SHARED_H

#include <stddef.h>

#include "geometry.h"

/* blocks [start, end) of the group that several files may have, by a record of the refcount btree */
struct shared_range {
	uint32_t start;
	uint32_t end;
};

/* All of a group's. Zero is none. */
struct shared {
	struct shared_range *v; /* by start, once all are known */
	size_t count, room;
	uint64_t *map;	 /* a bit per 1 << log blocks: set if any of them is shared; NULL: none is */
	uint32_t *first; /* for each word of the map, the first range that reaches into it or lies behind it */
	unsigned log;
	bool lent; /* all of it is another traversal's */
};

void shared_free(struct shared *shared);
/* Make the ranges searchable once all have been added, in any order. blocks: length of the group. 0 or -ENOMEM. */
int shared_settle(struct shared *shared, uint64_t blocks);
/* Whether any of len > 0 blocks from start is shared. */
bool shared_any(const struct shared *shared, gbno_t start, uint32_t len);

#endif
