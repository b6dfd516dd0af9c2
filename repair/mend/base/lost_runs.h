/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of blocks of allocation groups that lack an owner, by findings that tell of them. */
#ifndef XFSCK_REPAIR_LOST_RUNS_H
#define XFSCK_REPAIR_LOST_RUNS_H

#include "mend.h"

struct bmap_record;

/* fsblocks [start, end) of one AG */
struct lost_run {
	uint64_t start, end;
	bool shared; /* others have them, but fewer than the refcount btree says */
	const struct found *found;
};

struct lost_runs {
	struct lost_run *v; /* by start */
	size_t count;
};

/* Whether a finding tells of a run of lost blocks of an AG. */
bool lost_runs_is_one(const struct found *found);
/* The runs that these findings tell of; they point to the findings. 0, and they are to be freed, or -ENOMEM. */
int lost_runs_of(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs);
void lost_runs_free(struct lost_runs *runs);
/* The same, with runs of shared blocks that fewer have than the refcount btree says. */
int lost_runs_of_all(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs);
/* Whether a finding tells of such a run. */
bool lost_runs_is_shared(const struct found *found);
/* Whether runs have all blocks of the extent. */
bool lost_runs_have(const struct lost_runs *runs, const struct bmap_record *extent);

/* Whether any of these blocks is in a run. */
bool lost_runs_meet(const struct lost_runs *runs, fsbno_t first, uint64_t len);

#endif
