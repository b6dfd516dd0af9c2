/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocates blocks for what menders write: blocks that are free in the bnobt and claimed by no one. */
#ifndef XFSCK_REPAIR_MEND_SPACE_H
#define XFSCK_REPAIR_MEND_SPACE_H

#include "mend/base/mend.h"

struct block_map;
struct mend_inode;
struct mend_survey;

/*
 * Takes a run of 1 to `want` blocks of one AG.  The bnobt still lists them as free, so the next check finds them both
 * free and in use, and has the free-space btrees of the AG rebuilt.  0, -ENOSPC or another negative errno.
 */
int mend_space_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* Likewise for realtime blocks, in whole realtime extents; `want` is a multiple of their size. */
int mend_space_take_rt(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* Takes exactly `len` contiguous blocks, the same number until mend_space_forget(). Returns as mend_space_take(). */
int mend_space_take_whole(struct mend *m, uint32_t len, fsbno_t *ret_start);
/* A run of exactly `len` blocks; all members are in blocks of an AG. */
struct space_shape {
	uint32_t len;
	uint32_t align; /* the run starts at a multiple of this */
	uint32_t whole; /* the run lies between multiples of this, which are after the AG headers and within the AG */
};
/* Takes such a run from an AG not marked in seen[], and marks AGs that were searched. Returns as mend_space_take(). */
int mend_space_take_shaped(struct mend *m, const struct space_shape *shape, bool *seen, fsbno_t *ret_start);
/* Clears blocks that were handed out from a map of an AG's free blocks: the bnobt lists them as free until rebuilt. */
void mend_space_clear_taken(const struct mend *m, agno_t agno, struct block_map *free);
/* Takes this block, which the caller knows to be unowned. 0 or -ENOMEM. */
int mend_space_take_this(struct mend *m, fsbno_t block);
/* Gives up an unowned block whose contents have been restored elsewhere, so that it is not examined again. 0 or
 * -ENOMEM. */
int mend_space_give(struct mend *m, fsbno_t block);
/* Notes that these blocks of an AG have an owner (again), and must not be handed out. */
void mend_space_claim(struct mend *m, fsbno_t start, uint64_t len);
/*
 * For use after mend_space_take() returned -ENOSPC: gets a survey of all AGs, made once and valid until
 * mend_space_forget().  Blocks passed to mend_space_claim() since then are marked in it as claimed twice.  *ret_owners
 * belongs to m; NULL: it does not fit into memory.  0 or negative errno.
 */
int mend_space_owners(struct mend *m, const struct mend_survey **ret_owners);
/*
 * For use after mend_space_take() returned -ENOSPC, for an owner of this block: sets *ret_alone if the survey shows no
 * other owner.  counted: the survey includes the caller's own claim.  0 or negative errno.
 */
int mend_space_alone(struct mend *m, fsbno_t block, bool counted, bool *ret_alone);
/* Forgets the known free space; it is searched for again. */
void mend_space_forget(struct mend *m);
/* Likewise, after claims changed without the functions above. No bnobt is trusted by itself until the round ends. */
void mend_space_outdated(struct mend *m);
/* Forgets only the survey that came with the last check. */
void mend_space_forget_survey(struct mend *m);
/* Forgets only the free space of the realtime section. */
void mend_space_forget_rt(struct mend *m);

/*
 * Last resort, for bmbt blocks needed before any block is known to be free: takes `need` unowned blocks of zeroes, if
 * m->zeroes allows it; else notes there that this is wanted.  0, -ENOSPC or another negative errno.
 */
int mend_space_take_zeroes(struct mend *m, const struct mend_survey *owners, fsbno_t *blocks, uint32_t need);

/* Rewriting an object in its own blocks, if the file system has no free ones. */

/* True if the block, or the directory block that starts there, has this address and owner in its header. */
bool mend_own_says(struct mend *m, xino_t ino, fsbno_t fsbno);

/*
 * Starts rewriting a directory or attribute fork whose old blocks will be given up.  Until mend_own_end(),
 * mend_space_take() also hands out those of its blocks that have no other owner, when there are no others.  The caller
 * has read what it needs of them, and keeps the fork's arrays of extents and tree blocks.  False: out of memory,
 * another object is being rewritten, or the fork is realtime; mend_own_end() has nothing to do then.
 */
bool mend_own_begin(struct mend *m, const struct mend_inode *inode, enum fork fork);
/* For mend_space_take(): takes a run of `least` to `want` of these blocks. 0, -ENOSPC or another negative errno. */
int mend_own_take(struct mend *m, uint32_t least, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* Stages bytes of the object; once it uses its own blocks, delays that until mend_own_end(). 0 or negative errno. */
int mend_own_write(struct mend *m, const void *bytes, uint64_t offset, size_t len);
/*
 * Ends the rewrite.  error 0: the object is complete, and delayed bytes are staged; else they are discarded, and the
 * object stays as it was.  began: the result of mend_own_begin().  Returns `error`, or an error of its own.
 */
int mend_own_end(struct mend *m, bool began, int error);

#endif
