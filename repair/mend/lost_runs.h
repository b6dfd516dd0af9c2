/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of lost blocks of allocation groups, by findings that tell of them. */
#ifndef XFSCK_REPAIR_LOST_RUNS_H
#define XFSCK_REPAIR_LOST_RUNS_H

#include "mend.h"

/* fsblocks [start, end) of one AG */
struct lost_run {
	uint64_t start, end;
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
/* Whether one run has all blocks of the extent. */
bool lost_runs_have(const struct lost_runs *runs, const struct bmap_record *extent);

#endif
