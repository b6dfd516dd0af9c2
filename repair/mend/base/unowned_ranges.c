/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects ranges of unowned blocks, and of shared blocks with missing owners, from findings, sorted for look-up. */
#include "unowned_ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "libxfs/bmap.h"
#include "sets/ordered.h"

bool unowned_ranges_is_one(const struct found *found)
{
	return found->problem.finding == F_SPACE_LOST && found->place.agno.v != NO_AGNO;
}

bool unowned_ranges_is_shared(const struct found *found)
{
	return found->problem.finding == F_REFCOUNT_COUNT && found->place.agno.v != NO_AGNO &&
	       found->problem.want < found->problem.got;
}

static int collect_runs(const struct geometry *geo, const struct found *found, size_t count, bool all,
			struct unowned_ranges *ret_ranges)
{
	struct unowned_ranges ranges = { calloc(count + 1, sizeof(*ranges.v)), 0 };

	if (!ranges.v)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const bool shared = all && unowned_ranges_is_shared(&found[i]);
		struct unowned_range *range = &ranges.v[ranges.count];

		if (!shared && !unowned_ranges_is_one(&found[i]))
			continue;
		range->start = fsbno_of(geo, found[i].place.agno, found[i].place.agbno).v;
		range->end = range->start + (shared ? found[i].problem.index : found[i].problem.got);
		range->shared = shared;
		range->found = &found[i];
		ranges.count++;
	}
	ordered_sort(ranges.v, ranges.count, MEMBERS(MEMBER(ranges.v, start)));
	*ret_ranges = ranges;
	return 0;
}

int unowned_ranges_of(const struct geometry *geo, const struct found *found, size_t count,
		      struct unowned_ranges *ret_ranges)
{
	return collect_runs(geo, found, count, false, ret_ranges);
}

int unowned_ranges_of_all(const struct geometry *geo, const struct found *found, size_t count,
			  struct unowned_ranges *ret_ranges)
{
	return collect_runs(geo, found, count, true, ret_ranges);
}

void unowned_ranges_free(struct unowned_ranges *ranges)
{
	free(ranges->v);
	*ranges = (struct unowned_ranges){ 0 };
}

bool unowned_ranges_have(const struct unowned_ranges *ranges, const struct bmap_record *extent)
{
	size_t i = ordered_behind(ranges->v, ranges->count, MEMBER(ranges->v, end), extent->start.v);
	uint64_t at = extent->start.v;

	for (; i < ranges->count && at < extent->start.v + extent->len && at >= ranges->v[i].start; i++)
		at = ranges->v[i].end;
	return at >= extent->start.v + extent->len;
}

bool unowned_ranges_meet(const struct unowned_ranges *ranges, fsbno_t first, uint64_t len)
{
	const size_t i = ordered_behind(ranges->v, ranges->count, MEMBER(ranges->v, end), first.v);

	return i < ranges->count && ranges->v[i].start < first.v + len;
}
