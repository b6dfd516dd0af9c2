/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects the extent maps of files (ondisk 05; 12, S7 and I9).  Readable parts of a map stay.  What is missing or
 * contradicted is taken from the rmapbt (mend_fork_rmap.c, mend_fork_map.c); mend_inode_claims.c settles who keeps
 * disputed blocks.  Afterwards, maps are readable and counters match; the AG btrees are mended later.
 *
 * A changed map is likely if the rmapbt confirms all of it, else a guess.  A counter of an unchanged map is certain if
 * the rmapbt confirms all of that, else likely.
 */
#include "mend_inode_fork.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/bmbt.h"
#include "disk/symlink.h"
#include "libxfs/btree.h"
#include "libxfs/da.h"
#include "mend/base/unowned_ranges.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/base/menders.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_claims.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"

bool mend_extent_may_hold(struct mend *m, xino_t ino, enum fork which, uint64_t off, fsbno_t fsbno)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t *block = malloc(geo->block_size);
	struct mend_inode inode;
	bool is = false;

	if (block && !mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size) &&
	    !mend_inode_decode(m, ino, &inode)) {
		const enum da_magic magic = da_identify(&check, block, geo->block_size);
		const bool first = off == 0;
		const bool symlink = be32_get(((const struct symlink_disk *)block)->magic) == SYMLINK_MAGIC;

		if (which == ATTR_FORK)
			is = !first || magic == DA_ATTR_LEAF || magic == DA_NODE;
		else if (inode.inode.ftype == FT_DIR)
			is = first ? magic == DA_DIR_BLOCK || magic == DA_DIR_DATA : magic != DA_UNKNOWN;
		else if (inode.inode.ftype == FT_SYMLINK)
			is = geo->crc ? symlink : block[0] != '\0';
		else
			is = magic == DA_UNKNOWN && !(geo->crc && symlink);
		mend_inode_free(&inode);
	}
	free(block);
	return is;
}

bool mend_inode_fork_wants(const struct found *found)
{
	switch (found->problem.finding) {
	case F_RMAP_LACKS:
		return found->place.object == OBJ_DATA_FORK;
	case F_RMAP_STRAY:
		return found->place.agno.v != NO_AGNO && found->problem.want < OWNER_COW;
	/* blocks that too many files share: some map is wrong, if the reference count is lower */
	case F_SPACE_SHARED_OFTEN:
		return true;
	/* blocks that are free: the map is wrong, not the bnobt, if the rmapbt contradicts the map */
	case F_SPACE_FREE_IN_USE:
		return found->place.object == OBJ_DATA_FORK || found->place.object == OBJ_ATTR_FORK;
	default:
		return unowned_ranges_is_one(found) || unowned_ranges_is_shared(found);
	}
}

/* True if the rmapbt confirms all of the new map. */
static bool is_confirmed(const struct fork_work *w)
{
	for (size_t i = 0; i < w->map.count; i++)
		if (!fork_rmap_confirms(w, &w->map.v[i]))
			return false;
	return w->m->now->geo.rmapbt;
}

/* Reads the record of the map that a finding is about. False: it is unreadable. */
static bool read_record(const struct fork_work *w, const struct found *found, struct bmap_record *ret)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct dinode_fork *of = &w->inode.inode.fork[w->which];
	const uint32_t at = found->problem.offset;
	uint8_t bytes[sizeof(struct bmbt_rec_disk)];
	fsbno_t block;

	if (found->place.object != OBJ_BMBT) {
		if (!of->bytes || of->size < sizeof(bytes) || at > of->size - sizeof(bytes))
			return false;
		memcpy(bytes, of->bytes + at, sizeof(bytes));
	} else {
		if (found->place.agno.v >= geo->agcount || at > geo->block_size - sizeof(bytes))
			return false;
		block = fsbno_of(geo, found->place.agno, found->place.agbno);
		if (!fsb_range_valid(geo, block, 1) ||
		    mend_read(w->m, bytes, bytes_of_daddr(daddr_of_fsbno(geo, block)) + at, sizeof(bytes)))
			return false;
	}
	*ret = bmap_record_get(bytes);
	return true;
}

