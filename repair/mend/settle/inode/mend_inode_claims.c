/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settles disputes about the blocks of an extent map: each disputed part of an extent is cut out and kept, copied or
 * dropped, as mend_inode_dispute.c decides.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "mend_inode_dispute.h"
#include "mend_inode_fork.h"
#include "repair.h"
#include "sets/ordered.h"
#include "mend/base/menders.h"
#include "sets/sort.h"

/*
 * Sets the reflink flag of files that share blocks by the refcount btree (ondisk 04).  It depends on which files have
 * which blocks, so this comes after disputes are settled.
 */

static int set_reflink(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	struct dinode_disk *disk = mend_inode_disk(inode);

	/* only regular files may share blocks */
	if (inode->inode.ftype != FT_REG || be64_get(disk->flags2) & DIFLAG2_REFLINK)
		return 0;
	disk->flags2 = be64_put(be64_get(disk->flags2) | DIFLAG2_REFLINK);
	return mend_inode_store_done(m, inode, found);
}

int mend_inode_shared(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, mend_inode_decode, set_reflink);
}

static int copy_block(const struct fork_work *w, fsbno_t from, fsbno_t to)
{
	const struct geometry *geo = &w->m->now->geo;
	const bool realtime = fork_is_realtime(w);
	uint8_t *block = calloc(1, geo->block_size);
	int ret = block && realtime && !mend_rt_device(w->m) ? -ENXIO : -ENOMEM;

	if (block && ret != -ENXIO) {
		/* an unreadable block is lost, and becomes zeroes */
		if (mend_read_data(w->m, block, realtime, from))
			memset(block, 0, geo->block_size);
		ret = realtime ? device_stage(mend_rt_device(w->m), LAYER_MEND, block,
					      bytes_of_daddr(daddr_of_rtbno(geo, to)), geo->block_size)
			       : mend_write(w->m, block, bytes_of_daddr(daddr_of_fsbno(geo, to)), geo->block_size);
	}
	free(block);
	return ret;
}

/* Adds a copy of an extent to a map: new blocks, old contents. 0, -ENOSPC or another negative errno. */
static int copy_extent(struct fork_work *w, const struct bmap_record *extent, struct mend_map *into)
{
	const uint32_t unit = fork_is_realtime(w) ? w->m->now->geo.rextsize : 1;
	struct bmap_record copy = *extent;
	int ret = 0;

	if (extent->off.v % unit || extent->len % unit)
		return -ENOSPC; /* part of a realtime extent can't be allocated alone */
	for (uint64_t at = extent->off.v; at < mend_map_end(extent) && !ret; at += copy.len) {
		const struct bmap_record rest = mend_map_part(extent, at, mend_map_end(extent));

		ret = fork_is_realtime(w) ? mend_space_take_rt(w->m, rest.len, &copy.start, &copy.len)
					  : mend_space_take(w->m, rest.len, &copy.start, &copy.len);
		copy.off.v = at;
		for (uint32_t i = 0; i < copy.len && !ret && !copy.unwritten; i++) {
			const fsbno_t from = { rest.start.v + i }, to = { copy.start.v + i };

			ret = copy_block(w, from, to);
		}
		if (!ret)
			ret = mend_map_add(into, &copy);
	}
	return ret;
}

/*
 * Has a directory rewritten if blocks of it were copied: in version 5, the fs blocks of a directory block must be
 * contiguous on disk (ondisk afterlife), and no check finds it if they aren't.  0 or -ENOMEM.
 */
static int directory_follows(const struct fork_work *w, const struct found *found)
{
	const struct geometry *geo = &w->m->now->geo;

	return w->which == DATA_FORK && w->inode.inode.ftype == FT_DIR && geo->crc &&
			       geo->dir_block_size > geo->block_size
		       ? mend_follows(w->m, MEND_dir, found)
		       : 0;
}

/* True if a finding says that blocks of the current fork have another claimant, or are free. */
static bool is_claim(const struct fork_work *w, const struct found *found)
{
	const enum finding finding = found->problem.finding;

	return (finding == F_SPACE_CLAIMED_TWICE || finding == F_SPACE_FREE_IN_USE ||
		finding == F_SPACE_SHARED_OFTEN) &&
	       found->place.object == (w->which == DATA_FORK ? OBJ_DATA_FORK : OBJ_ATTR_FORK);
}

/*
 * Gives up blocks.  If the rmapbt lists them for the file, removes them from w->rmap and notes them in
 * notes.two_owners, so that they are not restored from there.  0 or -ENOMEM.
 */
static int refute_rmap(struct fork_work *w, const struct bmap_record *part)
{
	struct mend_map cut = { 0 };
	int ret = 0;

	if (fork_is_realtime(w) || !fork_rmap_confirms(w, part))
		return 0;
	for (uint32_t i = 0; i < part->len && ret >= 0; i++)
		ret = fsblock_set_add(&w->m->notes.two_owners, (fsbno_t){ part->start.v + i });
	if (ret >= 0)
		ret = mend_map_cut(&w->rmap, part->off.v, mend_map_end(part), &cut);
	free(cut.v);
	return ret < 0 ? ret : 0;
}

/*
 * Adds to a map what becomes of the part of an extent that a finding is about.  Sets *wrong if the rmapbt's blocks are
 * to be used instead.  0 or negative errno.
 */
static int settle_part(struct fork_work *w, const struct found *found, const struct bmap_record *part,
		       struct mend_map *into, bool *wrong)
{
	const struct geometry *geo = &w->m->now->geo;
	const fsbno_t start = fork_is_realtime(w) ? rtbno_of(geo, found->place.rgno, found->place.rgbno)
						  : fsbno_of(geo, found->place.agno, found->place.agbno);
	enum settle settle = SETTLE_KEEP;
	int ret;

