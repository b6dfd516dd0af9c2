/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disputed blocks: who else claims them, and what the rmapbt says of them.  All disputes are looked up at once, since
 * an inode with millions of extents may have as many.
 */
#ifndef XFSCK_REPAIR_MEND_CLAIMS_H
#define XFSCK_REPAIR_MEND_CLAIMS_H

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

#endif
