/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds a fork's extent map from rmapbt records (ondisk 05; 12, S9). */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "libxfs/log_stamp.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_claims.h"
#include "mend_inode_fork.h"
#include "repair.h"
#include "sets/ordered.h"

/* Adds the parts of an extent to w->rmap, without blocks in notes.two_owners. 0 or -ENOMEM. */
static int add_with_one_owner(struct fork_work *w, const struct bmap_record *extent)
{
	const struct fsblock_set *two_owners = &w->m->notes.two_owners;
	uint64_t at = extent->off.v;
	int ret = 0;

	for (uint32_t i = 0; i <= extent->len && !ret; i++) {
		const uint64_t off = extent->off.v + i;

		if (i < extent->len && !fsblock_set_has(two_owners, (fsbno_t){ extent->start.v + i }))
			continue;
		if (off > at) {
			const struct bmap_record part = mend_map_part(extent, at, off);

			ret = mend_map_add(&w->rmap, &part);
		}
		at = off + 1;
	}
	return at == extent->off.v && !ret ? mend_map_add(&w->rmap, extent) : ret;
}

int fork_rmap_load(struct fork_work *w)
{
	const xino_t ino = w->inode.ino;
	struct mend_map all = { 0 };
	int ret;

	if (fork_is_realtime(w))
		return mend_rmap_extents(&w->m->now->geo, w->facts, ino, w->which, FACT_RTRMAP, &w->rmap);
	if (!fsblock_set_count(&w->m->notes.two_owners))
		return mend_rmap_extents(&w->m->now->geo, w->facts, ino, w->which, FACT_RMAP, &w->rmap);
	ret = mend_rmap_extents(&w->m->now->geo, w->facts, ino, w->which, FACT_RMAP, &all);
	for (size_t i = 0; i < all.count && !ret; i++)
		ret = add_with_one_owner(w, &all.v[i]);
	free(all.v);
	return ret;
}

/* True if the rmapbt lists a block as a bmbt block of the fork. */
static bool is_tree_by_rmap(const struct fork_work *w, fsbno_t block)
{
	const uint8_t flags = RMAP_BMBT | (w->which == ATTR_FORK ? RMAP_ATTR : 0);
	const struct geometry *geo = &w->m->now->geo;
	bool is = false;
	size_t count;
	const struct ino_fact *rmap = mend_facts_of(w->facts, w->inode.ino, FACT_RMAP, &count);

	for (size_t i = 0; i < count && !is; i++)
		is = (rmap[i].flags & (RMAP_BMBT | RMAP_ATTR)) == flags && block.v - rmap[i].value < rmap[i].len &&
		     agno_of_fsbno(geo, block).v == agno_of_fsbno(geo, (fsbno_t){ rmap[i].value }).v;
	return is && !fsblock_set_has(&w->m->notes.two_owners, block);
}

/* True if a block is readable, is not a bmbt block, and has no header of any other metadata. */
static bool holds_nothing(struct mend *m, fsbno_t at, uint8_t *block)
{
	const struct geometry *geo = &m->now->geo;
	xdaddr_t daddr;

	return !mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, at)), geo->block_size) &&
	       be32_get(((const struct btree_long_disk *)(const void *)block)->magic) != BMBT_MAGIC &&
	       !log_stamp_daddr(geo, block, &daddr);
}

int fork_rmap_ruins(struct fork_work *w)
{
	const struct geometry *geo = &w->m->now->geo;
	struct mend_fork *fork = &w->inode.fork[w->which];
	uint8_t *block = malloc(geo->block_size);
	int ret = block ? 0 : -ENOMEM;

	for (size_t i = 0; i < fork->ntree && !ret; i++) {
		const fsbno_t at = fsbno_of(geo, fork->tree[i].agno, fork->tree[i].agbno);

		if (is_tree_by_rmap(w, at) && holds_nothing(w->m, at, block))
			ret = array_add(fork->ruins, fork->ruins_room, fork->nruins, at);
	}
	fork->nruins = ordered_unique(fork->ruins, fork->nruins, MEMBERS(ELEMENT(fork->ruins)));
	free(block);
	return ret;
}

