/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the records of a group's space trees must be, by who uses its blocks (ondisk 12: S7 to S11, S14, S15). */
#ifndef XFSCK_REPAIR_MEND_RECORDS_H
#define XFSCK_REPAIR_MEND_RECORDS_H

#include "check/locate/evidence.h"

struct ag_records {
	struct alloc_record *free; /* by start, none touching another */
	size_t nfree;
	const struct use *rmaps; /* with an rmapbt: the joined claims, each of which is a record, see ag_rmap_of() */
	size_t nrmaps;
	struct refcount_record *refcounts; /* in the order of the refcountbt: staging extents last */
	size_t nrefcounts;
};

/* Whether the claimed blocks may be shared: only those that files have written in their data forks may. */
static inline bool ag_use_shareable(const struct geometry *geo, const struct use *use)
{
	return geo->reflink && !claim_is_alone(use->owner, use->flags, use->object);
}

/*
 * Derive the records from claims on blocks of an AG or a realtime group.  The claims are put in the order of the
 * rmapbt; where there is one, neighbours that can be one record are joined into one claim, and *nclaims is their number
 * then. 0; -ENOMEM; -EINVAL: a claim lies outside of the group; -EEXIST: two claims overlap and may not, *ret_collision
 * is the first such block.  The claims stay the caller's, and must outlive the records; free these with
 * ag_records_free() in any case.
 */
int ag_records_derive(const struct geometry *geo, group_t group, struct use *claims, size_t *nclaims,
		      struct ag_records *ret_records, uint64_t *ret_collision);
void ag_records_free(struct ag_records *records);

/* The record of the rmapbt that a claim makes. */
struct rmap_record ag_rmap_of(const struct use *claim);

#endif