	/* if extents overlap in the file, the finding may be about another one of them */
	if (part->start.v == start.v + (part->off.v - found->place.fileoff.v))
		settle = inode_dispute_settle(w, found, part);
	switch (settle) {
	case SETTLE_KEEP:
		return mend_map_add(into, part);
	case SETTLE_COPY:
		ret = copy_extent(w, part, into);
		return ret ? ret : directory_follows(w, found);
	case SETTLE_AS_RMAP:
		*wrong = true;
		break;
	case SETTLE_DROP:
		if (w->which == DATA_FORK && !part->unwritten)
			mend_drop_data(w->m, w->inode.ino, part->off.v, part->len, DROP_OTHERS_BLOCKS);
		return refute_rmap(w, part);
	}
	return 0;
}

/* Adds the parts of an extent to a map for which the rmapbt lists nothing at the same file offsets. 0 or -ENOMEM. */
static int add_uncovered(const struct fork_work *w, const struct bmap_record *extent, struct mend_map *into)
{
	const struct mend_map *rmap = &w->rmap;
	uint64_t at = extent->off.v, end = mend_map_end(extent);
	int ret = 0;

	while (at < end && !ret) {
		size_t i = mend_map_behind(rmap->v, rmap->count, at);
		uint64_t to = i < rmap->count && rmap->v[i].off.v < end ? rmap->v[i].off.v : end;

		if (to > at) {
			const struct bmap_record part = mend_map_part(extent, at, to);

			ret = mend_map_add(into, &part);
		}
		at = to < end ? mend_map_end(&rmap->v[i]) : end;
	}
	return ret;
}

/*
 * If part of an extent is wrong, it starts in the wrong place, and all of it is wrong.  Of its parts, which are in the
 * map from index `first` on, only these stay: copies, and what the rmapbt confirms or has no blocks for.
 */
static int settle_rest(const struct fork_work *w, const struct bmap_record *extent, struct mend_map *map, size_t first)
{
	struct mend_map rest = { 0 };
	int ret = 0;

	for (size_t i = first; i < map->count && !ret; i++) {
		const struct bmap_record *part = &map->v[i];
		bool copy = part->start.v - part->off.v != extent->start.v - extent->off.v;

		ret = copy || fork_rmap_confirms(w, part) ? mend_map_add(&rest, part) : add_uncovered(w, part, &rest);
	}
	map->count = first;
	for (size_t i = 0; i < rest.count && !ret; i++)
		ret = mend_map_add(map, &rest.v[i]);
	free(rest.v);
	return ret;
}

/* True if the parts in the map from index `first` on make up the whole extent, with its own blocks. */
static bool is_whole(const struct bmap_record *extent, const struct mend_map *map, size_t first)
{
	uint64_t at = extent->off.v;

	for (size_t i = first; i < map->count; at = mend_map_end(&map->v[i++]))
		if (map->v[i].off.v != at || map->v[i].start.v - at != extent->start.v - extent->off.v)
			return false;
	return at == mend_map_end(extent);
}

static uint64_t claim_end(const struct found *claim)
{
	return claim->place.fileoff.v + claim->problem.got;
}

/*
 * Settles each part of w->map that has a claim; both are in file order.  Extents are cut at the borders of claims; if
 * all parts are kept, the extent stays whole.  0 or negative errno.
 */
static int settle_claims_of_map(struct fork_work *w, const struct found *const *claims, size_t nclaims)
{
	struct mend_map map = { 0 };
	size_t next = 0;
	int ret = 0;

	for (size_t i = 0; i < w->map.count && !ret; i++) {
		const struct bmap_record *e = &w->map.v[i];
		uint64_t at = e->off.v, end = mend_map_end(e);
		size_t first = map.count;
		bool wrong = false;

		for (size_t k = next; at < end && !ret; k++) {
			uint64_t from = k < nclaims ? claims[k]->place.fileoff.v : end, to;
			struct bmap_record part;

			if (k < nclaims && claim_end(claims[k]) <= at) {
				next = k + 1;
				continue;
			}
			from = from < at ? at : from > end ? end : from;
			if (from > at) {
				part = mend_map_part(e, at, from);
				ret = mend_map_add(&map, &part);
			}
			at = from;
			if (k >= nclaims || at >= end || ret)
				continue;
			to = claim_end(claims[k]) < end ? claim_end(claims[k]) : end;
			part = mend_map_part(e, at, to);
			ret = settle_part(w, claims[k], &part, &map, &wrong);
			at = to;
		}
		if (wrong && !ret)
			ret = settle_rest(w, e, &map, first);
		if (!ret && map.count > first && is_whole(e, &map, first)) {
			map.v[first] = *e;
			map.count = first + 1;
		}
	}
	free(w->map.v);
	w->map = map;
	return ret;
}

int inode_claims_settle(struct fork_work *w)
{
	const struct found **claims = calloc(w->count + 1, sizeof(*claims));
	size_t n = 0;
	int ret = -ENOMEM;

	for (size_t i = 0; claims && i < w->count; i++)
		if (is_claim(w, &w->found[i]))
			claims[n++] = &w->found[i];
	if (claims) {
		ordered_sort(claims, n, MEMBERS(THROUGH(claims, place.fileoff)));
		ret = n ? settle_claims_of_map(w, claims, n) : 0;
	}
	free(claims);
	return ret;
}
