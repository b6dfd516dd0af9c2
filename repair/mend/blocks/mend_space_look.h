/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds free space, part by part, for mend_space.c to hand out. */
#ifndef XFSCK_REPAIR_MEND_SPACE_LOOK_H
#define XFSCK_REPAIR_MEND_SPACE_LOOK_H

#include "mend/collect/mend_survey.h"

struct mend;

/* Free blocks [start, end) of an AG or realtime group. */
struct free_extent {
	uint64_t start, end;
};

struct mend_space {
	bool realtime;
	uint32_t least; /* shorter free extents are ignored; 0: none */
	bool mapped;	/* second pass, over free blocks that have an owner in the rmapbt: no others are left */
	bool *seen;	/* per AG or realtime group: searched */
	uint32_t which; /* the current group, which free[] is about */
	uint64_t from;	/* next block to search in it; its length: done */
	struct free_extent *free;
	size_t nfree, next;
	struct mend_survey owners; /* mend_space_owners(); empty: not made yet */
};

/* Replaces s->free by the free extents of the next part. 0, -ENOSPC if no part is left, or another negative errno. */
int mend_space_look(struct mend *m, struct mend_space *s);

#endif
