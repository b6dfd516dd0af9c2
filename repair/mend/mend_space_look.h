/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where there is free space: part by part, for mend_space.c to hand out. */
#ifndef XFSCK_REPAIR_MEND_SPACE_LOOK_H
#define XFSCK_REPAIR_MEND_SPACE_LOOK_H

#include "mend_space.h"
#include "mend_survey.h"

struct free_extent {
	uint64_t start, end;
};

struct mend_space {
	bool realtime;
	bool mapped;	/* there are no others left than those that the rmapbt has as somebody's */
	bool *seen;	/* AGs, or realtime groups, that have been looked at */
	uint32_t which; /* of them: whose extents these are */
	uint64_t from;	/* block of it that is to be looked at next; its end: nothing is left of it */
	struct free_extent *free;
	size_t nfree, next;
	struct mend_survey owners; /* once it was asked for: mend_space_owners() */
};

/* The next part that there is: s->free, from the first one on. 0, -ENOSPC: there is none, or another negative errno. */
int mend_space_look(struct mend *m, struct mend_space *s);

#endif
