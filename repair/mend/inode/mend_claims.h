/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who claims blocks that others claim, too, and what the rmapbt says of these: looked up once for all disputes, of
 * which an inode with millions of extents may have as many.
 */
#ifndef XFSCK_REPAIR_MEND_CLAIMS_H
#define XFSCK_REPAIR_MEND_CLAIMS_H

#include "mend/mend_facts.h"

struct claims {
	const struct geometry *geo;
	const struct mend_facts *facts;
	struct found *found; /* about inodes and what they claim: by inode, then block */
	size_t count;
	struct rmap_question {
		xino_t ino;
		uint8_t kind; /* of the facts that answer: FACT_RMAP, FACT_RTRMAP */
		uint64_t block;
		const struct ino_fact *rmap; /* NULL: nothing */
	} * questions;			     /* by inode, kind, block */
	size_t nquestions;
	struct ino_set too_many; /* inodes that count fewer blocks than their maps have */
};

/* The facts stay the caller's until then. 0 or -ENOMEM; free it whatever came of it. */
int claims_new(const struct geometry *geo, const struct found *found, size_t count, const struct mend_facts *facts,
	       struct claims *ret);
void claims_free(struct claims *claims);

/* The other claim on the blocks of a finding, if it is one of an inode's, else NULL. */
const struct found *claims_other(const struct claims *claims, const struct found *found);
/*
 * What the rmapbt says of the first of the blocks of a claim as those of an inode, one of the two that it is about;
 * NULL: nothing.
 */
const struct ino_fact *claims_rmap(const struct claims *claims, const struct found *claim, xino_t ino);
/* What the rmapbt has in the place of a claim in its file: the records that begin last before it or there. */
const struct ino_fact *claims_rmap_there(const struct claims *claims, const struct found *claim, size_t *ret_count);

#endif
