/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of unowned blocks of AGs, taken from findings. */
#ifndef XFSCK_REPAIR_UNOWNED_RANGES_H
#define XFSCK_REPAIR_UNOWNED_RANGES_H

#include "mend.h"

struct bmap_record;

/* fsblocks [start, end) of one AG */
struct unowned_range {
	uint64_t start, end;
	bool shared; /* has fewer owners than the refcount btree says */
	const struct found *found;
};

struct unowned_ranges {
	struct unowned_range *v; /* sorted by start */
	size_t count;
};

/* True if a finding reports a range of unowned blocks in an AG. */
bool unowned_ranges_is_one(const struct found *found);
/* Collects the ranges that these findings report. They point to the findings. 0, then free them; or -ENOMEM. */
int unowned_ranges_of(const struct geometry *geo, const struct found *found, size_t count,
		      struct unowned_ranges *ret_ranges);
void unowned_ranges_free(struct unowned_ranges *ranges);
/* Likewise, with ranges of shared blocks that have fewer owners than the refcount btree says. */
int unowned_ranges_of_all(const struct geometry *geo, const struct found *found, size_t count,
			  struct unowned_ranges *ret_ranges);
/* True if a finding reports such a range of shared blocks. */
bool unowned_ranges_is_shared(const struct found *found);
/* True if ranges cover all blocks of the extent. */
bool unowned_ranges_have(const struct unowned_ranges *ranges, const struct bmap_record *extent);

/* True if any of these blocks is in a range. */
bool unowned_ranges_meet(const struct unowned_ranges *ranges, fsbno_t first, uint64_t len);

#endif
