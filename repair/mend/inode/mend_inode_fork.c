/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extent maps of files (ondisk 05; 12, S7 and I9).  What can be read of a map stays.  What is missing, and what others
 * contradict, is as the rmapbt has it; blocks that others claim as well are settled in mend_inode_claims.c.  Leaves
 * behind maps that can be read and counters that fit; what the groups' trees say of the blocks is not mended here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/btree.h"
#include "libxfs/dinode_mend.h"
#include "mend_inode_fork.h"

bool fork_confirmed(const struct fork_work *w, const struct bmap_record *extent)
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

/* ---- what is wrong ---- */

static bool of_fork(const struct fork_work *w, const struct place *place)
{
	if (place->object == OBJ_BMBT)
		return true; /* of either fork: nobody says which */
	return place->object == (w->which == DATA_FORK ? OBJ_DATA_FORK : OBJ_ATTR_FORK);
}

/* Findings after which a map is not what it was. */
static bool is_structural(const struct found *found)
{
	switch (found->problem.finding) {
	case F_INODE_NEXTENTS_XREF:
	case F_INODE_ANEXTENTS_XREF:
	case F_INODE_NBLOCKS_XREF:
	case F_SPACE_CLAIMED_TWICE:
	case F_SPACE_FREE_IN_USE:
		return false;
	default:
		return true;
	}
}

static bool structure_broken(const struct fork_work *w)
{
	for (size_t i = 0; i < w->count; i++)
		if (is_structural(&w->found[i]) && of_fork(w, &w->found[i].place))
			return true;
	return !w->inode.fork[w->which].whole;
}

/* With which a block of another file would not be right. */
static bool is_label(enum finding finding)
{
	return finding == F_BLOCK_CRC || finding == F_BLOCK_UUID || finding == F_BLOCK_LSN;
}

/*
 * All of the map could be read, and is as the inode counts it: only labels of its blocks are wrong.  Where the rmapbt
 * has another place for an extent either may be wrong; if the map is, somebody else has that place or it is free, which
 * the next check finds.
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

/* All blocks that the inode says it has are in the rmapbt. */
static bool rmap_complete(const struct fork_work *w)
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

/* An extent of the rmapbt's, but for blocks of which it says two things. */
static int add_unrefuted(struct fork_work *w, const struct bmap_record *extent)
{
	const struct ino_set *refuted = &w->m->notes.refuted;
	uint64_t at = extent->off.v;
	int ret = 0;

	for (uint32_t i = 0; i <= extent->len && refuted->count && !fork_is_realtime(w) && !ret; i++) {
		const uint64_t off = extent->off.v + i;

		if (i < extent->len && !ino_set_has(refuted, (xino_t){ extent->start.v + i }))
			continue;
		if (off > at) {
			const struct bmap_record part = mend_map_part(extent, at, off);

			ret = mend_map_add(&w->rmap, &part);
		}
		at = off + 1;
	}
	return at == extent->off.v && !ret ? mend_map_add(&w->rmap, extent) : ret;
}

static int load_rmap(struct fork_work *w)
{
	size_t count;
	const struct ino_fact *rmap =
		mend_facts_of(w->facts, w->inode.ino, fork_is_realtime(w) ? FACT_RTRMAP : FACT_RMAP, &count);
	uint64_t end = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct bmap_record extent = {
			rmap[i].off, { rmap[i].value }, rmap[i].len, rmap[i].flags & RMAP_UNWRITTEN
		};

		if (!(rmap[i].flags & RMAP_ATTR) != (w->which == DATA_FORK) || rmap[i].flags & RMAP_BMBT ||
		    extent.off.v < end || mend_facts_reaches_next(rmap, count, i))
			continue;
		ret = add_unrefuted(w, &extent);
		end = mend_map_end(&extent);
	}
	return ret;
}

/* ---- one fork ---- */

/* Nobody reads a realtime bitmap or summary behind its end: blocks there stay only if the rmapbt knows of them. */
static int cut_behind_end(struct fork_work *w)
{
	const struct geometry *geo = &w->m->now->geo;
	uint64_t end = w->inode.inode.rtfile == METAFILE_RTBITMAP ? geo->rbmblocks : geo->rsumblocks;
	struct mend_map cut = { 0 };
	int ret = fork_is_derived(w) ? mend_map_cut(&w->map, end, UINT64_MAX, &cut) : 0;

	for (size_t i = 0; i < cut.count && !ret; i++)
		if (fork_confirmed(w, &cut.v[i]))
			ret = mend_map_add(&w->map, &cut.v[i]);
	mend_map_sort(&w->map);
	free(cut.v);
	return ret;
}