bool fork_rmap_confirms(const struct fork_work *w, const struct bmap_record *extent)
{
	uint64_t at = extent->off.v;

	for (size_t i = mend_map_behind(w->rmap.v, w->rmap.count, at); i < w->rmap.count && at < mend_map_end(extent);
	     i++) {
		const struct bmap_record *r = &w->rmap.v[i];

		if (r->off.v > at)
			return false;
		if (r->start.v + (at - r->off.v) != extent->start.v + (at - extent->off.v))
			return false;
		at = mend_map_end(r);
	}
	return at >= mend_map_end(extent);
}

/* True if the rmapbt confirms any block of the map. */
static bool any_confirmed(const struct mend_fork *fork, const struct mend_map *rmap)
{
	for (size_t i = 0; i < fork->count; i++) {
		const struct bmap_record *e = &fork->extents[i];

		for (size_t k = mend_map_behind(rmap->v, rmap->count, e->off.v);
		     k < rmap->count && rmap->v[k].off.v < mend_map_end(e); k++)
			if (rmap->v[k].start.v - rmap->v[k].off.v == e->start.v - e->off.v)
				return true;
	}
	return false;
}

/* True if the inode's counts match its maps, and these are readable. */
static bool is_whole(const struct fork_work *w)
{
	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++)
		if (w->inode.inode.fork[which].present && !w->inode.fork[which].whole)
			return false;
	return !fork_map_broken(w) && !ino_set_has(&w->claims->miscounted, w->inode.ino);
}

int fork_rmap_is_foreign(const struct fork_work *w, bool *ret)
{
	const struct mend_fork *data = &w->inode.fork[DATA_FORK];
	const uint64_t size = (w->inode.inode.size + w->m->now->geo.block_size - 1) >> w->m->now->geo.block_log;
	struct mend_map attr = { 0 };
	int error;

	*ret = false;
	if (!w->rmap.count || !is_whole(w) || fork_rmap_is_complete(w) || any_confirmed(data, &w->rmap) ||
	    (!data->count && size == mend_map_end(&w->rmap.v[w->rmap.count - 1])))
		return 0;
	error = mend_rmap_extents(&w->m->now->geo, w->facts, w->inode.ino, ATTR_FORK, FACT_RMAP, &attr);
	*ret = !error && !any_confirmed(&w->inode.fork[ATTR_FORK], &attr);
	free(attr.v);
	return error;
}

bool fork_rmap_is_complete(const struct fork_work *w)
{
	static const enum ino_fact_kind kinds[] = { FACT_RMAP, FACT_RTRMAP };
	uint64_t sum = 0;

	for (unsigned k = 0; k < 2; k++) {
		size_t count;
		const struct ino_fact *rmap = mend_facts_of(w->facts, w->inode.ino, kinds[k], &count);

		for (size_t i = 0; i < count; i++)
			sum += rmap[i].len;
	}
	return sum && sum == w->inode.inode.nblocks;
}

/* Returns how many data blocks of the file the rmapbts of one device list. */
static uint64_t rmapped_data(const struct fork_work *w, enum ino_fact_kind kind)
{
	size_t count;
	const struct ino_fact *rmap = mend_facts_of(w->facts, w->inode.ino, kind, &count);
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += rmap[i].flags & (RMAP_ATTR | RMAP_BMBT) ? 0 : rmap[i].len;
	return sum;
}

bool fork_rmap_on_other_device(const struct fork_work *w)
{
	const struct dinode *inode = &w->inode.inode;

	if (inode->ftype != FT_REG || inode->metadata || !has_rtgroups(&w->m->now->geo))
		return false;
	return rmapped_data(w, inode->realtime ? FACT_RMAP : FACT_RTRMAP) &&
	       !rmapped_data(w, inode->realtime ? FACT_RTRMAP : FACT_RMAP);
}
