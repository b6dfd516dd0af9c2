/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locate: from an account that does not balance to the records that are
 * wrong.  phase_locate.c plans and collects the evidence; each function here
 * compares both sides of one account, record by record, and reports every
 * difference for the object that it concerns.
 */
#ifndef XFSCK_REPAIR_LOCATE_H
#define XFSCK_REPAIR_LOCATE_H

#include "evidence.h"
#include "repair.h"

/*
 * What could not be looked at: the inodes of an AG whose inobt is lost, inodes whose extents are not known, records
 * of the trees of groups.  A difference that this may explain is counted, not reported: the damage itself has been.
 */
struct locate_gaps {
	bool *blind; /* per AG: which inodes are in use is not known */
	bool any_blind;
	struct gap *inodes; /* by number, each once */
	size_t ninodes;
	bool any_claims;	/* of some inode the blocks are not known */
	struct tree_gap *trees; /* by group, kind, key; apart from each other */
	size_t ntrees;
};

struct locate {
	struct repair *rc;
	struct walker *w; /* reports */
	struct evidence_records records;
	struct locate_gaps gaps;
	uint64_t explained; /* differences */
	unsigned settled;   /* bit per account: differences were found, reported or explained */
};

/* Accounts of a group, from its records in the evidence, of which [from, to) has been collected. */
int locate_space(struct locate *l, group_t group, uint64_t from, uint64_t to);
int locate_rmap(struct locate *l, group_t group);
void locate_freesize(struct locate *l, group_t group);
void locate_finobt(struct locate *l, group_t group);
void locate_unlinked(struct locate *l, group_t group);

/*
 * The four accounts of the inodes in the evidence from this number on, up to another, or NULL: all; to settled[bucket]
 * the accounts with differences are added.
 */
void locate_inodes(struct locate *l, xino_t first, const xino_t *end, unsigned settled[LEDGER_BUCKETS]);
/*
 * Where entries have no types: whether one names a directory whose `..` is another than the one that it is in.  Needs
 * the table of directories.  0 or negative errno.
 */
int locate_untyped(const struct repair *rc, bool *ret_differ);

/* Records of a kind of one group: the first, and how many. */
const struct use *locate_uses(const struct locate *l, group_t group, enum use_kind kind, size_t *ret_count);
/* A difference of an account; the place has been set in l->w. */
void locate_say(struct locate *l, unsigned account, enum finding finding, uint32_t index, uint64_t got, uint64_t want);
/* The same, but for explained ones. */
void locate_say_unless(struct locate *l, bool explained, unsigned account, enum finding finding, uint32_t index,
		       uint64_t got, uint64_t want);
/* The same for differences that are not even looked for. */
void locate_explained(struct locate *l, unsigned account, uint64_t count);
/* locate_gaps.c: what the screen could not look at. 0 or -ENOMEM; to be freed in either case. */
int locate_gaps_find(struct locate *l);
void locate_gaps_free(struct locate *l);
/* True if the inode can't be looked at, or GAP_* of it are not known. */
bool locate_inode_unknown(const struct locate *l, xino_t ino, unsigned what);
/* True if the owner's claim on a block of the group may be missing from the evidence. */
bool locate_owner_unknown(const struct locate *l, group_t group, uint64_t block, uint64_t owner);
/* True if any claims on blocks of the group may be missing. */
bool locate_claims_unknown(const struct locate *l, group_t group);
/* True if a record whose key is from low up to high, both included, may be missing; the kind is that of AGs. */
bool locate_record_unknown(const struct locate *l, group_t group, enum btree_kind kind, const struct btkey *low,
			   const struct btkey *high);
/* The same for any record of a tree that begins with this number: by block, by inode of the AG. */
bool locate_start_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t start);
/* The first part of the blocks [from, to) that a tree sorted by block may have records of that are missing. */
bool locate_part_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t from, uint64_t to,
			 uint64_t *ret_from, uint64_t *ret_to);
/* The tree that says best what is free in a group. */
enum btree_kind locate_free_tree(const struct locate *l, group_t group);
/* The chunks of an AG's tree, by start. */
const struct chunk_fact *locate_chunks(const struct locate *l, agno_t agno, enum btree_kind kind, size_t *ret_count);
/* The place of a block of a group, as part of `object`. */
void locate_at_block(struct locate *l, enum object object, group_t group, uint64_t block);
/* The place of a block as its owner sees it. */
void locate_at_claim(struct locate *l, group_t group, uint64_t block, const struct use *claim);
/* The place of an inode. */
void locate_at_inode(struct locate *l, enum object object, xino_t ino);

#endif
