/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of blocks that nobody has, taken from findings and sorted, so that menders can look up whether blocks are lost.
 */
#include "lost_runs.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "sets/sort.h"

bool lost_runs_is_one(const struct found *found)
{
	return found->problem.finding == F_SPACE_LOST && found->place.agno.v != NO_AGNO;
}

static int by_start(const void *a, const void *b)
{
	const struct lost_run *x = a, *y = b;

	return number_order(x->start, y->start);
}

int lost_runs_of(const struct geometry *geo, const struct found *found, size_t count, struct lost_runs *ret_runs)
{
	struct lost_runs runs = { calloc(count + 1, sizeof(*runs.v)), 0 };

	if (!runs.v)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct lost_run *run = &runs.v[runs.count];

		if (!lost_runs_is_one(&found[i]))
			continue;
		run->start = fsbno_of(geo, found[i].place.agno, found[i].place.agbno).v;
		run->end = run->start + found[i].problem.got;
		run->found = &found[i];
		runs.count++;
	}
	qsort(runs.v, runs.count, sizeof(*runs.v), by_start);
	*ret_runs = runs;
	return 0;
}

void lost_runs_free(struct lost_runs *runs)
{
	free(runs->v);
	*runs = (struct lost_runs){ 0 };
}

static bool ends_before(const void *element, const void *key)
{
	return ((const struct lost_run *)element)->end <= *(const uint64_t *)key;
}

bool lost_runs_have(const struct lost_runs *runs, const struct bmap_record *extent)
{
	const size_t i = array_lower_bound(runs->v, runs->count, sizeof(*runs->v), &extent->start.v, ends_before);

	return i < runs->count && extent->start.v >= runs->v[i].start &&
	       extent->start.v + extent->len <= runs->v[i].end;
}
