/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds inodes in doubt more precisely than the ledger's buckets.  Up to some million small sets of inodes have one sum
 * each, over all inode accounts.  If a few inodes in each bucket are damaged, evidence about the sets in doubt is a
 * fraction of the evidence about whole buckets.
 */
#ifndef XFSCK_REPAIR_DOUBTS_H
#define XFSCK_REPAIR_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "units.h"

struct doubts;

/* Makes the sums.  inodes: expected number, 0: unknown.  bytes: memory for the sums.  Returns NULL if memory is out. */
struct doubts *doubts_new(uint64_t inodes, size_t bytes);
void doubts_free(struct doubts *doubts);
/* Adds the sum of a posting to accounts of an inode, and its bytes as evidence.  Any thread may call it at any time. */
void doubts_post(struct doubts *doubts, xino_t ino, uint64_t sum, uint32_t bytes);
/*
 * Does the same for inodes in random order: a posting waits in a queue until its sum is in the processor's cache.  Each
 * thread needs its own queue, zeroed at first.  doubts_post_rest() posts what is still in the queue.
 */
#define DOUBTS_WAITING 16u
struct doubts_queue {
	struct {
		uint32_t *sum;	  /* where to add; NULL: no posting */
		uint32_t *weight; /* where to add bytes; NULL: not counted for this set */
		uint32_t change, bytes;
	} posts[DOUBTS_WAITING];
	unsigned oldest;
};
void doubts_post_soon(struct doubts *doubts, struct doubts_queue *queue, xino_t ino, uint64_t sum, uint32_t bytes);
void doubts_post_rest(struct doubts_queue *queue);
/* Determines the sets in doubt, and frees the sums.  Call it after all postings. */
void doubts_close(struct doubts *doubts);

/* The following functions need closed doubts. */

/* True if the inode is in a set whose sum is not 0. */
bool doubts_has(const struct doubts *doubts, xino_t ino);
/* Returns the number of sets in doubt. */
uint64_t doubts_count(const struct doubts *doubts);
/* True if all sets in doubt are also in doubt in `other`.  False also if the two have different numbers of sets. */
bool doubts_within(const struct doubts *doubts, const struct doubts *other);
/* Estimates, rather too high, the bytes of evidence about inodes in doubt.  bytes: of evidence about all inodes. */
uint64_t doubts_share(const struct doubts *doubts, uint64_t bytes);

#endif
