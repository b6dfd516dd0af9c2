/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing a realtime group's own files anew. */
#ifndef XFSCK_REPAIR_MEND_RT_H
#define XFSCK_REPAIR_MEND_RT_H

#include "mend/base/mend.h"

struct use;

/* What a group says of its blocks. */
enum rt_part {
	RT_WORDS = 1, /* bitmap and summary */
	RT_RMAP = 2,
	RT_REFCOUNT = 4,
	RT_ALL = RT_WORDS | RT_RMAP | RT_REFCOUNT,
};

/* The parts that groups of this file system have. */
unsigned mend_rt_parts(const struct geometry *geo);

/*
 * Write these parts of a group, of those that there are, from the claims on its blocks, which are in order of start
 * (ondisk 09, invariant 2).  Blocks that the files lack are added.  0; -ENOENT: there is no such file, or it makes no
 * sense; -ENOSPC; an error of ag_records_derive(); or another negative errno.
 */
int mend_rt_write(struct mend *m, uint32_t rgno, unsigned parts, struct use *claims, size_t nclaims);

#endif
