/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locate: from an account that does not balance to the records that are wrong.  phase_locate.c plans and collects the
 * evidence; each function here compares both sides of one account, record by record, and reports every difference for
 * the object that it concerns.
 */
#ifndef XFSCK_REPAIR_LOCATE_H
#define XFSCK_REPAIR_LOCATE_H

#include "evidence.h"

/*
 * What could not be read or decoded: the inodes of an AG whose inobt is lost, inodes whose extents are not known,
 * records of the btrees of groups.  A difference that this may explain is only counted, since the damage itself has
 * been reported.
 */
struct locate_gaps {
	bool *blind; /* per AG: not known which inodes are in use */
	bool any_blind;
	struct gap *inodes; /* by number, each once */
	size_t ninodes;
	bool any_claims;	/* there is an inode not all of whose blocks are known */
	struct tree_gap *trees; /* by group, kind, key; without overlaps */
	size_t ntrees;
};

struct locate {
	struct repair *rc;
	struct walker *w; /* to report by */
	struct evidence_records records;
	struct locate_gaps gaps;
	bool pptrs;		/* parent pointers are among the records */
	struct ino_set *namers; /* receives the directories that name the inodes concerned, not too many */
	struct ino_set *strays; /* receives inodes with a parent pointer that no entry matches; NULL: too many */
	uint64_t explained;	/* how many differences gaps may explain */
	unsigned settled;	/* a bit per account in which differences were found, whether reported or explained */
};

/*
 * Compare an account of a group; from, to: the blocks for which evidence has been collected.  Those with a result
 * return 0 or -ENOMEM.
 */
int locate_space(struct locate *l, group_t group, uint64_t from, uint64_t to);
int locate_rmap(struct locate *l, group_t group);
void locate_freesize(struct locate *l, group_t group);
void locate_finobt(struct locate *l, group_t group);
void locate_unlinked(struct locate *l, group_t group);

/*
 * Compare the four accounts of the inodes in the evidence from `first` on, up to but without *end; end NULL: up to the
 * last.  Accounts with differences are added to settled[bucket], a bit each.
 */
void locate_inodes(struct locate *l, xino_t first, const xino_t *end, unsigned settled[LEDGER_BUCKETS]);
/*
 * For entries without types: whether any entry leads to a directory whose `..` leads to another directory than the one
 * that the entry is in.  Needs the table of directories.  0 or negative errno.
 */
int locate_untyped(const struct repair *rc, bool *ret_differ);

/* The uses of a kind in one group: the first, and how many. */
const struct use *locate_uses(const struct locate *l, group_t group, enum use_kind kind, size_t *ret_count);
/* Report a difference of an account, for the place that has been set in l->w. */
void locate_say(struct locate *l, unsigned account, enum finding finding, uint32_t index, uint64_t got, uint64_t want);
/* The same; but if a gap may explain the difference, only count it. */
void locate_say_unless(struct locate *l, bool explained, unsigned account, enum finding finding, uint32_t index,
		       uint64_t got, uint64_t want);
/* Count differences that a gap may explain, and that have not been looked for one by one. */
void locate_explained(struct locate *l, unsigned account, uint64_t count);
/* locate_gaps.c: collect the gaps of the first traversal. 0 or -ENOMEM; call locate_gaps_free() either way. */
int locate_gaps_find(struct locate *l);
void locate_gaps_free(struct locate *l);
/* Whether the inode could not be looked at, or any of the GAP_* in `what` is not known of it. */
bool locate_inode_unknown(const struct locate *l, xino_t ino, unsigned what);
/* Whether the owner's claim on a block of the group may be missing from the evidence. */
bool locate_owner_unknown(const struct locate *l, group_t group, uint64_t block, uint64_t owner);
/* Whether any claims on blocks of the group may be missing. */
bool locate_claims_unknown(const struct locate *l, group_t group);
/* Whether a record with a key from low to high, both included, may be missing.  In realtime groups, too, kind is of
 * AGs. */
bool locate_record_unknown(const struct locate *l, group_t group, enum btree_kind kind, const struct btkey *low,
			   const struct btkey *high);
/* The same for any record that begins with this block; in trees of inodes, with this inode of the AG. */
bool locate_start_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t start);
/*
 * Whether records about blocks [from, to) may be missing from a btree that is sorted by block.  If so, the first part
 * of these blocks of which that is true is [*ret_from, *ret_to).
 */
bool locate_part_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t from, uint64_t to,
			 uint64_t *ret_from, uint64_t *ret_to);
/* The tree to take free space of a group from: the bnobt, or if that has gaps and the cntbt has none, the cntbt. */
enum btree_kind locate_free_tree(const struct locate *l, group_t group);
/* The records of an AG's inobt or finobt, by start: the first, and how many. */
const struct chunk_fact *locate_chunks(const struct locate *l, agno_t agno, enum btree_kind kind, size_t *ret_count);
/* Set the place of l->w: a block of a group, as part of `object`, ... */
void locate_at_block(struct locate *l, enum object object, group_t group, uint64_t block);
/* ... a block as part of what its owner has, by the claim, ... */
void locate_at_claim(struct locate *l, group_t group, uint64_t block, const struct use *claim);
/* ... or an inode. */
void locate_at_inode(struct locate *l, enum object object, xino_t ino);

/* Find the records behind accounts that are not zero; parts: LOCATE_*, whose accounts to look at */
enum {
	LOCATE_GROUPS = 1,
	LOCATE_INODES = 2,
};
enum phase_result locate_parts(struct repair *rc, unsigned parts);

#endif
