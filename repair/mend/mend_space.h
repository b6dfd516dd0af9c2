/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks for what is written anew: free by the bnobt, and used by nobody. */
#ifndef XFSCK_REPAIR_MEND_SPACE_H
#define XFSCK_REPAIR_MEND_SPACE_H

#include "mend.h"

/*
 * A run of up to `want` blocks, at least 1, of one AG: nobody uses them.  The next check finds them free and in use,
 * and has the free-space btrees of that AG mended.  0, -ENOSPC, or another negative errno.
 */
int mend_space_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* The same of realtime blocks, in whole extents; how many are wanted is a multiple of them. */
int mend_space_take_rt(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len);
/* A run of just so many blocks. */
struct space_run {
	uint32_t len;
	uint32_t align; /* it begins at a multiple of it */
	uint32_t whole; /* and lies in a run of so many, at a multiple of these, that the AG has behind its headers */
};
/* One such run, of an AG that has not been seen; those that were looked at are seen now.  Else as mend_space_take(). */
int mend_space_take_run(struct mend *m, const struct space_run *run, bool *seen, fsbno_t *ret_start);
/* Whether one of them has handed out this block, in any round: no older witness knows whose it is now. */
bool mend_space_took(const struct mend *m, fsbno_t block, bool realtime);
/* Of a map of free blocks of an AG, they are none: the bnobt says so still of some until it is built anew. */
struct block_map;
void mend_space_clear_taken(const struct mend *m, agno_t agno, struct block_map *free);
/* From now on that is said of this block, too: what it held has been put where it belongs. -ENOMEM, or 0. */
int mend_space_spent(struct mend *m, fsbno_t block);
/*
 * Where mend_space_take() has said that there is no free space: who has what, as a survey of all AGs, good until more
 * is known.  Who has got blocks since, by mend_space_lose(), has them there as if they were another's, too.  NULL: it
 * does not fit into memory.  0 or negative errno.
 */
struct mend_survey;
int mend_space_owners(struct mend *m, const struct mend_survey **ret_owners);
/*
 * Where there is no free space, for who has a block himself: whether nobody else is known to have it, nor has got it
 * since mend_space_take() said so.  counted: his own claim is among those that are known.  0 or negative errno.
 */
int mend_space_alone(struct mend *m, fsbno_t block, bool counted, bool *ret_alone);
/* For what is put together of such blocks: in order, each once. Returns how many there are then. */
size_t mend_space_unique(fsbno_t *blocks, size_t count);
/* He puts it to another use, and mend_space_took() says so from now on. 0 or -ENOMEM. */
int mend_space_reuse(struct mend *m, fsbno_t block);
/* Somebody has taken blocks of one AG without asking. */
void mend_space_lose(struct mend *m, fsbno_t start, uint64_t len);
/* What it knows is out of date: claims may have changed but by what it has handed out, or lost. */
void mend_space_forget(struct mend *m);
/* The survey that came with the last check alone is. */
void mend_space_forget_survey(struct mend *m);
/* The same of the realtime section alone. */
void mend_space_forget_rt(struct mend *m);

#endif
