/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which inodes are in doubt, more finely than the ledger's buckets tell: one sum, of all accounts of inodes together,
 * for each of up to some million small sets of inodes.  Evidence of those alone is a fraction of that of whole buckets
 * where a few inodes in each are damaged.
 */
#ifndef XFSCK_REPAIR_DOUBTS_H
#define XFSCK_REPAIR_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "units.h"

struct doubts;

/* So many inodes are expected, 0: nobody knows; bytes: what sums may take, at most. NULL: out of memory. */
struct doubts *doubts_new(uint64_t inodes, size_t bytes);
void doubts_free(struct doubts *doubts);
/* Part of what is posted to accounts of the inode, and what it weighs as evidence, in bytes. By any thread. */
void doubts_post(struct doubts *doubts, xino_t ino, uint64_t sum, uint32_t bytes);
/*
 * The same by one thread, of inodes that are met in no order: a post waits until what it adds to has come into the
 * processor's cache.  A queue begins as zeroes; those that wait in the end are posted by doubts_post_rest().
 */
#define DOUBTS_WAITING 16u
struct doubts_queue {
	struct {
		uint32_t *sum, *weight; /* NULL: nothing waits; nothing is weighed */
		uint32_t change, bytes;
	} posts[DOUBTS_WAITING];
	unsigned oldest;
};
void doubts_post_soon(struct doubts *doubts, struct doubts_queue *queue, xino_t ino, uint64_t sum, uint32_t bytes);
void doubts_post_rest(struct doubts_queue *queue);
/* When all is posted: which sets are in doubt, a bit each, is all that is kept. */
void doubts_close(struct doubts *doubts);
/* Then: whether it is in a set that does not balance. */
bool doubts_has(const struct doubts *doubts, xino_t ino);
/* Then: whether every set that does not balance is one of those of another that is closed; false: nobody can tell. */
bool doubts_within(const struct doubts *doubts, const struct doubts *other);
/* Then: of so many bytes of evidence about all inodes, about how many are about those in doubt; rather too many. */
uint64_t doubts_part(const struct doubts *doubts, uint64_t bytes);

#endif
