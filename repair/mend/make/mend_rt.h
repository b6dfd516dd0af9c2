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
 * Write these parts, of those that there are, from claims as mend_rt_words() takes them.  Returns as that, or
 * mend_rt_tree(), does.
 */
int mend_rt_write(struct mend *m, uint32_t rgno, unsigned parts, struct use *claims, size_t nclaims);

/*
 * Write a group's bitmap and summary, from the claims on its blocks, which are in order of start (ondisk 09,
 * invariant 2).  Blocks that the two files lack are added.  0; -ENOENT: there is no such file, or it makes no sense;
 * -ENOSPC; or another negative errno.
 */
int mend_rt_words(struct mend *m, uint32_t rgno, const struct use *claims, size_t nclaims);

/*
 * Write a group's rtrmapbt or rtrefcountbt, from claims as ag_records_derive() takes them: in new blocks, below a root
 * in the inode (ondisk 09; 12, S14 to S16).  The old blocks belong to nobody then.  Returns likewise, or an error of
 * ag_records_derive().
 */
int mend_rt_tree(struct mend *m, uint32_t rgno, enum btree_kind kind, struct use *claims, size_t *nclaims);

#endif
