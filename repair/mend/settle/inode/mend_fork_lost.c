/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores extents from unowned bmbt leaves whose parents are lost (ondisk 05), while nothing else lists the blocks of
 * the file.  The extents of a leaf are added to the file that its header names, or in version 4, which has no such
 * header, to the only file whose map had to be mended.  Only extents with lost blocks are added.  This is for regular
 * files; entries of directories are found without maps (mend_dir_lost.c).  The result is likely with a header, and a
 * guess in version 4.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"
#include "mend/base/mend_drop.h"
#include "mend/base/unowned_ranges.h"
#include "mend/base/mend_map.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "sets/ordered.h"
#include "mend/base/menders.h"

struct leaf {
	xino_t owner;
	fsbno_t block;
	const struct found *found; /* the run of lost blocks with this leaf */
};

struct fork_lost_work {
	struct mend *m;
	struct unowned_ranges lost;
	xino_t *map_mended; /* notes.map_mended, sorted: files that may have lost leaves */
	struct leaf *v;
	size_t count, room;
	uint8_t *block;
};

static bool read_block(struct fork_lost_work *w, fsbno_t fsbno)
{
	const struct geometry *geo = &w->m->now->geo;

	return !mend_read(w->m, w->block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size);
}

/* Gets the file whose leaf is in w->block. False: it is not a leaf, or the owner is unknown. */
static bool owner_of(const struct fork_lost_work *w, fsbno_t fsbno, xino_t *ret_owner)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct btree_long_disk *header = (const void *)w->block;

	if (be32_get(header->magic) != (geo->crc ? BMBT_MAGIC : BMBT_MAGIC_V4) || be16_get(header->level) != 0)
		return false;
	*ret_owner = w->map_mended[0];
	if (!geo->crc)
		return ino_set_count(&w->m->notes.map_mended) == 1;
	ret_owner->v = be64_get(header->owner);
	return ret_owner->v && ino_set_has(&w->m->notes.map_mended, *ret_owner) &&
	       be64_get(header->blkno) == daddr_of_fsbno(geo, fsbno).v &&
	       crc_is_right(w->block, geo->block_size, offsetof(struct btree_long_disk, crc));
}

/* Returns the first block from this one on that is not in a hole of the image file, or `end`. All are in one AG. */
static uint64_t skip_hole(const struct fork_lost_work *w, struct mend_holes *holes, uint64_t block, uint64_t end)
{
	const struct geometry *geo = &w->m->now->geo;
	const uint64_t at = bytes_of_daddr(daddr_of_fsbno(geo, (fsbno_t){ block }));
	const uint64_t blocks = mend_hole_blocks(w->m, holes, at);

	return blocks < end - block ? block + blocks : end;
}

/* Searches a run of lost blocks for leaves. 0 or -ENOMEM. */
static int search(struct fork_lost_work *w, const struct unowned_range *lost)
{
	struct mend_holes holes = { 0 };

	for (uint64_t block = lost->start; block < lost->end && !mend_exhausted(w->m); block++) {
		struct leaf leaf = { .found = lost->found };

		block = skip_hole(w, &holes, block, lost->end);
		if (block == lost->end)
			break;
		leaf.block.v = block;
		/* blocks that menders wrote and gave up, or leaves that were used before, have nothing new */
		if (mend_space_took(w->m, leaf.block, false) || !read_block(w, leaf.block) ||
		    !owner_of(w, leaf.block, &leaf.owner))
			continue;
		if (array_add(w->v, w->room, w->count, leaf))
			return -ENOMEM;
	}
	return 0;
}

/* ---- extents ---- */

struct extents {
	const struct fork_lost_work *w;
	struct mend_map map;
	int error;
};

static void add_record(void *ctx, const union btree_record *record, uint32_t index)
{
	struct extents *e = ctx;

	(void)index;
	if (!e->error && unowned_ranges_have(&e->w->lost, &record->bmap))
		e->error = mend_map_add(&e->map, &record->bmap);
}

