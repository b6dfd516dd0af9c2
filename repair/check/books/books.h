/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparisons at the end of a check: each posts what disagrees as findings. */
#ifndef XFSCK_REPAIR_BOOKS_H
#define XFSCK_REPAIR_BOOKS_H

#include "ledger.h"
#include "sets/hash.h"

struct ag_state;
struct found;
struct repair;
struct unlinked_inode;
struct walker;

/*
 * connectivity.c: every directory hangs, by its `..`, below a root; leaves the table of directories behind.  0 or
 * negative errno.
 */
int connectivity_check(struct repair *rc, struct walker *w);
/*
 * The same by the table that there is, without reporting anything: *ret_all: true if no directory is unreachable, and
 * none is there twice.  0 or negative errno.
 */
int connectivity_all_reached(const struct repair *rc, bool *ret_all);
/* counters.c: what headers count and what there is (ondisk 12, S2 to S6, I1, I3, I4) */
void counters_check(struct repair *rc, struct walker *w);
/* rt_check.c: files of the realtime groups, and what bitmaps, summaries and the superblock count */
void rt_check(struct repair *rc, struct walker *w);
/* How many realtime extents the bitmaps have as free. False: not all of them are known. */
bool rt_free_extents(const struct repair *rc, uint64_t *ret_free);
/* accounts.c: whether an account is one that must balance, and does not */
bool accounts_unbalanced(const struct repair *rc, group_t group, enum group_account account);
/* accounts.c: whether accounts_unbalanced() is true of any account of a group */
bool accounts_any_unbalanced(const struct repair *rc, group_t group);
/* accounts.c: the finding that accounts of who owns which block of a group don't balance; false: they do */
bool accounts_say_space(const struct repair *rc, group_t group, struct found *ret_found);
/*
 * accounts.c: report the accounts that don't balance and have not been settled by exact findings.  group_settled[] and
 * bucket_settled[] have a bit per account for each group and each bucket; NULL: report nothing of groups, or buckets.
 */
void accounts_check(struct repair *rc, struct walker *w, const unsigned *group_settled, const unsigned *bucket_settled);
/* quota_check.c: quota files and what inodes use; 0 or -ENOMEM */
int quota_check(struct repair *rc, struct walker *w);
/* The types of quota whose counts can be compared, a bit (1 << enum quota_type) each. */
unsigned quota_compared(const struct repair *rc);
/* unlinked.c: the lists of inodes that were deleted while open (ondisk 12, I8); returns how many there are */
uint64_t unlinked_check(struct repair *rc, struct walker *w);
/* The inode among ag->unlinked[], which unlinked_check() has sorted; NULL: it is not there. */
const struct unlinked_inode *unlinked_find(const struct ag_state *ag, uint32_t agino);

/* The hashes by which runs of free realtime extents are compared with counters of the summary (ondisk 09; 12, S13). */

/* The hash of a run of free extents that begins in this block of the bitmap, and whose length has the log2 `level`. */
static inline uint64_t rt_sum_level(const struct hash_key *key, uint32_t bitmap_block, uint32_t level)
{
	return hash2(key, level, bitmap_block);
}

/* The same for a run of len > 0 extents. */
static inline uint64_t rt_sum_run(const struct hash_key *key, uint32_t bitmap_block, uint64_t len)
{
	return rt_sum_level(key, bitmap_block, 63u - (unsigned)__builtin_clzll(len));
}

#endif
