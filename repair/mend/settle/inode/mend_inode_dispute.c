/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides who keeps blocks that a file and another owner both claim (ondisk 12, S7).  The rmapbt decides, unless it is
 * out of date.  Otherwise these lose, in this order: an extent known to map wrong blocks; the file with the older LSN;
 * the inode with the higher number.  The loser gets a hole, because the data are the other owner's, or a copy if it
 * seems to share them.  No file gets blocks of metadata; but if a btree or the free list has a block only by a wrong
 * pointer, the file keeps it.  If one of the claims is not for file data, the header of the block may identify the
 * owner.
 */
#include "mend_inode_dispute.h"

#include <stdlib.h>

#include "mend/base/unowned_ranges.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_object.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_claims.h"
#include "mend/collect/mend_evidence.h"
#include "mend/collect/mend_survey.h"
#include "mend/make/mend_chunks.h"
#include "mend_inode_fork.h"
#include "repair.h"

/* Disputed blocks of an extent, and both claimants. */
struct dispute {
	const struct found *found; /* the claim of the current fork */
	const struct found *other; /* the other claim; NULL: unknown, or not an inode's */
	const struct bmap_record *extent;
	struct claimant self, rival;
};

static struct dispute dispute_of(const struct fork_work *w, const struct found *found, const struct bmap_record *extent)
{
	struct dispute d = { .found = found, .other = claims_other(w->claims, found), .extent = extent };

	if (d.other || found->problem.finding == F_SPACE_CLAIMED_TWICE)
		d.self = claimant_of(w->m, found);
	if (d.other)
		d.rival = claimant_of(w->m, d.other);
	return d;
}

/* True if the rmapbt lists any block of the fork at this file offset. */
static bool rmap_covers(const struct fork_work *w, uint64_t off)
{
	size_t i = mend_map_behind(w->rmap.v, w->rmap.count, off);

	return i < w->rmap.count && w->rmap.v[i].off.v <= off;
}

/* Returns the rmapbt record that confirms the other inode's claim on the first block; NULL: none. */
static const struct ino_fact *other_confirmed(const struct fork_work *w, const struct found *found)
{
	const xino_t other = { found->problem.want };

	return other.v != found->place.ino.v ? claims_rmap(w->claims, found, other) : NULL;
}

/* True if the rmapbt also lists this inode for blocks that another inode already gave up. */
static bool has_two_owners(const struct fork_work *w, const struct found *found, const struct bmap_record *extent)
{
	return !fork_is_realtime(w) && fsblock_set_has(&w->m->notes.two_owners, extent->start) &&
	       claims_rmap(w->claims, found, w->inode.ino);
}

/*
 * For a dispute with a btree of the AG or its free list, which will be rebuilt in other blocks: the file keeps the
 * blocks, unless one of them really is a block of such a btree.
 */
static enum settle settle_with_tree(const struct fork_work *w, const struct bmap_record *extent)
{
	for (uint32_t i = 0; i < extent->len; i++)
		if (mend_is_tree_block(w->m, (fsbno_t){ extent->start.v + i }))
			return SETTLE_DROP;
	return SETTLE_KEEP;
}

/* True if the other claimant is a btree of the AG, and a block has the header of such a btree. */
static bool is_sound_tree(const struct fork_work *w, const struct dispute *d)
{
	return d->found->problem.finding == F_SPACE_CLAIMED_TWICE && w->m->now->geo.crc &&
	       mend_owner_is_tree(d->found->problem.want) && !fork_is_realtime(w) &&
	       settle_with_tree(w, d->extent) == SETTLE_DROP;
}

#define BLOCKS_ASKED 64u /* leading blocks of an extent that are searched for a header */

/* True if a block has inodes in use, with their own numbers and right checksums. */
static bool holds_inodes(const struct fork_work *w, fsbno_t fsbno)
{
	const struct geometry *geo = &w->m->now->geo;
	const agino_t first = { agbno_of_fsbno(geo, fsbno).v << geo->inopb_log };
	uint8_t *block = malloc(geo->block_size);
	bool holds = false;

	if (block && !mend_read(w->m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size))
		for (uint32_t i = 0; i < 1u << geo->inopb_log && !holds; i++) {
			const xino_t ino = ino_of(geo, agno_of_fsbno(geo, fsbno), (agino_t){ first.v + i });

			holds = mend_chunks_in_use(geo, ino, block + ((size_t)i << geo->inode_log));
		}
	free(block);
	return holds;
}

/*
 * True if the other claimant is an inode chunk, and inodes in use are in the blocks.  If the file had written there,
 * they would be destroyed, so the file is stale, and the rmapbt with it.
 */
