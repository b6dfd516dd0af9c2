/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What groups hold, out of a second traversal: the way from evidence to mend_ag(). */
#ifndef XFSCK_REPAIR_MEND_EVIDENCE_H
#define XFSCK_REPAIR_MEND_EVIDENCE_H

#include "mend.h"

struct mend_evidence {
	struct evidence *evidence;
	struct evidence_records records;
	size_t *first;	  /* use of each group, and behind those of the last */
	struct agi *agis; /* per AG, as they were; of those that could not be read everything is empty */
};

/* Chunks of inodes of an AG, which its inobt does not lead to. */
struct mend_chunks {
	const struct inobt_record *v;
	size_t count;
};

/*
 * A traversal of everything that does not judge, with the facts of the superblock, and of `also`: chunks per AG, or
 * NULL.  agis: per AG, as they are; of those that can't be read everything is empty.  0 or negative errno.
 */
int mend_gather(const struct repair *rc, const struct scope *scope, const struct sink *sink,
		const struct mend_chunks *also, struct agi *agis);
/* The same of a traversal that has looked at them. */
void mend_agis_of(const struct geometry *geo, const struct traverse *t, struct agi *agis);
/* The tree that says what is free in a group: the cntbt where the bnobt is lost. */
enum btree_kind mend_free_tree(const struct repair *rc, group_t group);
/* An owner of the group's own trees or its free list. */
static inline bool mend_owner_is_tree(uint64_t owner)
{
	return owner == OWNER_AG || owner == OWNER_INOBT || owner == OWNER_REFC;
}
/* Say, once, that a group takes more memory than -m allows for. */
void mend_tell_memory(struct mend *m);

/* What is wanted of uses of blocks: bits 1 << enum use_kind. Chunks of inodes are always there. */
#define MEND_CLAIMS (1u << USE_CLAIM)

/*
 * Collect the facts about the blocks of the groups that wanted[] names, of all group_count(), with uses of these kinds.
 * One group alone is mended whole or not at all: where -m does not allow for that, it takes what it needs, as long as
 * the system has it, and the user is told.  0; -E2BIG: they don't fit into memory; another negative errno.  Free it
 * whatever came of it.
 */
int mend_evidence_collect(struct mend *m, const bool *wanted, unsigned kinds, struct mend_evidence *ret);
/* The same for one group. */
int mend_evidence_of_group(struct mend *m, group_t group, unsigned kinds, struct mend_evidence *ret);
void mend_evidence_free(struct mend_evidence *e);

/* The claims on blocks of one group of it, by their start. */
struct use *mend_evidence_claims(const struct mend_evidence *e, group_t group, size_t *ret_count);

/*
 * The groups that wanted[] names, one after the other, with as many of them in memory at a time as the limit on it
 * allows; wanted[] is all false in the end.  e NULL: the facts about this one alone are too many.  Other than 0 of fn
 * ends it.  That, 0, or a negative errno.
 */
typedef int mend_evidence_fn(void *ctx, struct mend_evidence *e, group_t group);
int mend_evidence_each(struct mend *m, bool *wanted, mend_evidence_fn *fn, void *ctx);
/*
 * The same, where most of the work of a group needs to know of no other: work(), which comes before fn and is not
 * called without evidence, is called by several threads at a time where that leaves room for what each takes.
 */
typedef void mend_evidence_work(void *ctx, struct mend_evidence *e, group_t group);
int mend_evidence_share(struct mend *m, bool *wanted, mend_evidence_work *work, mend_evidence_fn *fn, void *ctx);

/*
 * One AG of it, as its inodes, their forks and the inobt say: to rebuild, with `inodes`, the inode trees as well.  The
 * claims are put in another order; the chunks are for the caller to free.  0 or -ENOMEM.
 */
int mend_evidence_contents(struct mend_evidence *e, agno_t agno, bool inodes, struct ag_contents *ret_contents,
			   struct inobt_record **ret_chunks);

/* True if somebody may own blocks, or realtime blocks, that no claim tells of. */
bool mend_owners_unknown(const struct repair *now, bool realtime);

#endif
