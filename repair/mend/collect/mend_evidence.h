/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what AGs and realtime groups contain, by another traversal, as input for mend_ag(). */
#ifndef XFSCK_REPAIR_MEND_EVIDENCE_H
#define XFSCK_REPAIR_MEND_EVIDENCE_H

#include "check/facts.h"
#include "check/locate/evidence.h"
#include "libxfs/ag.h"

struct mend;
struct repair;
struct scope;
struct sink;
struct traverse;

/* What the new btrees of an AG must describe. The caller owns all arrays. */
struct ag_contents {
	agno_t agno;
	/*
	 * Claims on blocks: headers, log, inode chunks, files, extents staged for copy on write (OWNER_COW), and inode
	 * btrees that stay; but not the btrees being rebuilt, nor the free list.  Of struct use, start, len, owner,
	 * offset, flags and object are used.  In any order; mend_ag() sorts them by start.  Only written extents of
	 * data forks may overlap, as shared blocks.
	 */
	struct use *claims;
	size_t nclaims;
	/* Blocks of the btrees being replaced and of the free list (OWNER_AG, OWNER_INOBT, OWNER_REFC). */
	const struct use *old;
	size_t nold;
	/* Records of the new inobt, by start. NULL: the inode btrees stay, and `claims` must include their blocks. */
	const struct inobt_record *chunks;
	size_t nchunks;
	/* the old AGI: its hints and unlinked lists are kept, and everything else if the inode btrees stay */
	struct agi agi;
};

struct mend_evidence {
	struct evidence *evidence;
	struct evidence_records records;
	size_t *first;	     /* per group: index of its first use; the last element is the number of all uses */
	struct agi *agis;    /* per AG, as read; empty if unreadable */
	bool nothing_staged; /* extents staged for copy on write are free: no log recovery is due, or this is one */
};

/*
 * Traverses what the scope selects, and the inodes of `also` (per AG: chunks that the inobt may lack; or NULL), and
 * passes all facts, including those of the superblock, to the sink.  Reports nothing.  agis: room for the AGI of each
 * AG, or NULL; an unreadable one is empty.  0 or negative errno.
 */
int mend_gather(const struct repair *rc, const struct scope *scope, const struct sink *sink,
		const struct facts_chunks *also, struct agi *agis);
/* Gets the AGIs that a traversal has read; unreadable ones are empty. */
void mend_agis_of(const struct geometry *geo, const struct traverse *t, struct agi *agis);
/* Returns the btree that tells what is free in a group: the bnobt, or the cntbt if only that is whole. */
enum btree_kind mend_free_tree(const struct repair *rc, group_t group);
/* True if the owner of a claim is one of the AG's own btrees or its free list. */
static inline bool mend_owner_is_tree(uint64_t owner)
{
	return owner == OWNER_AG || owner == OWNER_INOBT || owner == OWNER_REFC;
}

/* Kinds of uses to collect, bits 1 << enum use_kind. Inode chunks are always collected. */
#define MEND_CLAIMS (1u << USE_CLAIM)

/*
 * Collects the uses of these kinds of blocks in the groups that wanted[] selects, of group_count().  If a single group
 * takes more memory than -m allows, uses up to half of the system's memory and says so, because a group must be mended
 * as a whole.  0; -E2BIG: out of the memory limit; or another negative errno.  Free *ret in any case.
 */
int mend_evidence_collect(struct mend *m, const bool *wanted, unsigned kinds, struct mend_evidence *ret);
/* Likewise for one group. */
int mend_evidence_of_group(struct mend *m, group_t group, unsigned kinds, struct mend_evidence *ret);
void mend_evidence_free(struct mend_evidence *e);

/* Returns the claims on blocks of a group, by start, without staging extents that overlap others. They belong to e. */
struct use *mend_evidence_claims(const struct mend_evidence *e, group_t group, size_t *ret_count);

/*
 * Calls fn for each group that wanted[] selects, with evidence of as many groups in memory as fit.  e is NULL if the
 * facts about this group alone don't fit.  Clears wanted[] on the way.  Stops at the first nonzero result of fn and
 * returns it; else returns 0 or a negative errno.
 */
typedef int mend_evidence_fn(void *ctx, struct mend_evidence *e, group_t group);
int mend_evidence_each(struct mend *m, bool *wanted, mend_evidence_fn *fn, void *ctx);
/*
 * Likewise, with work() for one group at a time called before fn, unless there is no evidence.  Several threads call it
 * concurrently if there is memory for that.
 */
typedef void mend_evidence_work(void *ctx, struct mend_evidence *e, group_t group);
int mend_evidence_share(struct mend *m, bool *wanted, mend_evidence_work *work, mend_evidence_fn *fn, void *ctx);

/*
 * Sets what mend_ag() needs to rebuild an AG; inodes: with its inode btrees.  The contents point into the evidence,
 * whose claims are reordered, and to *ret_chunks, which the caller frees; NULL without `inodes`.  0 or -ENOMEM.
 */
int mend_evidence_contents(struct mend_evidence *e, agno_t agno, bool inodes, struct ag_contents *ret_contents,
			   struct inobt_record **ret_chunks);

/*
 * True if inodes may own blocks without a known claim, because they or their extent maps are unreadable.  realtime:
 * asks about realtime blocks; damage in a realtime group's own files does not count.
 */
bool mend_owners_unknown(const struct repair *now, bool realtime);

#endif
