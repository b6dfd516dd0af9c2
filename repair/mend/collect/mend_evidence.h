/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What groups hold, from the evidence of another traversal: from there to mend_ag(). */
#ifndef XFSCK_REPAIR_MEND_EVIDENCE_H
#define XFSCK_REPAIR_MEND_EVIDENCE_H

#include "check/locate/evidence.h"
#include "libxfs/ag.h"

struct mend;
struct repair;
struct scope;
struct sink;
struct traverse;

/* What is known of an allocation group whose trees are to be built anew: who uses which blocks, and where inodes are.
 */

/* What the new trees of an AG shall describe. All arrays are the caller's. */
struct ag_contents {
	agno_t agno;
	/*
	 * Who uses which blocks: headers, log, inode chunks, files, extents staged for copy on write (OWNER_COW), and
	 * inode trees that stay; but not the trees that are built, nor the free list.  Of struct use, start, len,
	 * owner, offset, flags and object count.  They come in any order; mend_ag() sorts them by start.  Only written
	 * extents of data forks may overlap: such blocks are shared.
	 */
	struct use *claims;
	size_t nclaims;
	/* Blocks that the trees to be replaced and the free list had (OWNER_AG, OWNER_INOBT, OWNER_REFC). */
	const struct use *old;
	size_t nold;
	/* Records of the new inobt, by start; NULL: the inode trees stay, and `claims` must hold their blocks. */
	const struct inobt_record *chunks;
	size_t nchunks;
	/* the AGI as it was: its hints and unlinked lists are kept, and if the inode trees stay, all the rest */
	struct agi agi;
};

struct mend_evidence {
	struct evidence *evidence;
	struct evidence_records records;
	size_t *first;	  /* per group: index of its first use; and one more element, the number of all uses */
	struct agi *agis; /* per AG, as read; one that could not be read is empty */
};

/* Chunks of inodes of an AG. */
struct mend_chunks {
	const struct inobt_record *v;
	size_t count;
};

/*
 * Traverse what the scope names, and the inodes of `also` (chunks per AG that inobts may lack, or NULL), and hand all
 * facts, those of the superblock included, to the sink; nothing is reported.  agis: room for the AGI of each AG, or
 * NULL; one that can't be read is empty.  0 or negative errno.
 */
int mend_gather(const struct repair *rc, const struct scope *scope, const struct sink *sink,
		const struct mend_chunks *also, struct agi *agis);
/* The AGIs that a traversal has read; likewise. */
void mend_agis_of(const struct geometry *geo, const struct traverse *t, struct agi *agis);
/* The tree to ask what is free in a group: the bnobt, or the cntbt if only that is whole. */
enum btree_kind mend_free_tree(const struct repair *rc, group_t group);
/* Whether the owner of a claim is one of the group's own trees or its free list. */
static inline bool mend_owner_is_tree(uint64_t owner)
{
	return owner == OWNER_AG || owner == OWNER_INOBT || owner == OWNER_REFC;
}

/* Kinds of facts about blocks that are wanted, bits 1 << enum use_kind. Chunks of inodes come in any case. */
#define MEND_CLAIMS (1u << USE_CLAIM)

/*
 * Collect the facts about the blocks of the groups that wanted[] names, of all group_count(), with uses of these kinds.
 * If a single group takes more than -m allows, up to half of the system's memory is used for it, and the user is told:
 * a group is mended as a whole or not at all.  0; -E2BIG: the facts don't fit into memory; or another negative errno.
 * Free *ret in any case.
 */
int mend_evidence_collect(struct mend *m, const bool *wanted, unsigned kinds, struct mend_evidence *ret);
/* The same for one group. */
int mend_evidence_of_group(struct mend *m, group_t group, unsigned kinds, struct mend_evidence *ret);
void mend_evidence_free(struct mend_evidence *e);

/* The claims on blocks of a group, by start, without staging extents that collide with others; e owns them. */
struct use *mend_evidence_claims(const struct mend_evidence *e, group_t group, size_t *ret_count);

/*
 * Call fn for each group that wanted[] names, with evidence of as many groups in memory at a time as its limit allows.
 * e is NULL if the facts about this group alone don't fit.  wanted[] is cleared on the way.  A value of fn other than 0
 * ends the walk and is returned; else 0 or a negative errno.
 */
typedef int mend_evidence_fn(void *ctx, struct mend_evidence *e, group_t group);
int mend_evidence_each(struct mend *m, bool *wanted, mend_evidence_fn *fn, void *ctx);
/*
 * The same, with work that concerns one group only: work() is called before fn, unless there is no evidence, and by
 * several threads at a time if there is memory for what each of them takes.
 */
typedef void mend_evidence_work(void *ctx, struct mend_evidence *e, group_t group);
int mend_evidence_share(struct mend *m, bool *wanted, mend_evidence_work *work, mend_evidence_fn *fn, void *ctx);

/*
 * What mend_ag() needs to rebuild an AG; inodes: its inode trees, too.  The contents point into the evidence, where
 * this changes the order of claims, and to *ret_chunks, which the caller frees; NULL without `inodes`.  0 or -ENOMEM.
 */
int mend_evidence_contents(struct mend_evidence *e, agno_t agno, bool inodes, struct ag_contents *ret_contents,
			   struct inobt_record **ret_chunks);

/*
 * Whether an inode may own blocks that no claim tells of, because it or its extent map can't be read; realtime:
 * realtime blocks, for which damage in a realtime group's own files does not count.
 */
bool mend_owners_unknown(const struct repair *now, bool realtime);

#endif