/*
 * In the file and on the device, realtime extents begin at the same blocks of one.  Of the two places the one that is
 * not where one begins is wrong, by some blocks.
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

/* How many blocks the maps have more than the inode says it has: so much too long are extents. */
static uint64_t surplus(const struct fork_work *w)
{
	uint64_t sum = 0;

	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++)
		sum += mend_map_blocks(w->inode.fork[which].extents, w->inode.fork[which].count) +
		       w->inode.fork[which].nodes;
	return sum > w->inode.inode.nblocks ? sum - w->inode.inode.nblocks : 0;
}

/* By how many blocks an extent reaches over the one behind it. */
static uint64_t overlap(const struct mend_fork *fork, size_t i)
{
	const struct bmap_record *extent = &fork->extents[i], *next = extent + 1;

	if (i + 1 >= fork->count || next->off.v <= extent->off.v || next->off.v >= mend_map_end(extent))
		return 0;
	return mend_map_end(extent) - next->off.v;
}

/*
 * By how many blocks an extent that overlaps is too long: that is none of the file's, and the next one's blocks are.
 * Where it is the only one, it has all the surplus; else they end where the next ones begin.
 */
static uint64_t excess(uint64_t surplus, size_t overlaps, uint64_t overlap, uint32_t len)
{
	if (surplus < overlap)
		return 0;
	return overlaps == 1 && surplus < len ? surplus : overlap;
}

/* Somebody else has blocks of the fork there, or they are free. */
static bool is_contested(const struct fork_work *w, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < w->count; i++) {
		const enum finding finding = w->found[i].problem.finding;
		const uint64_t at = w->found[i].place.fileoff.v;

		if ((finding == F_SPACE_CLAIMED_TWICE || finding == F_SPACE_FREE_IN_USE) &&
		    of_fork(w, &w->found[i].place) && at >= from && at < to)
			return true;
	}
	return false;
}

/* The only extent of both forks that can be so much too long, if its end is contested. NULL: there is none. */
static const struct bmap_record *only_too_long(const struct fork_work *w, uint64_t surplus)
{
	const struct bmap_record *only = NULL;
	unsigned longer = 0;

	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct mend_fork *fork = &w->inode.fork[which];

		for (size_t i = 0; i < fork->count; i++) {
			if (fork->extents[i].len <= surplus)
				continue;
			longer++;
			if (which == w->which)
				only = &fork->extents[i];
		}
	}
	if (!surplus || longer != 1 || !only || !is_contested(w, mend_map_end(only) - surplus, mend_map_end(only)))
		return NULL;
	return only;
}

/* An empty map gets what can be read: all, or what the rmapbt confirms. Of extents that overlap, the first. */
static int fill_readable(const struct fork_work *w, bool all, struct mend_map *map)
{
	const struct mend_fork *readable = &w->inode.fork[w->which];
	uint64_t too_many = surplus(w);
	const struct bmap_record *too_long = only_too_long(w, too_many);
	size_t overlaps = 0;
	int ret = 0;

	for (size_t i = 0; i < readable->count; i++)
		overlaps += overlap(readable, i) > 0;
	for (size_t i = 0; i < readable->count && !ret; i++) {
		struct bmap_record extent = align(w, &readable->extents[i]);
		uint64_t over = overlap(readable, i);

		if (over)
			extent.len -= (uint32_t)excess(too_many, overlaps, over, extent.len);
		else if (!overlaps && too_long == &readable->extents[i])
			extent.len -= (uint32_t)too_many;
		if (all || fork_confirmed(w, &extent))
			ret = mend_map_fill(map, map->count, &extent);
		if (extent.off.v != readable->extents[i].off.v)
			mend_map_sort(map);
	}
	mend_map_sort(map);
	return ret;
}

/* What is no data of a file has been written, whatever the map says (ondisk 05). */
static void settle_written(struct fork_work *w)
{
	for (size_t i = 0; i < w->map.count; i++)
		w->map.v[i].unwritten &= w->inode.inode.fork[w->which].rules.unwritten_ok;
}

