/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds free space, part by part, for mend_space.c to hand out. */
#ifndef XFSCK_REPAIR_MEND_SPACE_LOOK_H
#define XFSCK_REPAIR_MEND_SPACE_LOOK_H

#include "mend/collect/mend_survey.h"

struct mend;

/* Blocks [start, end) of a group. */
struct free_extent {
	uint64_t start, end;
};

struct mend_space {
	bool realtime;
	uint32_t least; /* shorter free extents are left out; 0: none */
	bool mapped;	/* second pass, over free blocks that the rmapbt has as somebody's: no others are left */
	bool *seen;	/* AGs, or realtime groups, that have been looked at */
	uint32_t which; /* the group at hand, which the extents are of */
	uint64_t from;	/* block of it that is to be looked at next; its length: the group is done */
	struct free_extent *free;
	size_t nfree, next;
	struct mend_survey owners; /* mend_space_owners(); empty: not made yet */
};

/* Replace s->free by the free extents of the next part. 0; -ENOSPC: no part is left; or another negative errno. */
int mend_space_look(struct mend *m, struct mend_space *s);

#endif
