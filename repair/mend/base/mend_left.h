/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects that menders leave as they are, and why. */
#ifndef XFSCK_REPAIR_MEND_LEFT_H
#define XFSCK_REPAIR_MEND_LEFT_H

#include "mends.h"
#include "report/finding.h"

enum left_reason {
	LEFT_NO_ROOM,	  /* no space is free for what has to be written */
	LEFT_UNREADABLE,  /* what has to be read can't be, or makes no sense */
	LEFT_TOO_LARGE,	  /* it takes more memory or reading than there should be */
	LEFT_NOT_PLANNED, /* the user has deleted that fix from the plan */
	LEFT_NR,
};

/* Start with { 0 }. */
struct mend_left {
	struct left_object {
		xino_t ino;	     /* the inode; NULL_INO: the headers and trees of ... */
		agno_t agno;	     /* ... this group */
		uint32_t rgno;	     /* ... or of this realtime group */
		enum mend_kind kind; /* the mender that would have done it */
		enum left_reason reason;
	} * v;
	size_t count, room;
};

struct mend;
/*
 * For a mender that could not mend what these findings are about, which is no reason to stop the others: 0, and it
 * stays as it is, if what it takes can't be read (-ENOENT), there is no room for what had to be written (-ENOSPC), or
 * it is too much (-E2BIG).  Any other `error`, or -ENOMEM.
 */
int mend_left(struct mend *m, const struct found *found, size_t count, int error);
/* In the end: how many of these findings, those that are left, are so because their mender met this reason. */
uint64_t mend_left_count(struct mend *m, enum left_reason reason, const struct found *found, size_t count);
/* True if the mender of this finding could not mend what it is about. */
bool mend_is_left(struct mend *m, const struct found *found);
void mend_left_free(struct mend *m);

#endif
