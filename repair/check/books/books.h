/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparisons at the end of a check: each reports mismatches as findings. */
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
 * connectivity.c: checks that every directory is below a root, by its `..`.  Makes the table of directories.  Returns 0
 * or a negative errno.
 */
int connectivity_check(struct repair *rc, struct walker *w);
/*
 * Does the same with the existing table, without reporting anything.  *ret_all: true if every directory is reachable
 * and none is in the table twice.  Returns 0 or a negative errno.
 */
int connectivity_all_reached(const struct repair *rc, bool *ret_all);
/* counters.c: compares counters in headers with what was counted (ondisk 12, S2 to S6, I1, I3, I4). */
void counters_check(struct repair *rc, struct walker *w);
/* rt_check.c: checks the files of realtime groups, and the counts of bitmaps, summaries and the superblock. */
void rt_check(struct repair *rc, struct walker *w);
/* Sets *ret_free to the realtime extents that are free in the bitmaps.  False: not all bitmaps are known. */
bool rt_free_extents(const struct repair *rc, uint64_t *ret_free);
/* accounts.c: true if an account that must balance does not. */
bool accounts_unbalanced(const struct repair *rc, group_t group, enum group_account account);
/* accounts.c: true if accounts_unbalanced() is true for any account of a group. */
bool accounts_any_unbalanced(const struct repair *rc, group_t group);
/* accounts.c: makes a finding that block ownership in a group does not balance.  False: it does. */
bool accounts_say_space(const struct repair *rc, group_t group, struct found *ret_found);
/*
 * accounts.c: reports accounts that don't balance and are not settled by exact findings.  group_settled[] and
 * bucket_settled[] have a bit per account for each group and each bucket; NULL: report no groups, or no buckets.
 */
void accounts_check(struct repair *rc, struct walker *w, const unsigned *group_settled, const unsigned *bucket_settled);
/* quota_check.c: checks quota files and compares usage.  Returns 0 or -ENOMEM. */
int quota_check(struct repair *rc, struct walker *w);
/* Returns the quota types whose usage can be compared: bits 1 << enum quota_type. */
unsigned quota_compared(const struct repair *rc);
/* unlinked.c: checks the unlinked lists (ondisk 12, I8).  Returns the number of inodes deleted while open. */
uint64_t unlinked_check(struct repair *rc, struct walker *w);
/* Finds an inode in ag->unlinked[], which unlinked_check() has sorted; NULL: it is not there. */
const struct unlinked_inode *unlinked_find(const struct ag_state *ag, uint32_t agino);

/* Hashes for comparing runs of free realtime extents with counters of the summary (ondisk 09; 12, S13). */

/* Returns the hash of a run of free extents that begins in this bitmap block and has a length of log2 `level`. */
static inline uint64_t rt_sum_level(const struct hash_key *key, uint32_t bitmap_block, uint32_t level)
{
	return hash2(key, level, bitmap_block);
}

/* Returns the same for a run of len > 0 extents. */
static inline uint64_t rt_sum_run(const struct hash_key *key, uint32_t bitmap_block, uint64_t len)
{
	return rt_sum_level(key, bitmap_block, 63u - (unsigned)__builtin_clzll(len));
}

#endif
