/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides on the new map of a fork (ondisk 05; 12, S7 and I9), from its readable extents, from the rmapbt, and from the
 * decisions about disputed blocks.
 */
#include <stdlib.h>

#include "mend/base/mend.h"
#include "mend_inode_fork.h"
#include "repair.h"

bool fork_is_of(const struct fork_work *w, const struct place *place)
{
	if (place->object == OBJ_BMBT)
		return true; /* findings don't say which fork a bmbt block belongs to */
	return place->object == (w->which == DATA_FORK ? OBJ_DATA_FORK : OBJ_ATTR_FORK);
}

/* True if a finding means that the map itself is damaged. */
static bool is_structural(const struct found *found)
{
	switch (found->problem.finding) {
	case F_INODE_NEXTENTS_XREF:
	case F_INODE_ANEXTENTS_XREF:
	case F_INODE_NBLOCKS_XREF:
	case F_SPACE_CLAIMED_TWICE:
	case F_SPACE_FREE_IN_USE:
	case F_SPACE_SHARED_OFTEN:
	case F_RMAP_LACKS:
	case F_RMAP_STRAY:
		return false;
	default:
		return true;
	}
}

bool fork_map_broken(const struct fork_work *w)
{
	for (size_t i = 0; i < w->count; i++)
		if (is_structural(&w->found[i]) && fork_is_of(w, &w->found[i].place))
			return true;
	return !w->inode.fork[w->which].whole;
}

/* True if a finding is about a header field that does not identify the block. */
static bool is_label(enum finding finding)
{
	return finding == F_BLOCK_CRC || finding == F_BLOCK_UUID || finding == F_BLOCK_LSN;
}

/*
 * True if all of the map is readable and matches the inode's counts, so that only such header fields are wrong.  If the
 * rmapbt has another place for an extent, either may be wrong; if it is the map, the extent's blocks are free or have
 * another owner, which the next check finds.
 */
static bool only_labels_wrong(const struct fork_work *w)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->count; i++)
		if (is_structural(&w->found[i]) && !is_label(w->found[i].problem.finding))
			return false;
	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct mend_fork *fork = &w->inode.fork[which];

		sum += mend_map_blocks(fork->extents, fork->count) + fork->nodes;
		if (w->inode.inode.fork[which].present &&
		    (!fork->whole || fork->count != w->inode.inode.fork[which].nextents))
			return false;
	}
	return sum == w->inode.inode.nblocks;
}

static bool has_finding(const struct fork_work *w, enum finding finding)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->found[i].problem.finding == finding)
			return true;
	return false;
}

/*
 * Drops blocks beyond the end of a realtime bitmap or summary, where nothing reads them, unless the rmapbt lists them
 * for the file.  0 or -ENOMEM.
 */
static int cut_behind_end(struct fork_work *w)
{
	const struct geometry *geo = &w->m->now->geo;
	uint64_t end = w->inode.inode.rtfile == METAFILE_RTBITMAP ? geo->rbmblocks : geo->rsumblocks;
	struct mend_map cut = { 0 };
	int ret = fork_is_derived(w) ? mend_map_cut(&w->map, end, UINT64_MAX, &cut) : 0;

	for (size_t i = 0; i < cut.count && !ret; i++)
		if (fork_rmap_confirms(w, &cut.v[i]))
			ret = mend_map_add(&w->map, &cut.v[i]);
	mend_map_sort(&w->map);
	free(cut.v);
	return ret;
}

/*
 * Returns an extent with corrected alignment.  In a realtime file, file offset and device block must have the same
 * offset within a realtime extent.  If only one of them starts a realtime extent, the other is wrong, and is rounded
 * down.
 */
static struct bmap_record align(const struct fork_work *w, const struct bmap_record *extent)
{
	const uint32_t unit = w->m->now->geo.rextsize;
	struct bmap_record aligned = *extent;

	if (!fork_is_realtime(w) || extent->off.v % unit == extent->start.v % unit)
		return aligned;
	if (extent->start.v % unit == 0)
		aligned.off.v -= extent->off.v % unit;
	else if (extent->off.v % unit == 0)
		aligned.start.v -= extent->start.v % unit;
	return aligned;
}

/*
 * Fills an empty map with the readable extents, or with those that the rmapbt confirms, shortened by blocks that are
 * too many.  If extents overlap in the file, the first one wins.  0 or -ENOMEM.
 */
static int fill_readable(const struct fork_work *w, bool all, struct mend_map *map)
{
	const struct mend_fork *readable = &w->inode.fork[w->which];
	const struct fork_lengths lengths = fork_lengths_of(w);
	int ret = 0;

	for (size_t i = 0; i < readable->count && !ret; i++) {
		struct bmap_record extent = align(w, &readable->extents[i]);

		extent.len -= fork_excess(w, &lengths, i);
		if (all || fork_rmap_confirms(w, &extent))
			ret = mend_map_fill(map, map->count, &extent);
		if (extent.off.v != readable->extents[i].off.v)
			mend_map_sort(map);
	}
	mend_map_sort(map);
	return ret;
}

/* Clears the unwritten flag in forks that can't have unwritten extents (ondisk 05). */
static void settle_written(struct fork_work *w)
{
	for (size_t i = 0; i < w->map.count; i++)
		w->map.v[i].unwritten &= w->inode.inode.fork[w->which].rules.unwritten_ok;
}

/* Sets w->map. 0 or negative errno. */
static int settle_map(struct fork_work *w)
{
	const struct mend_fork *fork = &w->inode.fork[w->which];
	struct mend_map readable = { 0 };
	bool broken = fork_map_broken(w) && !only_labels_wrong(w);
	int ret = 0;

	/* nblocks agrees with the rmapbt and not with the map: two against one */
	if ((broken || has_finding(w, F_INODE_NBLOCKS_XREF)) && fork_rmap_is_complete(w))
		return mend_map_merge(&w->map, &w->rmap);
	/* in a broken map, confirmed extents come first, then those of the rmapbt, then all others */
	ret = fill_readable(w, !broken || !w->rmap.count, &w->map);
	if (!ret)
		ret = fork_rmap_prevail(w);
	if (!ret)
		ret = inode_claims_settle(w);
	if (!ret)
		ret = mend_map_merge(&w->map, &(struct mend_map){ 0 });
	if ((broken || mend_map_blocks(w->map.v, w->map.count) != mend_map_blocks(fork->extents, fork->count)) && !ret)
		ret = mend_map_merge(&w->map, &w->rmap);
	if (broken && w->rmap.count && !ret)
		ret = fill_readable(w, true, &readable);
	if (!ret)
		ret = mend_map_merge(&w->map, &readable);
	free(readable.v);
	return ret ? ret : cut_behind_end(w);
}

int fork_map_settle(struct fork_work *w)
{
	int ret = settle_map(w);

	settle_written(w);
	return ret;
}

bool fork_map_changed(const struct fork_work *w)
{
	const struct mend_fork *fork = &w->inode.fork[w->which];

	if (fork->count != w->map.count)
		return true;
	for (size_t i = 0; i < fork->count; i++) {
		const struct bmap_record *a = &fork->extents[i], *b = &w->map.v[i];

		if (a->off.v != b->off.v || a->start.v != b->start.v || a->len != b->len ||
		    a->unwritten != b->unwritten)
			return true;
	}
	return false;
}
