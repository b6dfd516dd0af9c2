/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inode chunks that the inode btrees list after the repair, but not before it. */
#ifndef XFSCK_REPAIR_LOSS_UNLISTED_H
#define XFSCK_REPAIR_LOSS_UNLISTED_H

#include "check/facts.h"

struct loss_unlisted {
	struct facts_chunks *of; /* per AG; NULL: there are none */
	struct inobt_record *records;
};

/* Finds them.  rc: the check before the repair; again: the last one.  The caller frees *ret.  0 or negative errno. */
int loss_unlisted_find(const struct repair *rc, const struct repair *again, struct loss_unlisted *ret);
void loss_unlisted_free(struct loss_unlisted *unlisted);

#endif
