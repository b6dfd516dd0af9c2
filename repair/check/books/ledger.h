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
	 * All claims and free extents : each block of the group once, and as often more as refcounts allow.  Shared
	 * blocks of an owner that may not share are added without another side, so that the account does not balance.
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
	ACCOUNT_PARENTS, /* (directory, where its `..` leads) : (target, directory) of entries for directories */
	ACCOUNT_PPTRS,	 /* parent pointers : entries */
	INODE_ACCOUNT_NR,
};

/* Inode accounts are kept separately for so many sets of inodes, so that one that does not balance tells where to look.
 */
#define LEDGER_BUCKETS 256u

/* Bytes that a fact takes as evidence (check/locate/evidence.h), without a name; and those of a fact about an inode
 * itself.
 */
#define FACT_BYTES	 60u
#define INODE_FACT_BYTES 24u

struct doubts;
struct ledger;

/* lanes: threads that may post at the same time. NULL: out of memory. */
struct ledger *ledger_new(const struct geometry *geo, unsigned lanes, const struct hash_key *key);
/* From now on, post to `doubts` whatever is posted to accounts of inodes; complete only after ledger_close(). */
void ledger_post_doubts(struct ledger *ledger, struct doubts *doubts);
void ledger_free(struct ledger *ledger);
/* The sink that posts to the ledger, which must outlive it. */
struct sink ledger_sink(struct ledger *ledger);

/* While nobody posts: save what was posted so far; put what was saved in the place of what was posted. */
struct loader;
struct saver;
void ledger_save(const struct ledger *ledger, struct saver *s);
void ledger_load(struct ledger *ledger, struct loader *l);

/* Add up the lanes; only then can the following be called. */
void ledger_close(struct ledger *ledger);
/* Whether an account is zero. */
bool ledger_group_balances(const struct ledger *ledger, group_t group, enum group_account account);
bool ledger_inodes_balance(const struct ledger *ledger, unsigned bucket, enum inode_account account);
/* Whether an account is the same in two closed ledgers. */
bool ledger_group_same(const struct ledger *a, const struct ledger *b, group_t group, enum group_account account);
/*
 * A ledger that is closed, without what was posted to `off`, and with what was posted to `on`, which were not
 * closed.  NULL: out of memory.
 */
struct ledger *ledger_corrected(const struct ledger *closed, const struct ledger *off, const struct ledger *on);
/* How many sums of two closed ledgers of the same geometry differ, the bytes of evidence among them. */
uint64_t ledger_differences(const struct ledger *a, const struct ledger *b);
/* How many bytes the facts about a group, the claims among them, and the facts about a bucket take as evidence. */
uint64_t ledger_group_bytes(const struct ledger *ledger, group_t group);
uint64_t ledger_claim_bytes(const struct ledger *ledger, group_t group);
uint64_t ledger_inode_bytes(const struct ledger *ledger, unsigned bucket);
/* The bucket of an inode. */
unsigned ledger_bucket(xino_t ino);

#endif
