/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the extents of a fork again, and divides them as the kernel does for FS_IOC_GETBMAPX: it ends where the file
 * ends, unless extents are meant to lie behind, and tells shared and other parts of an extent apart.
 */
#include "extents.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "check/facts.h"
#include "line.h"
#include "mend/base/mend_lanes.h"
#include "repair.h"
#include "sets/ordered.h"
#include "spans.h"
#include "check/walk/traverse.h"

struct reading {
	const struct geometry *geo;
	xino_t ino;
	uint8_t flags; /* RMAP_ATTR, if that fork is wanted */
	struct mend_lanes lanes;
	struct mend_lanes shared; /* spans of blocks of the line that several files have */
};

static void claim(void *ctx, unsigned lane, const struct claim *claim)
{
	struct reading *reading = ctx;
	const struct extent extent = { .offset = claim->offset,
				       .len = claim->at.len,
				       .start = line_of(reading->geo, claim->at.group, claim->at.start),
				       .unwritten = claim->flags & RMAP_UNWRITTEN };

	if (claim->owner == reading->ino.v && (claim->flags & (RMAP_ATTR | RMAP_BMBT)) == reading->flags)
		mend_lanes_add(&reading->lanes, lane, &extent);
}

/* The check has the shared ranges of the groups, from this one up to `end`. 0 or the lanes' error. */
static int take_shared(const struct repair *rc, uint32_t group, uint32_t end, struct reading *reading)
{
	int ret = 0;

	for (; group < end; group++) {
		const struct shared *shared = &rc->traverse->shared[group];

		for (size_t i = 0; i < shared->count && !ret; i++) {
			const struct shared_range *range = &shared->v[i];
			const uint64_t start = line_of(&rc->geo, (group_t){ group }, (gbno_t){ range->start });

			ret = mend_lanes_add(&reading->shared, 0,
					     &(struct span){ start, start + (range->end - range->start) });
		}
	}
	return ret;
}

/* Add an extent, or what of it lies before the end. */
static int add(struct extents *extents, struct extent extent, uint64_t end)
{
	if (extent.offset >= end)
		return 0;
	if (extent.len > end - extent.offset)
		extent.len = end - extent.offset;
	return array_add(extents->v, extents->room, extents->count, extent);
}

/* Add the parts of an extent that are shared and those that are not. */
static int add_parts(struct extents *extents, struct extent extent, uint64_t end, const struct span *shared,
		     size_t nshared)
{
	size_t i = extent.unwritten ? nshared : ordered_behind(shared, nshared, MEMBER(shared, end), extent.start);
	int ret = 0;

	while (extent.len && !ret) {
		struct extent part = extent;
		uint64_t change = UINT64_MAX;

		part.shared = i < nshared && shared[i].start <= extent.start;
		if (i < nshared)
			change = part.shared ? shared[i++].end : shared[i].start;
		if (change - extent.start < extent.len)
			part.len = change - extent.start;
		ret = add(extents, part, end);
		extent.offset += part.len;
		extent.start += part.len;
		extent.len -= part.len;
	}
	return ret;
}

static uint64_t blocks_of(const struct geometry *geo, uint64_t bytes)
{
	return (bytes >> geo->block_log) + ((bytes & (geo->block_size - 1)) != 0);
}

/* Where the extents that are told end, in blocks. */
static uint64_t told_end(const struct geometry *geo, const struct holder *holder, enum fork fork)
{
	return fork == ATTR_FORK || holder->keeps_more ? UINT64_MAX : blocks_of(geo, holder->size);
}

static int arrange(const struct geometry *geo, struct extents *extents, enum fork fork, const struct extent *all,
		   size_t count, const struct span *shared, size_t nshared)
{
	const uint64_t end = told_end(geo, &extents->holder, fork);
	const uint64_t file_end = fork == ATTR_FORK ? 0 : blocks_of(geo, extents->holder.size);
	uint64_t at = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		if (all[i].offset > at)
			ret = add(extents, (struct extent){ at, all[i].offset - at, EXTENT_HOLE, false, false }, end);
		if (!ret)
			ret = add_parts(extents, all[i], end, shared, nshared);
		at = all[i].offset + all[i].len;
	}
	if (count && at < file_end && !ret)
		ret = add(extents, (struct extent){ at, file_end - at, EXTENT_HOLE, false, false }, end);
	return ret;
}

/* Look at the inode itself. 0, -ENOENT or another negative errno. */
static int read_inode(struct repair *rc, xino_t ino, struct extents *extents)
{
	struct ino_set set = { 0 };
	struct holders holders = { 0 };
	int ret = ino_set_put(&set, ino);

	if (!ret)
		ret = holders_look(rc, &set, &holders);
	if (!ret && !holders.count)
		ret = -ENOENT;
	if (!ret)
		extents->holder = holders.v[0];
	holders_free(&holders);
	ino_set_free(&set);
	return ret;
}

int extents_read(struct repair *rc, xino_t ino, enum fork fork, struct extents *ret_extents)
{
	static const struct sink_ops ops = { .claim = claim };
	const struct scope scope = { .claims = true };
	struct reading reading = { .geo = &rc->geo, .ino = ino, .flags = fork == ATTR_FORK ? RMAP_ATTR : 0 };
	struct span *shared = NULL;
	struct extent *all = NULL;
	size_t count = 0, nshared = 0;
	int ret = read_inode(rc, ino, ret_extents);

	if (!ret)
		ret = mend_lanes_new(&reading.lanes, rc, sizeof(struct extent));
	if (!ret)
		ret = mend_lanes_new(&reading.shared, rc, sizeof(struct span));
	if (!ret)
		ret = facts_gather_near(rc, &scope, &ino, 1, &ops, &reading);
	if (!ret && fork == DATA_FORK && ret_extents->holder.reflink)
		ret = ret_extents->holder.realtime ? take_shared(rc, rc->geo.agcount, group_count(&rc->geo), &reading)
						   : take_shared(rc, 0, rc->geo.agcount, &reading);
	if (!ret)
		ret = mend_lanes_join(&reading.lanes, &all, &count);
	if (!ret)
		ret = mend_lanes_join(&reading.shared, &shared, &nshared);
	if (!ret) {
		ordered_sort(all, count, MEMBERS(MEMBER(all, offset)));
		ret = arrange(&rc->geo, ret_extents, fork, all, count, shared, spans_join(shared, nshared));
	}
	mend_lanes_free(&reading.lanes);
	mend_lanes_free(&reading.shared);
	free(all);
	free(shared);
	return ret;
}

void extents_free(struct extents *extents)
{
	free(extents->v);
	*extents = (struct extents){ 0 };
}
