/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disputed blocks: who else claims them, and what the rmapbt says of them.  All disputes are looked up at once, since
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
	struct found *found; /* all findings about inodes and what they claim, by inode, then block */
	size_t count;
	struct rmap_question { /* which record of the rmapbt has this block as this inode's? */
		xino_t ino;
		uint8_t kind; /* FACT_RMAP or FACT_RTRMAP */
		uint64_t block;
		const struct ino_fact *rmap; /* the answer; NULL: none */
	} * questions;			     /* by inode, kind, block */
	size_t nquestions;
	struct ino_set too_many;   /* inodes that count fewer blocks than their maps have */
	struct ino_set miscounted; /* inodes that count other blocks or extents than their maps have */
	struct claim_line *lines;  /* of all these claims, by inode, object, line */
	size_t nlines;
	size_t same_place; /* claims on blocks that another file has in the same place */
};

/* An extent some of whose blocks somebody else claims, too, or that are free. */
struct claim_line {
	xino_t ino;
	uint64_t line;	/* offset in the file minus block: the same for all blocks of an extent */
	uint8_t object; /* OBJ_DATA_FORK or OBJ_ATTR_FORK */
	bool file;	/* other files claim blocks of it */
	bool tree;	/* the AG's trees or its free list do */
	bool fixed;	/* what does not move does: headers, chunks of inodes, the log */
	bool free;	/* blocks of it are free */
};

/* Copies the findings; the facts must outlive the claims. 0 or -ENOMEM; free them in any case. */
int claims_new(const struct geometry *geo, const struct found *found, size_t count, const struct mend_facts *facts,
	       struct claims *ret);
void claims_free(struct claims *claims);

/* The finding about the other claim on the same blocks; NULL: there is none, or it is not an inode's. */
const struct found *claims_other(const struct claims *claims, const struct found *found);
/*
 * The rmap record that has the first block of a claim as the inode's, which is one of the two that the finding is
 * about; NULL: there is none.
 */
const struct ino_fact *claims_rmap(const struct claims *claims, const struct found *claim, xino_t ino);
/*
 * What the rmapbt has in the place of a claim in its file: the records of that fork with the highest offset that is not
 * behind the place; the first, and how many.
 */
const struct ino_fact *claims_rmap_there(const struct claims *claims, const struct found *claim, size_t *ret_count);

/*
 * Whether another file has the first block of a claim in the same place, and several pairs of files have blocks so:
 * they share them, and the refcount btree is older than that.
 */
bool claims_seem_shared(const struct claims *claims, const struct found *claim);
/*
 * Whether an extent can hardly be right: it has blocks of what does not move, or of more than one kind of others.  The
 * claim is one on blocks of that extent.
 */
bool claims_strange(const struct claims *claims, const struct found *claim);

/* Who claims blocks that another one claims, too: what tells of a file that may share them. */

/* Who claims blocks by an extent map. */
struct claimant {
	bool file;   /* they are data of a regular file of users */
	bool beyond; /* they lie behind the file's end, where nobody reads them */
	bool shares; /* the file may share blocks: it has the reflink flag, or may have lost it */
	lsn_t date;  /* 0: unknown */
};

/* The claimant that a finding is about; all zero: not a data fork, or its inode can't be decoded. */
struct claimant claimant_of(struct mend *m, const struct found *found);
/*
 * Whether two findings about the same blocks tell of files that share them: both have them in the same place, and the
 * refcount btree is older than that, since the group's trees are old.  x, y: the claimants that they are about.
 */
bool claimants_seem_to_share(const struct mend *m, const struct found *one, const struct claimant *x,
			     const struct found *other, const struct claimant *y);

/* The extent map of a fork as the rmapbts tell it (ondisk 12, S9). */

/*
 * Add the extents of a fork as an rmapbt has them, in their order, to a map; if two overlap in the file one is wrong,
 * and the first is left out.  kind: FACT_RMAP or FACT_RTRMAP.  0 or -ENOMEM.
 */
int mend_rmap_extents(const struct geometry *geo, const struct mend_facts *facts, xino_t ino, enum fork fork,
		      enum ino_fact_kind kind, struct mend_map *map);

#endif
