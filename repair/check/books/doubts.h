/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which inodes are in doubt, in finer detail than the ledger's buckets: for each of up to some million small sets of
 * inodes one sum, over all accounts of inodes together.  If a few inodes in each bucket are damaged, evidence about the
 * sets in doubt is a fraction of that about whole buckets.
 */
#ifndef XFSCK_REPAIR_DOUBTS_H
#define XFSCK_REPAIR_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "units.h"

struct doubts;

/*
 * inodes: how many are expected, 0: not known; bytes: how much memory the sums may take. NULL: out of memory.
 */
struct doubts *doubts_new(uint64_t inodes, size_t bytes);
void doubts_free(struct doubts *doubts);
/*
 * Add what is posted to the accounts of an inode, and the bytes that this fact takes as evidence.  Any thread may call
 * it at any time.
 */
void doubts_post(struct doubts *doubts, xino_t ino, uint64_t sum, uint32_t bytes);
/*
 * The same for inodes that come in no order: a post waits in a queue until the sum that it is added to has come into
 * the processor's cache.  Each thread needs a queue of its own, zeroed at first; doubts_post_rest() posts what still
 * waits.
 */
#define DOUBTS_WAITING 16u
struct doubts_queue {
	struct {
		uint32_t *sum;	  /* what to add to; NULL: nothing waits here */
		uint32_t *weight; /* what to add bytes to; NULL: they are not added up for this set */
		uint32_t change, bytes;
	} posts[DOUBTS_WAITING];
	unsigned oldest;
};
void doubts_post_soon(struct doubts *doubts, struct doubts_queue *queue, xino_t ino, uint64_t sum, uint32_t bytes);
void doubts_post_rest(struct doubts_queue *queue);
/* When all has been posted: find out which sets are in doubt, and free the sums. */
void doubts_close(struct doubts *doubts);

/* The following are for doubts that are closed. */

/* Whether the inode is in a set whose sum is not 0. */
bool doubts_has(const struct doubts *doubts, xino_t ino);
/* How many sets are in doubt. */
uint64_t doubts_count(const struct doubts *doubts);
/* Whether all sets in doubt are also in doubt in `other`; false also if the two have different sets. */
bool doubts_within(const struct doubts *doubts, const struct doubts *other);
/* Given the bytes of evidence about all inodes: an estimate, rather too high, of those about inodes in doubt. */
uint64_t doubts_part(const struct doubts *doubts, uint64_t bytes);

#endif
