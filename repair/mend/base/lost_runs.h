/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of unowned blocks of AGs, taken from findings. */
#ifndef XFSCK_REPAIR_LOST_RUNS_H
#define XFSCK_REPAIR_LOST_RUNS_H

#include "mend.h"

struct bmap_record;

/* fsblocks [start, end) of one AG */
struct lost_run {
	uint64_t start, end;
	bool shared; /* has fewer owners than the refcount btree says */
	const struct found *found;
};

struct lost_runs {
	struct lost_run *v; /* sorted by start */
	size_t count;
};

/* True if a finding reports a run of unowned blocks in an AG. */
bool lost_runs_is_one(const struct found *found);
/* Collects the runs that these findings report. They point to the findings. 0, then free them; or -ENOMEM. */
int lost_runs_of(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs);
void lost_runs_free(struct lost_runs *runs);
/* Likewise, with runs of shared blocks that have fewer owners than the refcount btree says. */
int lost_runs_of_all(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs);
/* True if a finding reports such a run of shared blocks. */
bool lost_runs_is_shared(const struct found *found);
/* True if runs cover all blocks of the extent. */
bool lost_runs_have(const struct lost_runs *runs, const struct bmap_record *extent);

/* True if any of these blocks is in a run. */
bool lost_runs_meet(const struct lost_runs *runs, fsbno_t first, uint64_t len);

#endif