static bool is_sound_chunk(const struct fork_work *w, const struct dispute *d)
{
	if (d->found->problem.finding != F_SPACE_CLAIMED_TWICE || !w->m->now->geo.crc || fork_is_realtime(w) ||
	    d->found->problem.want != OWNER_INODES)
		return false;
	for (uint32_t i = 0; i < d->extent->len && i < BLOCKS_ASKED; i++)
		if (holds_inodes(w, (fsbno_t){ d->extent->start.v + i }))
			return true;
	return false;
}

/* True if any of the extent's blocks has a header with its own address and this inode as owner. */
static bool says_own(const struct fork_work *w, const struct bmap_record *extent, xino_t ino)
{
	for (uint32_t i = 0; i < extent->len && i < BLOCKS_ASKED && !fork_is_realtime(w); i++)
		if (mend_own_says(w->m, ino, (fsbno_t){ extent->start.v + i }))
			return true;
	return false;
}

/* True if an inode's maps have more blocks than its nblocks, so that some may not be its own. */
static bool has_too_many(const struct fork_work *w, xino_t ino)
{
	return ino_set_has(&w->claims->too_many, ino);
}

/* True if the nblocks of this claim's inode does not match its map, while that of the other one does. */
static bool is_miscounted(const struct fork_work *w, const struct found *found)
{
	const struct ino_set *miscounted = &w->claims->miscounted;

	return ino_set_has(miscounted, found->place.ino) && !ino_set_has(miscounted, (xino_t){ found->problem.want });
}

/*
 * True if the rmapbt lists the blocks for both inodes, which may not share them: only data of regular files may be
 * shared, whatever the refcount btree says.
 */
static bool may_not_be_shared(const struct fork_work *w, const struct dispute *d)
{
	return d->found->problem.finding == F_SPACE_CLAIMED_TWICE && d->other && other_confirmed(w, d->found) &&
	       !(d->self.file && d->rival.file);
}

/* True if an inode has the same blocks in two places. */
static bool is_mapped_twice(const struct dispute *d)
{
	return d->other && d->other->place.ino.v == d->found->place.ino.v;
}

/* True if the claimants are two files that may share the blocks. */
static bool may_share(const struct dispute *d)
{
	return d->other && !is_mapped_twice(d) && d->self.shares && d->rival.shares && !d->extent->unwritten;
}

/* True if the extent of this claim maps the wrong blocks. */
static bool is_wrong(const struct fork_work *w, const struct found *claim)
{
	return claims_strange(w->claims, claim) || mend_extent_is_wrong(w->m, claim);
}

/*
 * Settles a dispute with a claim that is not for file data, by the header of a block: it is better evidence than the
 * rmapbt, or a mender having handed out the block.  A file gets no copy, since the contents are not its own.  Without
 * such a header, a file keeps the blocks; the other claimant gets a copy, in case its header is damaged.  False:
 * undecided.
 */
static bool settle_by_block(const struct fork_work *w, const struct dispute *d, enum settle *ret_settle)
{
	const uint64_t want = d->found->problem.want;

	if (d->found->problem.finding != F_SPACE_CLAIMED_TWICE || !w->m->now->geo.crc)
		return false;
	if (!d->self.file && (want < OWNER_COW || mend_owner_is_tree(want)) && says_own(w, d->extent, w->inode.ino)) {
		*ret_settle = SETTLE_KEEP;
		return true;
	}
	if (d->other && !d->rival.file && says_own(w, d->extent, d->other->place.ino)) {
		*ret_settle = d->self.file ? SETTLE_DROP : SETTLE_COPY;
		return true;
	}
	if (!d->other || d->self.file == d->rival.file || fork_is_realtime(w))
		return false;
	if (d->self.file)
		*ret_settle = SETTLE_KEEP;
	else
		*ret_settle = w->rmap.count && !fork_rmap_confirms(w, d->extent) ? SETTLE_DROP : SETTLE_COPY;
	return true;
}

/* True if both files have the blocks at the same offset, like files that share them. */
static bool seems_shared(const struct dispute *d)
{
	return may_share(d) && d->found->place.fileoff.v == d->other->place.fileoff.v;
}

/*
 * Returns what a claimant gets that gives up blocks: a hole, because the data are the other one's.  A copy if both seem
 * to share the blocks and nothing lacks an owner: perhaps only the refcount btree is wrong, and the data belong to
 * both.
 */
static enum settle give_up(const struct fork_work *w, const struct dispute *d)
{
	if (d->self.beyond)
		return SETTLE_DROP;
	return !d->self.file || (seems_shared(d) && !w->lacking->count) ? SETTLE_COPY : SETTLE_DROP;
}

