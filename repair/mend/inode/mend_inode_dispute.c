/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who keeps blocks that a file and somebody else both claim (ondisk 12, S7).  The rmapbt decides, unless it is out of
 * date.  Otherwise the first of two files keeps them and the other gets a copy, unless they lie beyond its end.  No
 * file gets blocks of metadata; but a block that a btree or the free list has only by a wrong pointer is not theirs,
 * and between two claims neither of which is for file data, the header of the block says whose it is.
 */
#include "mend_inode_dispute.h"

#include <stdlib.h>

#include "libxfs/btree.h"
#include "mend/mend_evidence.h"
#include "mend/mend_own.h"
#include "mend/mend_space.h"
#include "mend/mend_survey.h"

struct claimant {
	bool file;
	bool beyond; /* its end: nobody sees what is there */
	bool shares; /* it may share blocks */
};

static struct claimant claimant_of(const struct fork_work *w, const struct found *found)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t bytes[DINODE_SIZE_MAX];
	struct claimant c = { 0 };
	struct dinode inode;

	if (found->place.object != OBJ_DATA_FORK || !ino_valid(geo, found->place.ino) ||
	    mend_read(w->m, bytes, bytes_of_ino(geo, found->place.ino), geo->inode_size) ||
	    !dinode_decode(&check, bytes, found->place.ino, true, &inode))
		return c;
	c.file = inode.ftype == FT_REG && !inode.rtfile && !inode.metadata &&
		 dinode_internal_type(geo, inode.ino) == FT_UNKNOWN;
	c.beyond = c.file && found->place.fileoff.v >= (inode.size >> geo->block_log) + 1;
	c.shares = c.file && (inode.reflink || ino_set_has(&w->m->notes.remade, found->place.ino));
	return c;
}

/* A finding about blocks of an extent, and who they are claimed by. */
struct dispute {
	const struct found *found;
	const struct found *other; /* NULL: none is known of an inode */
	const struct bmap_record *extent;
	struct claimant mine, others;
};

static struct dispute dispute_of(const struct fork_work *w, const struct found *found, const struct bmap_record *extent)
{
	struct dispute d = { .found = found, .other = claims_other(w->claims, found), .extent = extent };

	if (d.other || found->problem.finding == F_SPACE_CLAIMED_TWICE)
		d.mine = claimant_of(w, found);
	if (d.other)
		d.others = claimant_of(w, d.other);
	return d;
}

/* When an inode was written last, by its log; 0: nobody knows. */
static lsn_t date_of(const struct fork_work *w, xino_t ino)
{
	const struct geometry *geo = &w->m->now->geo;
	uint8_t bytes[DINODE_SIZE_MAX] = { 0 };
	const struct dinode_disk *disk = (const void *)bytes;

	if (!geo->crc || !ino_valid(geo, ino) || mend_read(w->m, bytes, bytes_of_ino(geo, ino), geo->inode_size) ||
	    be64_get(disk->ino) != ino.v)
		return (lsn_t){ 0 };
	return (lsn_t){ be64_get(disk->lsn) };
}

static bool rmap_covers(const struct fork_work *w, uint64_t off)
{
	size_t i = mend_map_behind(w->rmap.v, w->rmap.count, off);

	return i < w->rmap.count && w->rmap.v[i].off.v <= off;
}

/* The rmapbt has the first of the blocks of a finding as those of the other inode that claims them. */
static const struct ino_fact *other_confirmed(const struct fork_work *w, const struct found *found)
{
	const xino_t other = { found->problem.want };

	return other.v != found->place.ino.v ? claims_rmap(w->claims, found, other) : NULL;
}

/* Another inode gave the blocks up that the rmapbt has as those of this one, too. */
static bool is_refuted(const struct fork_work *w, const struct found *found, const struct bmap_record *extent)
{
	return !fork_is_realtime(w) && ino_set_has(&w->m->notes.refuted, (xino_t){ extent->start.v }) &&
	       claims_rmap(w->claims, found, w->inode.ino);
}

/* Whether a block says of itself that it is one of the btrees of its group. */
static bool is_tree_block(const struct fork_work *w, fsbno_t fsbno)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct check check = check_silent(geo);
	const struct btree_visitor visitor = { NULL, btree_ignore_record, btree_ignore_child, NULL };
	struct btree_expect expect = {
		.agno = agno_of_fsbno(geo, fsbno), .agbno = agbno_of_fsbno(geo, fsbno), .root = true, .unsure = true
	};
	uint8_t *block = malloc(geo->block_size);
	struct btree_block found;
	bool is = false;

	expect.owner = expect.agno.v;
	if (block && !mend_read(w->m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size))
		for (unsigned kind = 0; kind < BT_AG_NR && !is; kind++) {
			expect.kind = kind;
			is = btree_decode(&check, block, &expect, &visitor, &found);
		}
	free(block);
	return is;
}

