/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects a file's data map where the rmapbt or refcount btree knows better (ondisk 05; 12, S9 and S10):
 * - Unowned blocks that the rmapbt lists for the file are restored, because no one else can miss them; unless the
 *   rmapbt is that of an old AG (group_age.h).  If they seem to be another file's (fork_rmap_is_foreign()), that is
 *   created.
 * - An extent marked unwritten is written if the rmapbt says so, or if it is shared, as only written data can be.  The
 *   blocks hold the file's data, while the mark makes them read as zeroes.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend/base/unowned_ranges.h"
#include "mend/base/mend_drop.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_claims.h"
#include "mend/make/mend_inode_lost.h"
#include "mend_inode_fork.h"
#include "repair.h"
#include "check/walk/shared.h"
#include "check/walk/walker.h"

bool fork_is_shared(const struct fork_work *w, const struct bmap_record *extent)
{
	const struct blocks at = blocks_of_extent(&w->m->now->geo, fork_is_realtime(w), extent->start, extent->len);

	if (!w->inode.inode.reflink || !w->m->now->traverse)
		return false;
	for (uint32_t i = 0; i < extent->len; i++)
		if (!shared_any(&w->m->now->traverse->shared[at.group.v], (gbno_t){ at.start.v + i }, 1))
			return false;
	return true;
}

/* ---- extents marked unwritten ---- */

/* Adds parts of an extent marked unwritten to a map, clearing the mark where it is wrong. 0 or -ENOMEM. */
static int add_unmarked(const struct fork_work *w, const struct bmap_record *extent, struct mend_map *into)
{
	uint64_t at = extent->off.v, end = mend_map_end(extent);
	int ret = 0;

	for (size_t i = mend_map_behind(w->rmap.v, w->rmap.count, at); at < end && !ret; i++) {
		const struct bmap_record *r = i < w->rmap.count && w->rmap.v[i].off.v < end ? &w->rmap.v[i] : NULL;
		const uint64_t from = r && r->off.v > at ? r->off.v : r ? at : end;
		struct bmap_record part;

		if (from > at) {
			part = mend_map_part(extent, at, from);
			part.unwritten = !fork_is_shared(w, &part);
			ret = mend_map_add(into, &part);
			at = from;
		}
		if (!r || ret)
			continue;
		part = mend_map_part(extent, at, mend_map_end(r));
		if (part.start.v - part.off.v == r->start.v - r->off.v)
			part.unwritten = r->unwritten;
		ret = mend_map_add(into, &part);
		at = mend_map_end(&part);
	}
	return ret;
}

/* True if all extents of the map from this index on are marked unwritten. */
static bool all_unwritten(const struct mend_map *map, size_t from)
{
	while (from < map->count && map->v[from].unwritten)
		from++;
	return from == map->count;
}

static int unmark(struct fork_work *w)
{
	struct mend_map map = { 0 };
	int ret = 0;

	for (size_t i = 0; i < w->map.count && !ret; i++) {
		const size_t first = map.count;

		if (w->map.v[i].unwritten)
			ret = add_unmarked(w, &w->map.v[i], &map);
		/* the mark is right: keep the extent in one piece */
		if (!ret && all_unwritten(&map, first)) {
			map.count = first;
			ret = mend_map_add(&map, &w->map.v[i]);
		}
	}
	free(w->map.v);
	w->map = map;
	return ret;
}

/* ---- unowned blocks ---- */

/* Puts blocks into the map, and moves what it has there to `cut`. 0 or -ENOMEM. */
static int put_blocks_back(struct fork_work *w, const struct bmap_record *extent, struct mend_map *cut)
{
	int ret = mend_map_cut(&w->map, extent->off.v, mend_map_end(extent), cut);

	if (!ret)
		ret = mend_map_add(&w->map, extent);
	mend_map_sort(&w->map);
	return ret;
}

