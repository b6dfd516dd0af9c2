/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger: double-entry bookkeeping over the facts of a file system.  Each
 * account is a sum, mod 2^64, of keyed hashes: credit from one side of a
 * fact that is recorded twice, debit from the other.  Both sides are equal if, and but for odds
 * of 2^-64 (reverse mappings: 2^-58) only if, the sum is zero.  Ranges cost O(1): [start, end) is
 * g(start) - g(end), with g a keyed hash, so that adjacent ranges add up to the one that they make together.
 */
#ifndef XFSCK_REPAIR_LEDGER_H
#define XFSCK_REPAIR_LEDGER_H

#include "sink.h"

enum group_account {		       /* of an AG or realtime group */
		     ACCOUNT_SPACE,    /* all claims and free extents : the group, and what refcounts allow beyond;
					  and where they allow it of blocks that somebody may have alone */
		     ACCOUNT_RMAP,     /* all claims : rmapbt */
		     ACCOUNT_FREESIZE, /* bnobt : cntbt */
		     ACCOUNT_FINOBT,   /* inobt records with free inodes : finobt */
		     ACCOUNT_UNLINKED, /* inodes with no link : AGI buckets and next pointers */
		     GROUP_ACCOUNT_NR,
};

enum inode_account {
	ACCOUNT_LINKS,	 /* di_nlink : entries */
	ACCOUNT_FTYPE,	 /* mode's type, once per link : entries' types */
	ACCOUNT_PARENTS, /* (child, parent) of `..` : of directory entries */
	ACCOUNT_PPTRS,	 /* parent pointers : entries */
	INODE_ACCOUNT_NR,
};

/* inode accounts are kept apart for so many sets of inodes, so that a mismatch says where to look */
#define LEDGER_BUCKETS 256u

/* What a fact weighs as a record of evidence (locate/evidence.h), but for its name; and one of what an inode says. */
#define FACT_BYTES	 60u
#define INODE_FACT_BYTES 24u

struct doubts;
struct ledger;

/* lanes: threads that may post at the same time. NULL: out of memory. */
struct ledger *ledger_new(const struct geometry *geo, unsigned lanes, const struct hash_key *key);
/* From now on all that is posted to accounts of inodes is posted there, too, as it comes or by ledger_close(). */
void ledger_post_doubts(struct ledger *ledger, struct doubts *doubts);
void ledger_free(struct ledger *ledger);
/* The sink that posts to it; the ledger must outlive it. */
struct sink ledger_sink(struct ledger *ledger);

/* Add up the lanes; afterwards the balances can be asked for. */
void ledger_close(struct ledger *ledger);
bool ledger_group_balances(const struct ledger *ledger, group_t group, enum group_account account);
bool ledger_inodes_balance(const struct ledger *ledger, unsigned bucket, enum inode_account account);
/* What the facts that were posted to these accounts weigh as evidence, in bytes; and the claims among them. */
uint64_t ledger_group_bytes(const struct ledger *ledger, group_t group);
uint64_t ledger_claim_bytes(const struct ledger *ledger, group_t group);
uint64_t ledger_inode_bytes(const struct ledger *ledger, unsigned bucket);
/* The bucket that an inode's accounts are in. */
unsigned ledger_bucket(xino_t ino);

#endif