/* True if one of two files that seem to share blocks is newer than the refcount btree leaf for them. */
static bool is_refcount_older(const struct fork_work *w, const struct dispute *d)
{
	const struct place *place = &d->found->place;

	return seems_shared(d) && !fork_is_realtime(w) &&
	       (group_is_old(w->m, place->agno) ||
		group_is_older_there(w->m, BT_REFC, place->agno, place->agbno, place->ino) ||
		group_is_older_there(w->m, BT_REFC, place->agno, place->agbno, d->other->place.ino));
}

/* True if both claimants may share the blocks, and the refcount btree confirms that or is older than they are. */
static bool is_properly_shared(const struct fork_work *w, const struct dispute *d)
{
	if (d->found->problem.finding != F_SPACE_CLAIMED_TWICE || w->which != DATA_FORK)
		return false;
	if (is_refcount_older(w, d))
		return true;
	if (may_share(d) && (fork_is_shared(w, d->extent) || claims_seem_shared(w->claims, d->found)))
		return true;
	return d->other && !d->extent->unwritten && !fork_is_realtime(w) &&
	       claimants_seem_to_share(w->m, d->found, &d->self, d->other, &d->rival);
}

/* Settles two claims when neither the rmapbt nor a header decides. */
static enum settle settle_claims(const struct fork_work *w, const struct dispute *d)
{
	const struct found *found = d->found, *other = d->other;
	const enum settle give_way = give_up(w, d);
	lsn_t date, other_date;

	if (found->problem.want == OWNER_COW) /* staged for copy on write: the other claim is not a file's */
		return fork_is_derived(w) ? SETTLE_DROP : SETTLE_KEEP;
	if (mend_owner_is_tree(found->problem.want) && !fork_is_realtime(w))
		return settle_with_tree(w, d->extent);
	if (found->problem.want >= OWNER_COW || fork_is_derived(w))
		return SETTLE_DROP;
	if (!other) /* `want` is this inode: its map has the same place twice, which is one finding and not a dispute */
		return found->problem.want == w->inode.ino.v ? SETTLE_KEEP : give_way;
	/* if only the other inode has too many blocks, these may be among them: its maps must be mended first */
	if (has_too_many(w, other->place.ino) && !has_too_many(w, w->inode.ino))
		return SETTLE_KEEP;
	if (is_wrong(w, found) != is_wrong(w, other))
		return is_wrong(w, found) ? SETTLE_DROP : SETTLE_KEEP;
	/* bmbt blocks of version 4 have no owner; a file gets no copy of one, because it did not write it */
	if (d->self.file && !d->rival.file)
		return other->place.object == OBJ_BMBT && !w->m->now->geo.crc ? SETTLE_DROP : give_way;
	if (!d->self.file && d->rival.file)
		return SETTLE_KEEP;
	if (!d->self.file && other->place.object == OBJ_BMBT)
		return SETTLE_COPY;
	if (d->self.beyond != d->rival.beyond)
		return d->self.beyond ? SETTLE_DROP : SETTLE_KEEP;
	if (is_mapped_twice(d))
		return found->place.fileoff.v > other->place.fileoff.v ? give_way : SETTLE_KEEP;
	if (is_miscounted(w, found) || is_miscounted(w, other))
		return is_miscounted(w, found) ? give_way : SETTLE_KEEP;
	date = inode_date(w->m, found->place.ino);
	other_date = inode_date(w->m, other->place.ino);
	if (date.v && other_date.v && date.v != other_date.v)
		return date.v < other_date.v ? give_way : SETTLE_KEEP;
	return found->place.ino.v > other->place.ino.v ? give_way : SETTLE_KEEP;
}

/* True if some of these blocks are, or without a survey may be, lost. Not in a doubted AG, where they may be free. */
static bool any_unowned(const struct fork_work *w, fsbno_t first, uint64_t len)
{
	const struct geometry *geo = &w->m->now->geo;
	const agno_t agno = agno_of_fsbno(geo, first);

	if (unowned_ranges_meet(w->lacking, first, len))
		return true;
	if (group_is_doubted(w->m, agno))
		return false;
	return !mend_survey_has(w->m->survey, agno) ||
	       mend_survey_any_unowned(w->m->survey, agno, agbno_of_fsbno(geo, first).v, len);
}

/*
 * True if the rmapbt lists other blocks at the claim's file offsets, and some of these are lost: they may be the
 * inode's real ones.  If all of them are free or owned, the rmapbt is out of date.
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
		offers |= any_unowned(w, (fsbno_t){ rmap[i].value + skip },
				      left < claim->problem.got ? left : claim->problem.got);
	}
	return offers;
}

/*
 * True if one claim's inode is newer than the other's, which is out of date, and nothing contradicts that.  or_same:
 * equal LSNs count as newer.
 */
