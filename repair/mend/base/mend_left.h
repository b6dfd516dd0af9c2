/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects that menders leave as they are, and why. */
#ifndef XFSCK_REPAIR_MEND_LEFT_H
#define XFSCK_REPAIR_MEND_LEFT_H

#include "mends.h"
#include "report/finding.h"

/* Inodes that there was no room to mend. */
struct mend_left {
	struct no_room {
		xino_t ino;
		enum mend_kind kind; /* the mender that would have done it */
	} * v;
	size_t count, room;
};

struct mend;
/*
 * For a mender that could not mend what these findings are about, which is no reason to stop the others: 0, and it
 * stays as it is, if it can't be read (-ENOENT), or there is no room for what had to be written (-ENOSPC).  Any other
 * `error`, or -ENOMEM.
 */
int mend_left(struct mend *m, const struct found *found, size_t count, int error);
/* In the end: how many of these findings, those that are left, are so because their mender had no room. */
uint64_t mend_left_without_room(struct mend *m, const struct found *found, size_t count);
void mend_left_free(struct mend *m);

#endif