/* What of the map can be read and stays, with what the rmapbt knows beyond. */
static int settle_map(struct fork_work *w)
{
	const struct mend_fork *fork = &w->inode.fork[w->which];
	struct mend_map readable = { 0 };
	bool broken = structure_broken(w) && !only_labels_wrong(w);
	int ret = 0;

	/* the inode counts what the rmapbt has, and not what the map has: two against one */
	if ((broken || has_finding(w, F_INODE_NBLOCKS_XREF)) && rmap_complete(w))
		return mend_map_merge(&w->map, &w->rmap);
	/* in a broken map, what both say comes first, then the rmapbt, and last what it knows nothing of */
	ret = fill_readable(w, !broken || !w->rmap.count, &w->map);
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

static bool map_changed(const struct fork_work *w)
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

/* Sets *changed where the fork was written anew. *ret_blocks: what it has now. */
static int mend_map(struct fork_work *w, bool *changed, uint64_t *ret_blocks)
{
	struct mend_fork *fork = &w->inode.fork[w->which];
	struct dinode_disk *disk = mend_inode_disk(&w->inode);
	uint64_t old = mend_map_blocks(fork->extents, fork->count) + fork->nodes, before = be64_get(disk->nblocks);
	bool rewrite;
	int ret = load_rmap(w);

	if (!ret)
		ret = settle_map(w);
	settle_written(w);
	rewrite = !ret && (map_changed(w) || structure_broken(w));
	*ret_blocks = old;
	if (!rewrite)
		return ret;
	mend_map_join(&w->map);
	ret = mend_fork_store(w->m, &w->inode, w->which, w->map.v, w->map.count);
	if (!ret)
		ret = mend_bereft(w->m, w->inode.ino);
	*ret_blocks = be64_get(disk->nblocks) - before + old;
	*changed = true;
	return ret;
}

static bool has_map(const struct mend_inode *inode, enum fork which)
{
	const struct dinode_fork *fork = &inode->inode.fork[which];

	return fork->present && fork->ok && (fork->format == FMT_EXTENTS || fork->format == FMT_BTREE);
}

/* Counters of maps that are sound. */
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

/* The data fork holds a realtime btree, whose blocks the check has counted. */
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

/* Blocks of the data fork that the rmapbt of one of the two devices has as this file's. */
static uint64_t rmapped_data(const struct fork_work *w, enum ino_fact_kind kind)
{
	size_t count;
	const struct ino_fact *rmap = mend_facts_of(w->facts, w->inode.ino, kind, &count);
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += rmap[i].flags & (RMAP_ATTR | RMAP_BMBT) ? 0 : rmap[i].len;
	return sum;
}

/* Whether the flag that says on which device the data is is wrong: all that rmapbts know of is on the other. */
static bool on_other_device(const struct fork_work *w)
{
	const struct dinode *inode = &w->inode.inode;

	if (inode->ftype != FT_REG || inode->metadata || !has_rtgroups(&w->m->now->geo))
		return false;
	return rmapped_data(w, inode->realtime ? FACT_RMAP : FACT_RTRMAP) &&
	       !rmapped_data(w, inode->realtime ? FACT_RTRMAP : FACT_RMAP);
}

/* Have the map read as one of the other device. */
static int change_device(struct fork_work *w)
{
	struct dinode_disk *disk = mend_inode_disk(&w->inode);
	int ret;

	disk->flags = be16_put(be16_get(disk->flags) ^ DIFLAG_REALTIME);
	ret = mend_inode_store(w->m, &w->inode);
	if (!ret)
		mend_done(w->m, w->found);
	mend_inode_free(&w->inode);
	return ret;
}

static int mend_one(struct fork_work *w)
{
	uint64_t blocks = 0;
	bool changed = false;
	int ret = mend_inode_load(w->m, w->found[0].place.ino, &w->inode);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (on_other_device(w))
		return change_device(w);
	for (w->which = DATA_FORK; w->which <= ATTR_FORK && !ret; w->which++) {
		uint64_t of_fork = 0;

		if (!has_map(&w->inode, w->which))
			continue;
		ret = mend_map(w, &changed, &of_fork);
		blocks += of_fork;
		free(w->rmap.v);
		free(w->map.v);
		w->rmap = w->map = (struct mend_map){ 0 };
	}
	if (!ret && w->inode.inode.fork[DATA_FORK].format == FMT_META_BTREE)
		set_count_of_tree(w, &changed);
	else if (!ret)
		set_counts(w, blocks, &changed);
	if (changed && !ret)
		ret = mend_inode_store(w->m, &w->inode);
	if (changed && !ret)
		mend_done(w->m, w->found);
	mend_inode_free(&w->inode);
	return ret == -ENOSPC ? 0 : ret;
}

int mend_inode_fork(struct mend *m, const struct found *found, size_t count)
{
	struct mend_facts facts = { 0 };
	struct claims claims = { 0 };
	xino_t *inos = NULL;
	size_t ninos;
	int ret = mend_facts_inodes(found, count, &inos, &ninos);

	if (!ret)
		ret = mend_facts_collect(m, inos, ninos, FACTS_RMAPS, &facts);
	if (!ret)
		ret = claims_new(&m->now->geo, found, count, &facts, &claims);
	for (size_t i = 0, n; i < count && !ret; i += n) {
		struct fork_work w = { .m = m, .facts = &facts, .claims = &claims, .found = claims.found + i };

		n = w.count = mend_of_one_inode(w.found, count - i);
		if (w.found->place.ino.v != NULL_INO)
			ret = mend_one(&w);
	}
	claims_free(&claims);
	mend_facts_free(&facts);
	free(inos);
	return ret;
}