static bool supersedes(const struct fork_work *w, const struct found *newer, const struct found *older, bool or_same)
{
	const lsn_t date = inode_date(w->m, newer->place.ino), other = inode_date(w->m, older->place.ino);

	if (!date.v || (!other.v && !ino_set_has(&w->m->notes.rebuilt, older->place.ino)) ||
	    date.v + or_same <= other.v)
		return false;
	return !has_too_many(w, newer->place.ino) && !rmap_offers(w, newer);
}

/*
 * If the rmapbt confirms a claim, it may be out of date, and so may be one of the inodes, because of lost writes: the
 * newer inode keeps the blocks, and the data are its own.  False: neither claim is known to be out of date.
 */
static bool settle_by_date(const struct fork_work *w, const struct dispute *d, enum settle *ret_settle)
{
	const bool share = may_share(d);
	bool this_mapped, other_mapped;

	if (!d->other || is_mapped_twice(d) || d->other->place.object == OBJ_BMBT || fork_is_realtime(w))
		return false;
	this_mapped = claims_rmap(w->claims, d->found, d->found->place.ino);
	other_mapped = other_confirmed(w, d->found);
	if ((this_mapped || other_mapped) && supersedes(w, d->found, d->other, share)) {
		*ret_settle = SETTLE_KEEP;
		return true;
	}
	if (!this_mapped || !supersedes(w, d->other, d->found, share))
		return false;
	*ret_settle = share ? SETTLE_KEEP : other_mapped || d->self.file ? SETTLE_DROP : SETTLE_COPY;
	return true;
}

/*
 * Settles a claim that the rmapbt confirms.  If it confirms both, and the inodes may not share blocks, the one with the
 * lower number keeps them.
 */
static enum settle settle_confirmed(const struct fork_work *w, const struct dispute *d)
{
	const struct ino_fact *rmap = other_confirmed(w, d->found);

	if (!rmap || !d->other || fork_is_realtime(w) || (may_share(d) && !rmap->flags && w->which == DATA_FORK))
		return SETTLE_KEEP;
	return d->found->place.ino.v > d->other->place.ino.v ? SETTLE_DROP : SETTLE_KEEP;
}

/* True if claimed blocks are free only in btrees that are older than the inode, or are contradicted by others. */
static bool free_by_old_trees(const struct fork_work *w, const struct found *found)
{
	const agno_t agno = found->place.agno;

	if (found->problem.finding != F_SPACE_FREE_IN_USE || fork_is_realtime(w))
		return false;
	return group_is_doubted(w->m, agno) ||
	       (group_is_old(w->m, agno) &&
		inode_date(w->m, w->inode.ino).v > group_header_date(w->m, agno, AGF_SECTOR).v);
}

enum settle inode_dispute_settle(const struct fork_work *w, const struct found *found, const struct bmap_record *extent)
{
	const struct dispute d = dispute_of(w, found, extent);
	enum settle settle;

	/* a file without the reflink flag is not one of those that share the block */
	if (found->problem.finding == F_SPACE_SHARED_OFTEN)
		return is_wrong(w, found) || is_miscounted(w, found) || !w->inode.inode.reflink ? SETTLE_DROP
												: SETTLE_KEEP;
	if (settle_by_block(w, &d, &settle))
		return settle;
	if (is_sound_tree(w, &d) || is_sound_chunk(w, &d))
		return SETTLE_DROP;
	if (mend_space_took(w->m, extent->start, fork_is_realtime(w)) || is_properly_shared(w, &d))
		return SETTLE_KEEP;
	if (settle_by_date(w, &d, &settle))
		return settle;
	if (fork_rmap_confirms(w, extent) || has_two_owners(w, found, extent))
		return may_not_be_shared(w, &d) || is_mapped_twice(&d) ? settle_claims(w, &d) : settle_confirmed(w, &d);
	if (free_by_old_trees(w, found))
		return SETTLE_KEEP;
	if (rmap_covers(w, extent->off.v) && (fork_is_realtime(w) || rmap_offers(w, found)))
		return SETTLE_AS_RMAP;
	if (found->problem.finding == F_SPACE_FREE_IN_USE)
		return is_wrong(w, found) ? SETTLE_DROP : SETTLE_KEEP;
	/* if the rmapbt lists other blocks of this fork, it is not lost, and the fork has none here */
	if (other_confirmed(w, found))
		return w->rmap.count || d.self.file ? SETTLE_DROP : SETTLE_COPY;
	return settle_claims(w, &d);
}
