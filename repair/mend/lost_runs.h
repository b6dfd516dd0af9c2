/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks that nobody has, as findings tell of them: those of allocation groups, not realtime ones. */
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

/* Of the findings, which have to stay. Free it after 0. 0 or -ENOMEM. */
int lost_runs_of(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs);
void lost_runs_free(struct lost_runs *runs);
/* Nobody has any of the extent's blocks. */
bool lost_runs_have(const struct lost_runs *runs, const struct bmap_record *extent);

#endif