/* Notes the extents that begin at impossible blocks: unless the map gets others in their place, their data is lost. */
static void note_impossible(const struct fork_work *w)
{
	struct bmap_record record;

	for (size_t i = 0; i < w->count && w->which == DATA_FORK; i++)
		if (w->found[i].problem.finding == F_BMAP_START && fork_is_of(w, &w->found[i].place) &&
		    read_record(w, &w->found[i], &record) && !record.unwritten)
			mend_drop_data(w->m, w->inode.ino, record.off.v, record.len, DROP_BLOCKS_IMPOSSIBLE);
}

/* Mends one fork. Sets *changed if it was rewritten. *ret_blocks: its new number of blocks, including bmbt blocks. */
static int mend_one_fork(struct fork_work *w, bool *changed, uint64_t *ret_blocks)
{
	struct mend_fork *fork = &w->inode.fork[w->which];
	struct dinode_disk *disk = mend_inode_disk(&w->inode);
	uint64_t old = mend_map_blocks(fork->extents, fork->count) + fork->nodes, before = be64_get(disk->nblocks);
	bool rewrite;
	int ret = fork_rmap_load(w);

	if (!ret)
		ret = fork_map_settle(w);
	rewrite = !ret && (fork_map_changed(w) || fork_map_broken(w));
	w->confirmed &= is_confirmed(w);
	*ret_blocks = old;
	if (!rewrite)
		return ret;
	note_impossible(w);
	mend_map_join(&w->map);
	ret = fork_rmap_ruins(w);
	if (!ret)
		ret = mend_fork_store(w->m, &w->inode, w->which, w->map.v, w->map.count);
	if (!ret)
		ret = mend_note_map_mended(w->m, w->inode.ino);
	*ret_blocks = be64_get(disk->nblocks) - before + old;
	*changed = true;
	return ret;
}

static bool has_map(const struct mend_inode *inode, enum fork which)
{
	const struct dinode_fork *fork = &inode->inode.fork[which];

	return fork->present && fork->ok && (fork->format == FMT_EXTENTS || fork->format == FMT_BTREE);
}

/* Corrects the inode's counts of extents and blocks; sets *changed if any was wrong. blocks: of both forks. */
static void set_counts(struct fork_work *w, uint64_t blocks, bool *changed)
{
	struct dinode_disk *disk = mend_inode_disk(&w->inode);

	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct dinode_fork *of = &w->inode.inode.fork[which];
		const struct mend_fork *fork = &w->inode.fork[which];

		if (!has_map(&w->inode, which) || of->nextents == fork->count || *changed)
			continue;
		mend_fork_put_count(&w->inode, which, fork->count);
		*changed = true;
	}
	if (be64_get(disk->nblocks) != blocks) {
		disk->nblocks = be64_put(blocks);
		*changed = true;
	}
}

/* Sets nblocks of an inode whose data fork is a realtime btree, from the check's count of its blocks. */
static void set_count_of_tree(struct fork_work *w, bool *changed)
{
	struct dinode_disk *disk = mend_inode_disk(&w->inode);

	for (size_t i = 0; i < w->count && !*changed; i++) {
		if (w->found[i].problem.finding != F_INODE_NBLOCKS_XREF)
			continue;
		disk->nblocks = be64_put(w->found[i].problem.want);
		*changed = true;
	}
}

/* Flips the realtime flag, so that the map is one of the other device. Frees w->inode. */
static int change_device(struct fork_work *w)
{
	struct dinode_disk *disk = mend_inode_disk(&w->inode);
	int ret;

	disk->flags = be16_put(be16_get(disk->flags) ^ DIFLAG_REALTIME);
	ret = mend_inode_store_done(w->m, &w->inode, w->found);
	mend_inode_free(&w->inode);
	return ret;
}

static enum sure sure_of_map(bool confirmed, bool map_changed)
{
	if (confirmed)
		return map_changed ? SURE_LIKELY : SURE_CERTAIN;
	return map_changed ? SURE_GUESS : SURE_LIKELY;
}

