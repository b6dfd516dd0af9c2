/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disputed blocks: who else claims them, and which owner the rmapbt lists.  All disputes are looked up at once, because
 * an inode with millions of extents may have as many.
 */
#ifndef XFSCK_REPAIR_MEND_CLAIMS_H
#define XFSCK_REPAIR_MEND_CLAIMS_H

#include "mend/base/mend.h"
#include "mend/base/mend_map.h"
#include "mend_facts.h"

struct claims {
	const struct geometry *geo;
	const struct mend_facts *facts;
	struct found *found; /* all findings about inodes and their claims, by inode, then block */
	size_t count;
	struct rmap_question { /* which rmapbt record lists this block for this inode? */
		xino_t ino;
		uint8_t kind; /* FACT_RMAP or FACT_RTRMAP */
		uint64_t block;
		const struct ino_fact *rmap; /* the answer; NULL: none */
	} * questions;			     /* by inode, kind, block */
	size_t nquestions;
	struct ino_set too_many;   /* inodes whose nblocks is below the number of blocks in their maps */
	struct ino_set miscounted; /* inodes whose counts of blocks or extents don't match their maps */
	struct claim_line *lines;  /* of all these claims, by inode, object, line */
	size_t nlines;
	size_t same_place; /* claims on blocks that another file has at the same offset */
};

/* An extent that has blocks with another claimant, or free blocks. */
struct claim_line {
	xino_t ino;
	uint64_t line;	/* file offset minus start block: the same for all blocks of an extent */
	uint8_t object; /* OBJ_DATA_FORK or OBJ_ATTR_FORK */
	bool file;	/* other files claim blocks of it */
	bool tree;	/* btrees or the free list of the AG do */
	bool fixed;	/* metadata that does not move does: headers, inode chunks, the log */
	bool free;	/* some of its blocks are free */
};

/* Copies the findings; the facts must outlive the claims. 0 or -ENOMEM; free the claims in any case. */
int claims_new(const struct geometry *geo, const struct found *found, size_t count, const struct mend_facts *facts,
	       struct claims *ret);
void claims_free(struct claims *claims);

/* Returns the finding about the other claim on the same blocks; NULL: none, or the claimant is not an inode. */
const struct found *claims_other(const struct claims *claims, const struct found *found);
/*
 * Returns the rmapbt record that lists the first block of a claim for inode `ino`, which must be one of the two
 * claimants.  NULL: none.
 */
const struct ino_fact *claims_rmap(const struct claims *claims, const struct found *claim, xino_t ino);
/*
 * Returns the rmapbt records of the claim's fork with the highest offset up to the file offset of the claim: the first
 * one, and their number.
 */
const struct ino_fact *claims_rmap_there(const struct claims *claims, const struct found *claim, size_t *ret_count);

/*
 * True if another file has the first block of a claim at the same file offset, and so do several pairs of files: they
 * share the blocks, and the refcount btree is older.
 */
bool claims_seem_shared(const struct claims *claims, const struct found *claim);
/*
 * True if an extent is implausible: its blocks belong to metadata that does not move, or to several kinds of owners.
 * The claim is on blocks of that extent.
 */
bool claims_strange(const struct claims *claims, const struct found *claim);

/* A claimant of disputed blocks, as far as it matters for sharing. */
struct claimant {
	bool file;   /* the blocks are data of a user's regular file */
	bool beyond; /* they lie beyond the file's end, where nothing reads them */
	bool shares; /* the file may share blocks: it has the reflink flag, or may have lost it */
	lsn_t date;  /* LSN of the inode; 0: unknown */
};

/* Returns the claimant of a finding; all zero: not a data fork, or its inode can't be decoded. */
struct claimant claimant_of(struct mend *m, const struct found *found);
/*
 * True if two findings about the same blocks look like files that share them: both have them at the same file offset,
 * and the refcount btree may lack that, because the AG's btrees are old.  x, y: the claimants of the findings.
 */
bool claimants_seem_to_share(const struct mend *m, const struct found *one, const struct claimant *x,
			     const struct found *other, const struct claimant *y);

/*
 * Adds the extents of a fork, as an rmapbt lists them (ondisk 12, S9), to a map, in order.  If two overlap in the file,
 * one is wrong, and the first is omitted.  kind: FACT_RMAP or FACT_RTRMAP.  0 or -ENOMEM.
 */
int mend_rmap_extents(const struct geometry *geo, const struct mend_facts *facts, xino_t ino, enum fork fork,
		      enum ino_fact_kind kind, struct mend_map *map);

#endif
