/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands out blocks to menders, for what they write anew: free by the bnobt, and claimed by nobody. */
#ifndef XFSCK_REPAIR_MEND_SPACE_H
#define XFSCK_REPAIR_MEND_SPACE_H

#include "mend/base/mend.h"

struct block_map;
struct mend_inode;
struct mend_survey;

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
int mend_space_owners(struct mend *m, const struct mend_survey **ret_owners);
/*
 * After mend_space_take() returned -ENOSPC, for an owner of this block: whether nobody else has it by that survey.
 * counted: the owner's own claim is in the survey.  0 or negative errno.
 */
int mend_space_alone(struct mend *m, fsbno_t block, bool counted, bool *ret_alone);
/* Look for free space anew. */
void mend_space_forget(struct mend *m);
/*
 * The same, after claims were changed without the functions above.  Until the round ends, no bnobt is trusted by
 * itself.
 */
void mend_space_outdated(struct mend *m);
/* Drop only the survey that came with the last check. */
void mend_space_forget_survey(struct mend *m);
/* Drop only what is known of the realtime section. */
void mend_space_forget_rt(struct mend *m);

/* A last resort: blocks for extent maps that must be written before any block is known to be free. */

/*
 * Find `need` blocks of zeroes that nobody has by this survey, if m->zeroes allows it; else note there that it is
 * wanted. 0, -ENOSPC, or another negative errno.
 */
int mend_space_take_zeroes(struct mend *m, const struct mend_survey *owners, fsbno_t *blocks, uint32_t need);

/* Writes an object anew in its own blocks, if the file system has no free ones. */

/* Whether the block there, or the directory block that begins there, has this address and owner in its header. */
bool mend_own_says(struct mend *m, xino_t ino, fsbno_t fsbno);

/*
 * Begin to write a directory or attributes anew: the fork's blocks will be given up.  Until mend_own_end(),
 * mend_space_take() hands out those that nobody else has, when no other block is left.  The caller has read what it
 * needs of them, and keeps the fork's arrays of extents and tree blocks.  False: there is too little memory, an object
 * has begun already, or the fork is realtime; then there is nothing to end.
 */
bool mend_own_begin(struct mend *m, const struct mend_inode *inode, enum fork fork);
/*
 * For mend_space_take(): a run of at least `least` and at most `want` of these blocks; 0, -ENOSPC, or another negative
 * errno.
 */
int mend_own_take(struct mend *m, uint32_t least, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* Stage bytes of the object. Once it has got blocks of its own, they wait for mend_own_end(). 0 or negative errno. */
int mend_own_write(struct mend *m, const void *bytes, uint64_t offset, size_t len);
/*
 * End it: if error is 0 the object is complete, and what waits is staged; else that is dropped, and the object stays as
 * it was.  began: what mend_own_begin() returned.  Returns error, or an error of its own.
 */
int mend_own_end(struct mend *m, bool began, int error);

#endif
