/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands out blocks to menders, for what they write anew: free by the bnobt, and claimed by nobody. */
#ifndef XFSCK_REPAIR_MEND_SPACE_H
#define XFSCK_REPAIR_MEND_SPACE_H

#include "mend/base/mend.h"

/*
 * Take a run of up to `want` blocks, at least 1, of one AG.  They stay free by the bnobt, so that the next check finds
 * them both free and in use, and has that AG's free-space btrees built anew.  0, -ENOSPC, or another negative errno.
 */
int mend_space_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* The same of realtime blocks, in whole realtime extents; `want` is a multiple of their size. */
int mend_space_take_rt(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/*
 * Take exactly `len` blocks in a row, for what must not lie in pieces; `len` is the same until mend_space_forget().
 * Returns as mend_space_take().
 */
int mend_space_take_whole(struct mend *m, uint32_t len, fsbno_t *ret_start);
/* A run of exactly `len` blocks; all in blocks of an AG. */
struct space_run {
	uint32_t len;
	uint32_t align; /* the run begins at a multiple of this */
	uint32_t whole; /* it lies between the first multiple of this behind the AG's headers, and the AG's last */
};
/*
 * Take such a run from an AG that is not marked in seen[]; AGs that were looked at are marked.  Returns as
 * mend_space_take().
 */
int mend_space_take_run(struct mend *m, const struct space_run *run, bool *seen, fsbno_t *ret_start);
/* Clear blocks that were handed out in a map of an AG's free blocks: by the bnobt they are free until it is rebuilt. */
struct block_map;
void mend_space_clear_taken(const struct mend *m, agno_t agno, struct block_map *free);
/* Take this block, which the caller knows to be nobody else's. 0 or -ENOMEM. */
int mend_space_take_this(struct mend *m, fsbno_t block);
/* Give up a lost block whose contents have been put where they belong: nobody looks at it again. 0 or -ENOMEM. */
int mend_space_give(struct mend *m, fsbno_t block);
/* Note that these blocks of an AG are claimed: somebody has them, or has them back. They are not handed out. */
void mend_space_claim(struct mend *m, fsbno_t start, uint64_t len);
/*
 * After mend_space_take() returned -ENOSPC: a survey of all AGs, made once and valid until mend_space_forget().  Blocks
 * that mend_space_claim() got since are marked in it as claimed twice.  *ret_owners: m's; NULL: it does not fit into
 * memory.  0 or negative errno.
 */
struct mend_survey;
int mend_space_owners(struct mend *m, const struct mend_survey **ret_owners);
/*
 * After mend_space_take() returned -ENOSPC, for an owner of this block: whether nobody else has it by that survey.
 * counted: the owner's own claim is in the survey.  0 or negative errno.
 */
int mend_space_alone(struct mend *m, fsbno_t block, bool counted, bool *ret_alone);
/* Look for free space anew: claims have changed in ways that were not told by the functions above. */
void mend_space_forget(struct mend *m);
/* Drop only the survey that came with the last check. */
void mend_space_forget_survey(struct mend *m);
/* Drop only what is known of the realtime section. */
void mend_space_forget_rt(struct mend *m);

#endif
