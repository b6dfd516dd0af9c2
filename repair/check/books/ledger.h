/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger: double-entry bookkeeping over the facts of a file system.  Each account is a sum, mod 2^64, of keyed
 * hashes: for a fact that is recorded twice, one side is added and the other subtracted.  If both sides are equal the
 * sum is zero; if they are not, it is zero only with odds of 2^-64 (reverse mappings: 2^-58).  Ranges cost O(1): the
 * range [start, end) is g(start) - g(end), with g a keyed hash, so that adjacent ranges add up to that of both
 * together.
 */
#ifndef XFSCK_REPAIR_LEDGER_H
#define XFSCK_REPAIR_LEDGER_H

#include "base/sink.h"

/* The two sides of each account of an AG or realtime group. */
enum group_account {
	/*
	 * All claims and free extents : each block of the group once, plus once for each further owner by refcounts.
	 * Shared blocks of an owner that may not share are added on one side only, to unbalance the account.
	 */
	ACCOUNT_SPACE,
	ACCOUNT_RMAP,	  /* all claims : rmapbt */
	ACCOUNT_FREESIZE, /* bnobt : cntbt */
	ACCOUNT_FINOBT,	  /* inobt records with free inodes : finobt */
	ACCOUNT_UNLINKED, /* inodes without links : AGI buckets and next pointers */
	GROUP_ACCOUNT_NR,
};

/* The two sides of each account of inodes. */
enum inode_account {
	ACCOUNT_LINKS,	 /* di_nlink : entries */
	ACCOUNT_FTYPE,	 /* the mode's type, once per link : types in entries */
	ACCOUNT_PARENTS, /* (directory, target of its `..`) : (target, directory) of entries for directories */
	ACCOUNT_PPTRS,	 /* parent pointers : entries */
	INODE_ACCOUNT_NR,
};

/* Inode accounts are kept separately for so many sets of inodes: an unbalanced one shows where to look. */
#define LEDGER_BUCKETS 256u

/* Bytes of a fact as evidence (check/locate/evidence.h), without a name; and of a fact about an inode itself. */
#define FACT_BYTES	 60u
#define INODE_FACT_BYTES 24u

struct doubts;
struct ledger;

/* Makes a ledger.  workers: threads that may post at the same time.  Returns NULL if memory is out. */
struct ledger *ledger_new(const struct geometry *geo, unsigned workers, const struct hash_key *key);
/* Also posts the postings of inode accounts to `doubts` from now on.  They are complete only after ledger_close(). */
void ledger_post_doubts(struct ledger *ledger, struct doubts *doubts);
void ledger_free(struct ledger *ledger);
/* Returns the sink that posts to the ledger; the ledger must outlive it. */
struct sink ledger_sink(struct ledger *ledger);

/* Save the postings, and replace them with saved ones.  No thread may post meanwhile. */
struct loader;
struct saver;
void ledger_save(const struct ledger *ledger, struct saver *s);
void ledger_load(struct ledger *ledger, struct loader *l);

/* Adds up the lanes.  The following functions need that. */
void ledger_close(struct ledger *ledger);
/* True if an account is zero. */
bool ledger_group_balances(const struct ledger *ledger, group_t group, enum group_account account);
bool ledger_inodes_balance(const struct ledger *ledger, unsigned bucket, enum inode_account account);
/* True if an account is the same in two closed ledgers. */
bool ledger_group_same(const struct ledger *a, const struct ledger *b, group_t group, enum group_account account);
/*
 * Returns a new closed ledger: `closed`, minus the postings of `off`, plus those of `on`, which are not closed.  NULL:
 * out of memory.
 */
struct ledger *ledger_corrected(const struct ledger *closed, const struct ledger *off, const struct ledger *on);
/* Returns how many sums, including bytes of evidence, differ in two closed ledgers of the same geometry. */
uint64_t ledger_differences(const struct ledger *a, const struct ledger *b);
/* Return the bytes of evidence about a group, about its claims only, and about a bucket. */
uint64_t ledger_group_bytes(const struct ledger *ledger, group_t group);
uint64_t ledger_claim_bytes(const struct ledger *ledger, group_t group);
uint64_t ledger_inode_bytes(const struct ledger *ledger, unsigned bucket);
/* Returns the bucket of an inode. */
unsigned ledger_bucket(xino_t ino);

#endif
