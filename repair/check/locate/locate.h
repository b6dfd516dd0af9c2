/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locate: finds the wrong records behind an account that does not balance.  phase_locate.c plans and collects the
 * evidence; each function here compares both sides of one account, record by record, and reports every difference for
 * the object concerned.
 */
#ifndef XFSCK_REPAIR_LOCATE_H
#define XFSCK_REPAIR_LOCATE_H

#include "evidence.h"

/*
 * Parts of the file system that could not be read or decoded: inodes of an AG without an inobt, inodes whose extents
 * are unknown, btree records of groups.  A difference that they may explain is only counted, since the damage itself
 * has been reported.
 */
struct locate_gaps {
	bool *blind; /* per AG: the inodes in use are unknown */
	bool any_blind;
	struct gap *inodes; /* by number, each once */
	size_t ninodes;
	bool any_claims;	/* some inode has blocks that are unknown */
	struct tree_gap *trees; /* by group, kind, key; without overlaps */
	size_t ntrees;
};

#define NAMERS_MOST 2000u

struct locate {
	struct repair *rc;
	struct walker *w; /* for reports */
	struct evidence_records records;
	struct locate_gaps gaps;
	bool pptrs;		/* parent pointers are among the records */
	struct ino_set *namers; /* receives directories that name affected inodes: at least the lowest NAMERS_MOST */
	struct ino_set *strays; /* receives inodes with a parent pointer that matches no entry; NULL: too many */
	uint64_t explained;	/* number of differences that gaps may explain */
	unsigned settled;	/* a bit per account with differences, whether reported or explained */
};

/*
 * Compare an account of a group.  from, to: the blocks for which evidence was collected.  Return 0 or -ENOMEM, if not
 * void.
 */
int locate_space(struct locate *l, group_t group, uint64_t from, uint64_t to);
int locate_rmap(struct locate *l, group_t group);
void locate_freesize(struct locate *l, group_t group);
void locate_finobt(struct locate *l, group_t group);
void locate_unlinked(struct locate *l, group_t group);

/*
 * Compares the four accounts of the inodes in the evidence from `first` up to, but not including, *end; end NULL: all.
 * Adds a bit to settled[bucket] for each account with differences.
 */
void locate_inodes(struct locate *l, xino_t first, const xino_t *end, unsigned settled[LEDGER_BUCKETS]);
/*
 * Sets *ret_differ if some entry without type is in another directory than the `..` of its target says.  Needs the
 * table of directories.  Returns 0 or a negative errno.
 */
int locate_untyped(const struct repair *rc, bool *ret_differ);

/* Returns the first use of a kind in a group, and their number. */
const struct use *locate_uses(const struct locate *l, group_t group, enum use_kind kind, size_t *ret_count);
/* Reports a difference of an account, at the place in l->w. */
void locate_say(struct locate *l, unsigned account, enum finding finding, uint32_t index, uint64_t got, uint64_t want);
/* The same, but only counts the difference if a gap may explain it. */
void locate_say_unless(struct locate *l, bool explained, unsigned account, enum finding finding, uint32_t index,
		       uint64_t got, uint64_t want);
/* Counts differences that a gap may explain, without comparing them one by one. */
void locate_explained(struct locate *l, unsigned account, uint64_t count);
/* locate_gaps.c: collects the gaps of the first traversal.  Returns 0 or -ENOMEM; locate_gaps_free() in any case. */
int locate_gaps_find(struct locate *l);
void locate_gaps_free(struct locate *l);
/* True if the inode could not be read, or any of the GAP_* in `what` is set for it. */
bool locate_inode_unknown(const struct locate *l, xino_t ino, unsigned what);
/* True if the owner's claim on a block of the group may be missing from the evidence. */
bool locate_owner_unknown(const struct locate *l, group_t group, uint64_t block, uint64_t owner);
/* True if any claims on blocks of the group may be missing. */
bool locate_claims_unknown(const struct locate *l, group_t group);
/*
 * True if a record with a key from low to high, inclusive, may be missing.  kind: as in AGs, also for realtime groups.
 */
bool locate_record_unknown(const struct locate *l, group_t group, enum btree_kind kind, const struct btkey *low,
			   const struct btkey *high);
/* True if any record that begins with this block may be missing; in inode btrees, with this inode of the AG. */
bool locate_start_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t start);
/*
 * True if records about blocks [from, to) may be missing from a btree sorted by block.  Then [*ret_from, *ret_to) is
 * the first such part of these blocks.
 */
bool locate_part_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t from, uint64_t to,
			 uint64_t *ret_from, uint64_t *ret_to);
/* Returns the btree for the free space of a group: the bnobt, or the cntbt if only the bnobt has gaps. */
enum btree_kind locate_free_tree(const struct locate *l, group_t group);
/* Returns the first record of an AG's inobt or finobt, by start, and their number. */
const struct chunk_fact *locate_chunks(const struct locate *l, agno_t agno, enum btree_kind kind, size_t *ret_count);
/* Sets the place of l->w to a block of a group, as part of `object`. */
void locate_at_block(struct locate *l, enum object object, group_t group, uint64_t block);
/* Sets the place of l->w to a block of its owner, by the claim. */
void locate_at_claim(struct locate *l, group_t group, uint64_t block, const struct use *claim);
/* Sets the place of l->w to an inode. */
void locate_at_inode(struct locate *l, enum object object, xino_t ino);

/* Finds the records behind accounts that are not zero.  parts: LOCATE_*, the accounts to look at. */
enum {
	LOCATE_GROUPS = 1,
	LOCATE_INODES = 2,
};
enum phase_result locate_accounts(struct repair *rc, unsigned accounts);

#endif