/* True if the map has all blocks of the extent at the same file offsets. */
static bool has(const struct fork_work *w, const struct bmap_record *extent)
{
	const size_t i = mend_map_behind(w->map.v, w->map.count, extent->off.v);

	return i < w->map.count && w->map.v[i].off.v <= extent->off.v &&
	       mend_map_end(&w->map.v[i]) >= mend_map_end(extent) &&
	       w->map.v[i].start.v - w->map.v[i].off.v == extent->start.v - extent->off.v;
}

/* True if a finding says that blocks of the map at [from, end) of the file have another claimant, or are free. */
static bool is_dispute(const struct fork_work *w, const struct found *found, uint64_t from, uint64_t end)
{
	const uint64_t off = found->place.fileoff.v;

	if (found->place.object != OBJ_DATA_FORK ||
	    (found->problem.finding != F_SPACE_CLAIMED_TWICE && found->problem.finding != F_SPACE_FREE_IN_USE))
		return false;
	return off < end && off + found->problem.got > from && !claims_seem_shared(w->claims, found);
}

/* True if the refcount btree lists any block of the extent as shared. */
static bool any_shared(const struct fork_work *w, const struct bmap_record *extent)
{
	const struct blocks at = blocks_of_extent(&w->m->now->geo, fork_is_realtime(w), extent->start, extent->len);

	return w->m->now->traverse && shared_any(&w->m->now->traverse->shared[at.group.v], at.start, (uint32_t)at.len);
}

/*
 * True if the map may be wrong in the place of an rmapbt extent: it has a hole there, or disputed or shared blocks.  If
 * nothing else owns the blocks in the map, the rmapbt is older than the map.  So it is with a hole beyond the end of
 * the file if the inode's counts match its map: these blocks belonged to an earlier file with the same inode number.
 */
static bool map_may_be_wrong(const struct fork_work *w, const struct bmap_record *extent)
{
	const uint64_t end = mend_map_end(extent), size = w->inode.inode.size >> w->m->now->geo.block_log;
	uint64_t at = extent->off.v;
	bool shared = false;

	for (size_t i = mend_map_behind(w->map.v, w->map.count, at); at < end; i++) {
		if (!w->map.v || i == w->map.count || w->map.v[i].off.v > at)
			return end <= size + 1 || ino_set_has(&w->claims->miscounted, w->inode.ino);
		shared |= any_shared(w, &w->map.v[i]);
		at = mend_map_end(&w->map.v[i]);
	}
	for (size_t i = 0; i < w->count; i++)
		if (is_dispute(w, &w->found[i], extent->off.v, end))
			return true;
	return shared;
}

/* Restores blocks of a run that the rmapbt lists for the fork; the map's own ones go to `cut`. 0 or -ENOMEM. */
static int put_back_range(struct fork_work *w, const struct unowned_range *range, struct mend_map *cut)
{
	int ret = 0;

	for (size_t i = 0; i < w->rmap.count && !ret; i++) {
		const struct bmap_record *r = &w->rmap.v[i];
		const uint64_t from = range->start > r->start.v ? range->start : r->start.v;
		const uint64_t end = range->end < r->start.v + r->len ? range->end : r->start.v + r->len;
		const uint64_t line = r->off.v - r->start.v;
		struct bmap_record part;

		if (from >= end || (range->shared && (r->unwritten || !w->inode.inode.reflink)))
			continue;
		part = mend_map_part(r, from + line, end + line);
		if (!has(w, &part) && map_may_be_wrong(w, &part))
			ret = put_blocks_back(w, &part, cut);
	}
	return ret;
}

