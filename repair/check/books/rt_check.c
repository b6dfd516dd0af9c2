/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks realtime groups after all their files have been walked: each group has its files with their names (ondisk 09,
 * invariant 4), the summary agrees with the bitmap (12, S13), and the superblock agrees with all bitmaps (S12).
 */
#include "books.h"
#include "libxfs/rt.h"
#include "repair.h"
#include "run.h"
#include "check/walk/walker.h"

static void check_file(struct walker *w, const struct rt_group *group, enum rtfile kind)
{
	const struct geometry *geo = w->t->geo;
	const xino_t ino = group->file[kind].ino, named = group->name[kind].ino;
	unsigned count = group->file[kind].count;
	uint16_t metatype = rtfile_metatype(kind);

	if (count && !rtfile_wanted(geo, kind))
		walk_problem(w, F_RTFILE_EXTRA, NO_INDEX, metatype, 0);
	else if (count > 1)
		walk_problem(w, F_RTFILE_TWICE, metatype, count, 1);
	else if (!count && rtfile_wanted(geo, kind))
		walk_problem(w, F_RTFILE_MISSING, NO_INDEX, metatype, 0);
	if (!w->t->rt.directory.v || count != 1)
		return;
	if (group->name[kind].count != 1 || named.v != ino.v || group->name[kind].directory.v != w->t->rt.directory.v)
		walk_problem(w, F_RTFILE_NAME, metatype, named.v, ino.v);
}

/* Returns the sum over the runs of free extents that touch the edge of a bitmap block, joined across blocks. */
static uint64_t edge_runs(const struct walker *w, uint32_t rgno)
{
	const struct geometry *geo = w->t->geo;
	const struct rt_edges *edges = &w->t->rt.edges[(size_t)rgno * geo->rbmblocks];
	uint64_t extents = group_length(geo, group_of_rg(geo, rgno)) / geo->rextsize;
	uint64_t run = 0, sum = 0;
	uint32_t begun = 0;

	for (uint32_t b = 0; b < geo->rbmblocks; b++) {
		uint64_t first = (uint64_t)b * rt_block_extents(geo);
		uint64_t bits = first >= extents ? 0 : extents - first;

		if (bits > rt_block_extents(geo))
			bits = rt_block_extents(geo);
		if (!run)
			begun = b;
		run += edges[b].lead;
		if (bits && edges[b].lead == bits)
			continue;
		if (run)
			sum += rt_sum_run(w->t->sink.key, begun, run);
		begun = b;
		run = edges[b].trail;
	}
	return run ? sum + rt_sum_run(w->t->sink.key, begun, run) : sum;
}

/* True if the group has exactly one such file and it was read completely, so that it can be compared. */
static bool usable(const struct rt_group *group, enum rtfile kind)
{
	return group->file[kind].count == 1 && group->file[kind].known;
}

bool rt_free_extents(const struct repair *rc, uint64_t *ret_free)
{
	const struct geometry *geo = &rc->geo;
	bool known = !geo->zoned && geo->rgcount;

	*ret_free = 0;
	for (uint32_t rg = 0; rg < geo->rgcount && known; rg++) {
		const struct rt_group *group = &rc->traverse->rt.group[rg];

		*ret_free += group->free;
		known = usable(group, RTFILE_BITMAP);
	}
	return known;
}

void rt_check(struct repair *rc, struct walker *w)
{
	const struct geometry *geo = &rc->geo;
	uint64_t free;

	w->place = place_of(OBJ_FILESYSTEM);
	if (has_rtgroups(geo) && !w->t->rt.directory.v)
		walk_problem(w, F_RTFILE_DIRECTORY, NO_INDEX, 0, 0);

	for (uint32_t rg = 0; rg < geo->rgcount; rg++) {
		const struct rt_group *group = &w->t->rt.group[rg];

		w->place = place_of(OBJ_RTGROUP);
		w->place.rgno = rg;
		for (enum rtfile kind = 0; kind < RTFILE_NR; kind++)
			check_file(w, group, kind);
		if (usable(group, RTFILE_BITMAP) && usable(group, RTFILE_SUMMARY) &&
		    group->summary + edge_runs(w, rg) != 0)
			walk_problem(w, F_RTGROUP_SUMMARY, NO_INDEX, 0, 0);
	}
	w->place = place_of(OBJ_SUPERBLOCK);
	w->place.agno.v = 0;
	if (rt_free_extents(rc, &free) && !geo->counters_lost && !rc->run->frextents_stale && geo->frextents != free)
		walk_problem(w, F_SB_FREXTENTS_COUNT, NO_INDEX, geo->frextents, free);
}