/* What a group's btree or free list is said to have is rebuilt without: a file gives up what is theirs indeed. */
static enum settle settle_with_tree(const struct fork_work *w, const struct bmap_record *extent)
{
	for (uint32_t i = 0; i < extent->len; i++)
		if (is_tree_block(w, (fsbno_t){ extent->start.v + i }))
			return SETTLE_DROP;
	return SETTLE_KEEP;
}

#define BLOCKS_ASKED 64u /* of an extent: more than one object has in one place are hardly ever in doubt */

/* Whether any of the blocks says of itself that it is this inode's. */
static bool says_own(const struct fork_work *w, const struct bmap_record *extent, xino_t ino)
{
	for (uint32_t i = 0; i < extent->len && i < BLOCKS_ASKED && !fork_is_realtime(w); i++)
		if (mend_own_says(w->m, ino, (fsbno_t){ extent->start.v + i }))
			return true;
	return false;
}

/* An inode counts fewer blocks than its maps have: some that they have are not its own, or there is no telling yet. */
static bool has_too_many(const struct fork_work *w, xino_t ino)
{
	return ino_set_has(&w->claims->too_many, ino);
}

/*
 * Two claims, one of which is of no file's data, and the block says that it is of that one: nobody knows better,
 * neither the rmapbt nor who handed it out.  What is in it is nothing that a file wrote.  False: it does not say.
 */
static bool settle_by_block(const struct fork_work *w, const struct dispute *d, enum settle *ret_settle)
{
	const uint64_t want = d->found->problem.want;
	bool says;

	if (d->found->problem.finding != F_SPACE_CLAIMED_TWICE || !w->m->now->geo.crc)
		return false;
	if (!d->mine.file && (want < OWNER_COW || mend_owner_is_tree(want)) && says_own(w, d->extent, w->inode.ino)) {
		*ret_settle = SETTLE_KEEP;
		return true;
	}
	says = d->other && !d->others.file && says_own(w, d->extent, d->other->place.ino);
	if (says)
		*ret_settle = d->mine.file ? SETTLE_DROP : SETTLE_COPY;
	return says;
}

/*
 * The rmapbt has the blocks as those of both, and the refcount btree may allow that; but only data of files may be
 * shared.
 */
static bool may_not_be_shared(const struct fork_work *w, const struct dispute *d)
{
	return d->found->problem.finding == F_SPACE_CLAIMED_TWICE && d->other && other_confirmed(w, d->found) &&
	       !(d->mine.file && d->others.file);
}

/* Two places of one inode have the same blocks. */
static bool is_told_twice(const struct dispute *d)
{
	return d->other && d->other->place.ino.v == d->found->place.ino.v;
}

static bool may_share(const struct dispute *d)
{
	return d->mine.shares && d->others.shares && !d->extent->unwritten;
}

/* Two claims, neither of which the rmapbt or the block knows better about: this one gives way, or the other does. */
static enum settle settle_claims(const struct fork_work *w, const struct dispute *d)
{
	const struct found *found = d->found, *other = d->other;
	const enum settle give_way = d->mine.beyond ? SETTLE_DROP : SETTLE_COPY;

	if (found->problem.want == OWNER_COW) /* for copies that were not made: nothing of anybody's is in there */
		return fork_is_derived(w) ? SETTLE_DROP : SETTLE_KEEP;
	if (mend_owner_is_tree(found->problem.want) && !fork_is_realtime(w))
		return settle_with_tree(w, d->extent);
	if (found->problem.want >= OWNER_COW || fork_is_derived(w))
		return SETTLE_DROP;
	if (!other) /* what is told twice of the same place in a file is one finding: no two claim it */
		return found->problem.want == w->inode.ino.v ? SETTLE_KEEP : give_way;
	/* nobody gives way before the other's maps are mended */
	if (has_too_many(w, other->place.ino) && !has_too_many(w, w->inode.ino))
		return SETTLE_KEEP;
	/* blocks of an extent map don't say whose they are in version 4, and hold nothing that a file wrote */
	if (d->mine.file && !d->others.file)
		return other->place.object == OBJ_BMBT && !w->m->now->geo.crc ? SETTLE_DROP : give_way;
	if (!d->mine.file && d->others.file)
		return SETTLE_KEEP;
	if (!d->mine.file && other->place.object == OBJ_BMBT)
		return SETTLE_COPY;
	if (d->mine.beyond != d->others.beyond)
		return d->mine.beyond ? SETTLE_DROP : SETTLE_KEEP;
	if (is_told_twice(d))
		return found->place.fileoff.v > other->place.fileoff.v ? give_way : SETTLE_KEEP;
	return found->place.ino.v > other->place.ino.v ? give_way : SETTLE_KEEP;
}

