/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Derives the records of a group's space btrees from the owners of its blocks (ondisk 12: S7 to S11, S14, S15). */
#ifndef XFSCK_REPAIR_MEND_RECORDS_H
#define XFSCK_REPAIR_MEND_RECORDS_H

#include "check/locate/evidence.h"

struct ag_records {
	struct alloc_record *free; /* by start, not adjacent */
	size_t nfree;
	const struct use *rmaps; /* with an rmapbt: the joined claims, one per record: ag_rmap_of() */
	size_t nrmaps;
	struct refcount_record *refcounts; /* in the order of the refcountbt: staging extents last */
	size_t nrefcounts;
};

/* True if the claimed blocks may be shared, which only written blocks of data forks may. */
static inline bool ag_use_shareable(const struct geometry *geo, const struct use *use)
{
	return geo->reflink && !claim_is_alone(use->owner, use->flags, use->object);
}

/*
 * Derives the records from claims on blocks of an AG or a realtime group.  Sorts the claims like the rmapbt; if there
 * is one, joins claims that form one record and reduces *nclaims.  0; -ENOMEM; -EINVAL: a claim lies outside of the
 * group; -EEXIST: two claims must not overlap, *ret_collision is the first such block.  The claims stay the caller's
 * and must outlive the records; call ag_records_free() in any case.
 */
int ag_records_derive(const struct geometry *geo, group_t group, struct use *claims, size_t *nclaims,
		      struct ag_records *ret_records, uint64_t *ret_collision);
void ag_records_free(struct ag_records *records);

/* Returns the rmapbt record of a claim. */
struct rmap_record ag_rmap_of(const struct use *claim);

#endif
