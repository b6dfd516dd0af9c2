/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the metadata files of a realtime group. */
#ifndef XFSCK_REPAIR_MEND_RT_H
#define XFSCK_REPAIR_MEND_RT_H

#include "mend/base/mend.h"

struct use;

/* The metadata of a group about its blocks. */
enum rt_kind {
	RT_WORDS = 1, /* bitmap and summary */
	RT_RMAP = 2,
	RT_REFCOUNT = 4,
	RT_ALL = RT_WORDS | RT_RMAP | RT_REFCOUNT,
};

/* Returns the parts that the groups of this file system have. */
unsigned mend_rt_kinds(const struct geometry *geo);

/*
 * Writes those of these parts that exist, from the claims on the group's blocks, in order of start (ondisk 09,
 * invariant 2).  Blocks that the files lack are added.  0; -ENOENT: such a file does not exist or is invalid; -ENOSPC;
 * an error of ag_records_derive(); or another negative errno.
 */
int mend_rt_write(struct mend *m, uint32_t rgno, unsigned kinds, struct use *claims, size_t nclaims);

#endif