/* Whether nobody has some of these blocks; what nobody has counted may be. */
static bool any_lost(const struct fork_work *w, fsbno_t first, uint64_t len)
{
	const struct geometry *geo = &w->m->now->geo;
	const agno_t agno = agno_of_fsbno(geo, first);

	return !mend_survey_has(w->m->survey, agno) ||
	       mend_survey_any_lost(w->m->survey, agno, agbno_of_fsbno(geo, first).v, len);
}

/*
 * Whether the rmapbt has other blocks in the place of a claim, of which nobody has some: it may be those that the inode
 * had.  If all of them are free or somebody's, it is out of date.
 */
static bool rmap_offers(const struct fork_work *w, const struct found *claim)
{
	const struct geometry *geo = &w->m->now->geo;
	const fsbno_t block = fsbno_of(geo, claim->place.agno, claim->place.agbno);
	bool offers = false;
	size_t count;
	const struct ino_fact *rmap = claims_rmap_there(w->claims, claim, &count);

	for (size_t i = 0; i < count; i++) {
		const uint64_t skip = claim->place.fileoff.v - rmap[i].off.v, left = rmap[i].len - skip;

		if (rmap[i].flags & RMAP_BMBT || skip >= rmap[i].len)
			continue;
		if (rmap[i].value + skip == block.v)
			return false;
		offers |= any_lost(w, (fsbno_t){ rmap[i].value + skip },
				   left < claim->problem.got ? left : claim->problem.got);
	}
	return offers;
}

/*
 * Whether of two inodes that claim blocks one was written later, and agrees with itself: what contradicts it is out of
 * date.
 */
static bool supersedes(const struct fork_work *w, const struct found *newer, const struct found *older, bool or_same)
{
	const lsn_t date = date_of(w, newer->place.ino), other = date_of(w, older->place.ino);

	if (!date.v || (!other.v && !ino_set_has(&w->m->notes.remade, older->place.ino)) || date.v + or_same <= other.v)
		return false;
	return !has_too_many(w, newer->place.ino) && !rmap_offers(w, newer);
}

/*
 * Of two claims the rmapbt has one or both, and may be out of date, as one of the inodes is, where writes were lost:
 * who was written last keeps the blocks.  Where the rmapbt has them as both's, what is in them is nothing that the
 * other ever wrote.  False: neither is known to be out of date.
 */
static bool settle_by_date(const struct fork_work *w, const struct dispute *d, enum settle *ret_settle)
{
	const bool share = may_share(d);
	bool mine, others;

	if (!d->other || is_told_twice(d) || d->other->place.object == OBJ_BMBT || fork_is_realtime(w))
		return false;
	mine = claims_rmap(w->claims, d->found, d->found->place.ino);
	others = other_confirmed(w, d->found);
	if ((mine || others) && supersedes(w, d->found, d->other, share)) {
		*ret_settle = SETTLE_KEEP;
		return true;
	}
	if (!mine || !supersedes(w, d->other, d->found, share))
		return false;
	*ret_settle = share ? SETTLE_KEEP : others ? SETTLE_DROP : SETTLE_COPY;
	return true;
}

/* The rmapbt confirms both claims, and neither is known to be out of date. */
static enum settle settle_confirmed(const struct fork_work *w, const struct dispute *d)
{
	const struct ino_fact *rmap = other_confirmed(w, d->found);

	if (!rmap || !d->other || fork_is_realtime(w) || (may_share(d) && !rmap->flags && w->which == DATA_FORK))
		return SETTLE_KEEP;
	return d->found->place.ino.v > d->other->place.ino.v ? SETTLE_DROP : SETTLE_KEEP;
}

enum settle inode_dispute_settle(const struct fork_work *w, const struct found *found, const struct bmap_record *extent)
{
	const struct dispute d = dispute_of(w, found, extent);
	enum settle settle;

	if (settle_by_block(w, &d, &settle))
		return settle;
	if (mend_space_took(w->m, extent->start, fork_is_realtime(w)))
		return SETTLE_KEEP;
	if (settle_by_date(w, &d, &settle))
		return settle;
	if (fork_rmap_confirms(w, extent) || is_refuted(w, found, extent))
		return may_not_be_shared(w, &d) || is_told_twice(&d) ? settle_claims(w, &d) : settle_confirmed(w, &d);
	if (rmap_covers(w, extent->off.v) && (fork_is_realtime(w) || rmap_offers(w, found)))
		return SETTLE_AS_RMAP;
	if (found->problem.finding == F_SPACE_FREE_IN_USE)
		return SETTLE_KEEP;
	/* where the rmapbt knows other blocks of this one, and none there, it has not lost any */
	if (other_confirmed(w, found))
		return w->rmap.count ? SETTLE_DROP : SETTLE_COPY;
	return settle_claims(w, &d);
}
