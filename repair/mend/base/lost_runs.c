/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects runs of unowned blocks, and of shared blocks with missing owners, from findings, sorted for look-up. */
#include "lost_runs.h"

#include <errno.h>
#include <stdlib.h>

#include "libxfs/bmap.h"
#include "sets/ordered.h"

bool lost_runs_is_one(const struct found *found)
{
	return found->problem.finding == F_SPACE_LOST && found->place.agno.v != NO_AGNO;
}

bool lost_runs_is_shared(const struct found *found)
{
	return found->problem.finding == F_REFCOUNT_COUNT && found->place.agno.v != NO_AGNO &&
	       found->problem.want < found->problem.got;
}

static int collect_runs(const struct geometry *geo, const struct found *found, size_t count, bool all,
			struct lost_runs *ret_runs)
{
	struct lost_runs runs = { calloc(count + 1, sizeof(*runs.v)), 0 };

	if (!runs.v)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const bool shared = all && lost_runs_is_shared(&found[i]);
		struct lost_run *run = &runs.v[runs.count];

		if (!shared && !lost_runs_is_one(&found[i]))
			continue;
		run->start = fsbno_of(geo, found[i].place.agno, found[i].place.agbno).v;
		run->end = run->start + (shared ? found[i].problem.index : found[i].problem.got);
		run->shared = shared;
		run->found = &found[i];
		runs.count++;
	}
	ordered_sort(runs.v, runs.count, MEMBERS(MEMBER(runs.v, start)));
	*ret_runs = runs;
	return 0;
}

int lost_runs_of(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs)
{
	return collect_runs(geo, found, count, false, ret_runs);
}

int lost_runs_of_all(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs)
{
	return collect_runs(geo, found, count, true, ret_runs);
}

void lost_runs_free(struct lost_runs *runs)
{
	free(runs->v);
	*runs = (struct lost_runs){ 0 };
}

bool lost_runs_have(const struct lost_runs *runs, const struct bmap_record *extent)
{
	size_t i = ordered_behind(runs->v, runs->count, MEMBER(runs->v, end), extent->start.v);
	uint64_t at = extent->start.v;

	for (; i < runs->count && at < extent->start.v + extent->len && at >= runs->v[i].start; i++)
		at = runs->v[i].end;
	return at >= extent->start.v + extent->len;
}

bool lost_runs_meet(const struct lost_runs *runs, fsbno_t first, uint64_t len)
{
	const size_t i = ordered_behind(runs->v, runs->count, MEMBER(runs->v, end), first.v);

	return i < runs->count && runs->v[i].start < first.v + len;
}
