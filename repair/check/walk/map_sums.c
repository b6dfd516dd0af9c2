/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up the extents of forks, and passes the totals to the sink when a fork is complete. */
#include "map_sums.h"

#include <stdlib.h>

#include "inflight.h"
#include "sets/sort.h"

void map_sums_join(struct map_sums *sums, const struct map_sums *next)
{
	if (!next->extents)
		return;
	sums->ranges += next->ranges - (sums->extents && sums->end == next->off);
	if (!sums->extents)
		sums->off = next->off;
	sums->end = next->end;
	sums->extents += next->extents;
	sums->blocks += next->blocks;
	sums->unwritten += next->unwritten;
	sums->beyond += next->beyond;
	if (!next->jumps)
		return;
	if (!sums->jumps)
		sums->first = next->first;
	sums->jumps += next->jumps - (sums->jumps && sums->behind == next->first);
	sums->behind = next->behind;
}

void map_sums_add(struct map_sums *sums, const struct bmap_record *r, uint64_t size_blocks)
{
	const uint64_t end = r->off.v + r->len;
	const uint64_t from = r->off.v > size_blocks ? r->off.v : size_blocks;

	map_sums_join(sums, &(struct map_sums){ .extents = 1,
						.ranges = 1,
						.jumps = !r->unwritten,
						.blocks = r->len,
						.unwritten = r->unwritten ? r->len : 0,
						.beyond = end > from ? end - from : 0,
						.off = r->off.v,
						.end = end,
						.first = r->start.v,
						.behind = r->start.v + r->len });
}

void map_tell(struct walker *w, const struct inflight *inflight, enum fork which, const struct map_sums *sums)
{
	const struct map_fact fact = {
		.ino = inflight->ino,
		.fork = which,
		.ftype = inflight->ftype,
		.realtime = inflight->rules[which].realtime,
		.quota = inflight->is_quota,
		.rtfile = inflight->rt != NULL,
		.size = inflight->size,
		.whole = sums->extents == inflight->fork[which].expected,
		.extents = sums->extents,
		.ranges = sums->ranges,
		.jumps = sums->jumps,
		.blocks = sums->blocks,
		.unwritten = sums->unwritten,
		.beyond = sums->beyond,
	};

	sink_tell(&w->t->sink, mapped, w->worker, &fact);
}

void map_leaves_add(struct walker *w, struct inflight *inflight, enum fork which, const struct map_sums *sums)
{
	struct map_leaves *leaves = &inflight->maps[which];

	walk_add(w, leaves->v, leaves->room, leaves->count, *sums);
}

static int compare_offsets(const void *a, const void *b)
{
	return number_order(((const struct map_sums *)a)->off, ((const struct map_sums *)b)->off);
}

void map_leaves_settle(struct walker *w, struct inflight *inflight)
{
	for (enum fork which = DATA_FORK; which <= ATTR_FORK; which++) {
		struct map_leaves *leaves = &inflight->maps[which];
		struct map_sums all = { 0 };

		if (!leaves->wanted)
			continue;
		if (leaves->count > 1)
			qsort(leaves->v, leaves->count, sizeof(*leaves->v), compare_offsets);
		for (size_t i = 0; i < leaves->count; i++)
			map_sums_join(&all, &leaves->v[i]);
		map_tell(w, inflight, which, &all);
		free(leaves->v);
	}
	walk_free(w, inflight->maps, 2 * sizeof(*inflight->maps));
}