/* Replaces an extent of the map by the rmapbt's blocks. 0 or -ENOMEM. */
static int replace(struct fork_work *w, const struct bmap_record *extent, struct mend_map *cut)
{
	int ret = 0;

	for (size_t i = mend_map_behind(w->rmap.v, w->rmap.count, extent->off.v); i < w->rmap.count && !ret; i++) {
		const struct bmap_record *r = &w->rmap.v[i];
		struct bmap_record part;

		if (r->off.v >= mend_map_end(extent))
			break;
		part = mend_map_part(r, extent->off.v, mend_map_end(extent));
		if (!has(w, &part))
			ret = put_blocks_back(w, &part, cut);
	}
	return ret;
}

/* Replaces the rest of extents with a wrong part: they start in the wrong place. 0 or -ENOMEM. */
static int replace_rest(struct fork_work *w, const struct mend_map *wrong)
{
	struct mend_map before = { 0 }, cut = { 0 };
	int ret = wrong->count ? mend_map_merge(&before, &w->map) : 0;

	for (size_t i = 0; i < before.count && !ret; i++)
		for (size_t k = 0; k < wrong->count && !ret; k++)
			if (before.v[i].start.v - before.v[i].off.v == wrong->v[k].start.v - wrong->v[k].off.v)
				ret = replace(w, &before.v[i], &cut);
	free(before.v);
	free(cut.v);
	return ret;
}

/* Ignores the rmapbts of old AGs: the files are newer, and right. */
static void leave_out_old(struct fork_work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->rmap.count; i++)
		if (!group_is_old(w->m, agno_of_fsbno(&w->m->now->geo, w->rmap.v[i].start)))
			w->rmap.v[n++] = w->rmap.v[i];
	w->rmap.count = n;
}

/* Fills a map with the unowned extents of w->rmap, unless that is older than the inode. 0 or -ENOMEM. */
static int find_lost(const struct fork_work *w, struct mend_map *map)
{
	const struct geometry *geo = &w->m->now->geo;
	int ret = 0;

	for (size_t i = 0; i < w->rmap.count && !ret; i++) {
		const struct bmap_record *r = &w->rmap.v[i];

		if (unowned_ranges_have(w->lacking, r) &&
		    !group_is_older_there(w->m, BT_RMAP, agno_of_fsbno(geo, r->start), agbno_of_fsbno(geo, r->start),
					  w->inode.ino))
			ret = mend_map_add(map, r);
	}
	return ret;
}

/*
 * The rmapbt's blocks are those of another file with the same inode number, whose inode is lost, because this one is in
 * its place.  Makes another file of them.  0 or negative errno.
 */
static int part_from_rmap(struct fork_work *w)
{
	struct mend_map map = { 0 };
	int ret = find_lost(w, &map);

	w->rmap.count = 0;
	if (!ret && map.count)
		ret = mend_inode_of_blocks(w->m, w->facts, &map);
	if (ret == -ENOSPC || ret == -ENOENT) {
		ret = 0;
	} else if (!ret && map.count) {
		mend_done_so(w->m, w->found, SURE_GUESS,
			     "separate file created from blocks that the rmapbt lists under this number: nothing else "
			     "matches");
	}
	for (size_t i = 0; i < map.count && !ret; i++)
		mend_drop_data(w->m, w->inode.ino, map.v[i].off.v, map.v[i].len, DROP_OTHER_FILE);
	free(map.v);
	return ret;
}

int fork_rmap_prevail(struct fork_work *w)
{
	struct mend_map wrong = { 0 };
	bool foreign;
	int ret;

	if (w->which != DATA_FORK || fork_is_realtime(w) || !dinode_is_users_file(&w->m->now->geo, &w->inode.inode))
		return 0;
	leave_out_old(w);
	ret = fork_rmap_is_foreign(w, &foreign);
	if (!ret && foreign)
		ret = part_from_rmap(w);
	if (!ret)
		ret = unmark(w);
	for (size_t i = 0; i < w->lacking->count && !ret; i++)
		ret = put_back_range(w, &w->lacking->v[i], &wrong);
	if (!ret)
		ret = replace_rest(w, &wrong);
	free(wrong.v);
	return ret;
}