static int read_leaf(struct fork_lost_work *w, const struct mend_inode *inode, const struct leaf *leaf,
		     struct extents *extents)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct check check = check_silent(geo);
	const struct btree_visitor visitor = { extents, add_record, btree_ignore_child, NULL };
	const struct btree_expect expect = { .kind = BT_BMAP,
					     .agno = agno_of_fsbno(geo, leaf->block),
					     .agbno = agbno_of_fsbno(geo, leaf->block),
					     .owner = inode->ino.v,
					     .rules = &inode->inode.fork[DATA_FORK].rules };
	struct btree_block found;

	if (read_block(w, leaf->block))
		btree_decode(&check, w->block, &expect, &visitor, &found);
	return extents->error;
}

/* Adds the extents of all lost leaves of a file to its map. 0 or negative errno. */
static int add_lost_leaves(struct fork_lost_work *w, const struct leaf *leaves, size_t count)
{
	struct extents extents = { .w = w };
	struct mend_map map = { 0 };
	struct mend_inode inode;
	int ret = mend_inode_load(w->m, leaves->owner, &inode);

	if (ret)
		return mend_left(w->m, leaves->found, 1, ret);
	if (inode.inode.ftype == FT_REG && inode.inode.fork[DATA_FORK].ok &&
	    !inode.inode.fork[DATA_FORK].rules.realtime) {
		const struct mend_fork *fork = &inode.fork[DATA_FORK];

		for (size_t i = 0; i < fork->count && !ret; i++)
			ret = mend_map_add(&map, &fork->extents[i]);
		for (size_t i = 0; i < count && !ret; i++)
			ret = read_leaf(w, &inode, &leaves[i], &extents);
		if (!ret && extents.map.count) {
			mend_map_sort(&extents.map);
			ret = mend_map_merge(&map, &extents.map);
			mend_map_join(&map);
			if (!ret)
				ret = mend_fork_store(w->m, &inode, DATA_FORK, map.v, map.count);
			if (!ret)
				ret = mend_inode_store(w->m, &inode);
			if (!ret && !w->m->now->geo.crc)
				mend_guess_data(w->m, inode.ino);
			if (!ret)
				mend_done_sure(w->m, leaves->found, w->m->now->geo.crc ? SURE_LIKELY : SURE_GUESS);
			/* not used again, because other menders may change the extents from here on */
			for (size_t i = 0; i < count && !ret; i++)
				ret = mend_space_give(w->m, leaves[i].block);
		}
	}
	free(extents.map.v);
	free(map.v);
	mend_inode_free(&inode);
	return mend_left(w->m, leaves->found, 1, ret);
}

bool mend_fork_lost_wants(const struct found *found)
{
	return found->problem.finding == F_SPACE_LOST;
}

int mend_fork_lost(struct mend *m, const struct found *found, size_t count)
{
	struct fork_lost_work w = { .m = m };
	int ret;

	if (!ino_set_count(&m->notes.map_mended))
		return 0;
	w.block = malloc(m->now->geo.block_size);
	w.map_mended = ino_set_sorted(&m->notes.map_mended);
	ret = w.block && w.map_mended ? unowned_ranges_of(&m->now->geo, found, count, &w.lost) : -ENOMEM;
	for (size_t i = 0; i < w.lost.count && !ret; i++)
		ret = search(&w, &w.lost.v[i]);
	ordered_sort(w.v, w.count, MEMBERS(MEMBER(w.v, owner), MEMBER(w.v, block)));
	for (size_t i = 0, n; i < w.count && !ret; i += n) {
		n = ordered_run(w.v + i, w.count - i, MEMBER(w.v, owner));
		ret = add_lost_leaves(&w, &w.v[i], n);
	}
	free(w.v);
	unowned_ranges_free(&w.lost);
	free(w.map_mended);
	free(w.block);
	return ret;
}