static int mend_forks(struct fork_work *w)
{
	uint64_t blocks = 0;
	bool changed = false, map_changed;
	int ret = mend_inode_load(w->m, w->found[0].place.ino, &w->inode);

	if (ret)
		return mend_left(w->m, w->found, 1, ret);
	if (fork_rmap_on_other_device(w))
		return change_device(w);
	w->confirmed = true;
	for (w->which = DATA_FORK; w->which <= ATTR_FORK && !ret; w->which++) {
		uint64_t of_fork = 0;

		if (!has_map(&w->inode, w->which))
			continue;
		ret = mend_one_fork(w, &changed, &of_fork);
		blocks += of_fork;
		free(w->rmap.v);
		free(w->map.v);
		w->rmap = w->map = (struct mend_map){ 0 };
	}
	map_changed = changed;
	if (!ret && w->inode.inode.fork[DATA_FORK].format == FMT_META_BTREE)
		set_count_of_tree(w, &changed);
	else if (!ret)
		set_counts(w, blocks, &changed);
	if (changed && !ret)
		ret = mend_inode_store(w->m, &w->inode);
	if (changed && !ret) {
		if (sure_of_map(w->confirmed, map_changed) == SURE_GUESS)
			mend_guess_data(w->m, w->inode.ino);
		mend_done_sure(w->m, w->found, sure_of_map(w->confirmed, map_changed));
	}
	mend_inode_free(&w->inode);
	return mend_left(w->m, w->found, 1, ret);
}

/*
 * Returns a copy of the findings, in which those about the owner of blocks in the rmapbt become findings about that
 * inode.  NULL: out of memory.
 */
static struct found *about_owners(const struct mend *m, const struct found *found, size_t count)
{
	struct found *all = calloc(count + 1, sizeof(*all));

	for (size_t i = 0; all && i < count; i++) {
		const xino_t owner = { found[i].problem.want };

		all[i] = found[i];
		if (found[i].problem.finding != F_RMAP_STRAY || !ino_valid(&m->now->geo, owner))
			continue;
		all[i].place.object = OBJ_INODE;
		all[i].place.ino = owner;
	}
	if (all)
		qsort(all, count, sizeof(*all), mend_found_order);
	return all;
}

/*
 * No map was wrong, so all these files share the blocks, and the refcount btree lacks a record: has the AG btrees
 * rebuilt.  0 or -ENOMEM.
 */
static int trees_follow(struct mend *m, const struct found *found, size_t count)
{
	struct found follows = { place_of(OBJ_AG), { F_AG_SPACE, 0, NO_INDEX, 0, 0 }, 1, false };
	struct group_set groups = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++) {
		if (found[i].problem.finding != F_SPACE_CLAIMED_TWICE || found[i].place.agno.v == NO_AGNO)
			continue;
		follows.place.agno = found[i].place.agno;
		ret = group_set_add(&groups, follows.place.agno);
		if (ret > 0)
			ret = mend_follows(m, MEND_ag_space, &follows);
	}
	group_set_free(&groups);
	return ret < 0 ? ret : 0;
}

int mend_inode_fork(struct mend *m, const struct found *found, size_t count)
{
	const uint64_t done = m->done;
	struct found *all = about_owners(m, found, count);
	struct mend_facts facts = { 0 };
	struct claims claims = { 0 };
	struct unowned_ranges lacking = { 0 };
	xino_t *inos = NULL;
	size_t ninos;
	int ret = all ? mend_facts_inodes(all, count, &inos, &ninos) : -ENOMEM;

	if (!ret)
		ret = mend_facts_collect(m, inos, ninos, FACTS_RMAPS, &facts);
	if (!ret)
		ret = group_judge_claims(m, found, count);
	if (!ret)
		ret = claims_new(&m->now->geo, all, count, &facts, &claims);
	if (!ret)
		ret = unowned_ranges_of_all(&m->now->geo, found, count, &lacking);
	if (!ret)
		group_leave_out_doubted(m, &lacking);
	for (size_t i = 0, n; i < count && !ret; i += n) {
		struct fork_work w = {
			.m = m, .facts = &facts, .claims = &claims, .found = claims.found + i, .lacking = &lacking
		};

		n = w.count = mend_of_one_inode(w.found, count - i);
		if (w.found->place.ino.v != NULL_INO)
			ret = mend_forks(&w);
	}
	if (!ret && m->done == done)
		ret = trees_follow(m, found, count);
	unowned_ranges_free(&lacking);
	claims_free(&claims);
	mend_facts_free(&facts);
	free(inos);
	free(all);
	return ret;
}
