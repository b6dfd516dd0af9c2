/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects extents that map blocks with another owner, free blocks, or blocks beyond the device, if there is no rmapbt
 * (ondisk 05; 12, S7).  Their real blocks must be a range of the same length that is unowned, or that has fewer owners
 * than the refcount btree says.  An extent gets a range if they fit only each other, if the contents of the range suit
 * the fork, and if this settles all disputes about the extent's blocks.  An extent that was shifted still has some of
 * its own blocks, and the range is the rest, at one end of it: this is preferred to any other place.  If there is such
 * a place for an extent, but none for those that it collides with, it is noted as wrong.
 *
 * All of this is a guess.  Free or lost blocks are believed only if both free-space btrees and the AGF agree, and the
 * bnobt is not older than the inode: with one stale block, many extents would fit.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/bmbt.h"
#include "libxfs/bmap_build.h"
#include "mend/base/mend_drop.h"
#include "mend/base/unowned_ranges.h"
#include "mend/base/menders.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_claims.h"
#include "mend/collect/mend_inode.h"
#include "mend_inode_dispute.h"
#include "repair.h"

/* An extent that may map wrong blocks. */
struct suspect {
	xino_t ino;
	enum fork which;
	bool tree;	/* the fork has a bmbt */
	bool may_share; /* its blocks may be shared */
	uint32_t index; /* index of its record in the inode, or among all records of a bmbt */
	struct bmap_record extent;
	uint64_t before, behind; /* end of the extent before, start of the next one; 0: not adjacent in the file */
	const struct found *found;
	const struct unowned_range *range; /* the last range that fits; NULL: none */
	fsbno_t to;			   /* start of the extent if it gets that range */
	size_t nranges;			   /* number of ranges that fit equally well */
	unsigned likely;		   /* how likely it is that the range is the extent's: LIKELY_* */
};

/* Evidence for a range beside its length. */
enum {
	LIKELY_HOME = 1,  /* it is in the inode's AG; the extent is not */
	LIKELY_NEXT = 2,  /* it continues the preceding or next extent, where the file has no hole */
	LIKELY_SHIFT = 4, /* the extent has the rest of the same blocks */
	LIKELY_ALONE = 8, /* the extent has blocks that others share; the file shares none */
};

struct extent_place_work {
	struct mend *m;
	const struct found *found; /* by inode */
	size_t count;
	struct unowned_ranges lost;
	unsigned *likely; /* per range: likelihood for its likeliest suspect, plus one; 0: it fits none */
	size_t *fits;	  /* per range: number of suspects that it fits equally well */
	struct suspect *v;
	size_t nsuspects, room;
};

#define RANGES_MAX   64u   /* with more lost ranges, or suspects, much fits by chance */
#define FINDINGS_MAX 1000u /* the search is quadratic in their number */

static bool is_claim(const struct found *found)
{
	return found->problem.finding == F_SPACE_CLAIMED_TWICE || found->problem.finding == F_SPACE_FREE_IN_USE ||
	       found->problem.finding == F_SPACE_SHARED_OFTEN;
}

/* True if the finding is about an invalid extent, which claims no blocks. */
static bool is_impossible(const struct found *found)
{
	return found->problem.finding == F_BMAP_START || found->problem.finding == F_BMAP_LENGTH ||
	       found->problem.finding == F_BMAP_OFFSET;
}

bool mend_extent_place_wants(const struct found *found)
{
	return is_claim(found) || unowned_ranges_is_one(found) || unowned_ranges_is_shared(found) ||
	       is_impossible(found) || found->problem.finding == F_INODE_NBLOCKS_XREF ||
	       group_contradicts_itself(found);
}

/* True if the nblocks of an inode doesn't match its maps; surplus: only if the maps have more. */
static bool is_miscounted(const struct extent_place_work *w, uint64_t ino, bool surplus)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct problem *p = &w->found[i].problem;

		if (p->finding == F_INODE_NBLOCKS_XREF && w->found[i].place.ino.v == ino &&
		    (!surplus || p->got < p->want))
			return true;
	}
	return false;
}

/* True if the finding is about blocks of this fork. */
static bool is_of(const struct found *found, xino_t ino, enum fork which)
{
	return found->place.ino.v == ino.v && found->place.agno.v != NO_AGNO &&
	       found->place.object == (which == DATA_FORK ? OBJ_DATA_FORK : OBJ_ATTR_FORK);
}

/* Returns how many of the extent's blocks [from, from + len) are free or have another claimant; no findings overlap. */
static uint64_t disputed(const struct extent_place_work *w, const struct suspect *s, uint64_t from, uint64_t len)
{
	const struct geometry *geo = &w->m->now->geo;
	uint64_t sum = 0;

	for (size_t i = 0; i < w->count; i++) {
		const struct found *found = &w->found[i];
		uint64_t first, end;

		if (!is_claim(found) || !is_of(found, s->ino, s->which))
			continue;
		first = fsbno_of(geo, found->place.agno, found->place.agbno).v;
		end = first + found->problem.got;
		if (first - s->extent.start.v != found->place.fileoff.v - s->extent.off.v)
			continue; /* about another extent */
		first = first < from ? from : first;
		end = end > from + len ? from + len : end;
		sum += end > first ? end - first : 0;
	}
	return sum;
}

/* True if a claim of another inode is no longer disputed once the extent lies elsewhere. */
static bool settles(const struct extent_place_work *w, const struct suspect *s, const struct found *claim)
{
	if (claim->problem.finding == F_SPACE_SHARED_OFTEN) /* of several others, it names only one */
		return fsbno_of(&w->m->now->geo, claim->place.agno, claim->place.agbno).v - s->extent.start.v <
		       s->extent.len;
	return claim->problem.finding == F_SPACE_CLAIMED_TWICE && claim->problem.want == s->ino.v;
}

/* True if this is so for all claims of the inodes that claim blocks of the extent. */
static bool settles_all(const struct extent_place_work *w, const struct suspect *s)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct found *found = &w->found[i];

		if (found->problem.finding != F_SPACE_CLAIMED_TWICE || found->place.ino.v != s->ino.v ||
		    found->problem.want == s->ino.v)
			continue;
		for (size_t k = 0; k < w->count; k++)
			if (is_claim(&w->found[k]) && w->found[k].place.ino.v == found->problem.want &&
			    !settles(w, s, &w->found[k]))
				return false;
	}
	return true;
}

/*
 * True if the extent may start at block `to`: it then has all of the range, and else only blocks that it has already
 * and that have no other claimant.
 */
static bool fits(const struct extent_place_work *w, const struct suspect *s, const struct unowned_range *range,
		 uint64_t to)
{
	const uint64_t len = s->extent.len, lost = range->end - range->start;
	const uint64_t rest = to == range->start ? range->end : to; /* start of the blocks that it keeps */

	if (lost > len || (range->shared && !s->may_share) ||
	    agno_of_fsbno(&w->m->now->geo, (fsbno_t){ to }).v !=
		    agno_of_fsbno(&w->m->now->geo, (fsbno_t){ range->start }).v)
		return false;
	if (is_impossible(s->found))
		return lost == len;
	if (lost < len && (rest < s->extent.start.v || rest + len - lost > s->extent.start.v + len ||
			   disputed(w, s, rest, len - lost)))
		return false;
	return disputed(w, s, s->extent.start.v, len) == lost;
}

static unsigned likelihood(const struct extent_place_work *w, const struct suspect *s,
			   const struct unowned_range *range, uint64_t to)
{
	const struct geometry *geo = &w->m->now->geo;
	const agno_t home = agno_of_ino(geo, s->ino);
	unsigned sum = range->end - range->start < s->extent.len ? LIKELY_SHIFT : 0;

	if (agno_of_fsbno(geo, (fsbno_t){ to }).v == home.v && agno_of_fsbno(geo, s->extent.start).v != home.v)
		sum |= LIKELY_HOME;
	if ((s->before && s->before == to) || s->behind == to + s->extent.len)
		sum |= LIKELY_NEXT;
	if (s->found->problem.finding == F_SPACE_SHARED_OFTEN && !s->may_share)
		sum |= LIKELY_ALONE;
	return sum;
}

/* Finds the likeliest ranges for a suspect. */
static void find_ranges(struct extent_place_work *w, struct suspect *s)
{
	for (size_t i = 0; i < w->lost.count; i++) {
		const struct unowned_range *range = &w->lost.v[i];
		const uint64_t to[] = { range->start, range->end - s->extent.len };

		for (unsigned k = 0; k < (to[0] != to[1] ? 2u : 1u); k++) {
			unsigned now;

			if (!fits(w, s, range, to[k]) ||
			    !mend_extent_may_hold(w->m, s->ino, s->which, s->extent.off.v, (fsbno_t){ to[k] }))
				continue;
			now = likelihood(w, s, range, to[k]);
			if (now + 1 > w->likely[i])
				w->fits[i] = 0;
			if (now + 1 >= w->likely[i]) {
				w->likely[i] = now + 1;
				w->fits[i]++;
			}
			if (s->nranges && s->likely > now)
				continue;
			s->nranges = s->nranges && s->likely == now ? s->nranges + 1 : 1;
			s->likely = now;
			s->range = range;
			s->to.v = to[k];
		}
	}
}

/* True if a range that overlaps this one, a part or a union (join_ranges()), fits a suspect that is as likely. */
static bool is_contested(const struct extent_place_work *w, size_t range)
{
	const struct unowned_range *v = w->lost.v;

	for (size_t i = 0; i < w->lost.count; i++)
		if (i != range && v[i].start < v[range].end && v[i].end > v[range].start &&
		    w->likely[i] >= w->likely[range])
			return true;
	return false;
}

/* True if a suspect and a range are each the only best choice for the other. */
static bool is_only_one(const struct extent_place_work *w, const struct suspect *s)
{
	const size_t range = s->nranges == 1 ? (size_t)(s->range - w->lost.v) : 0;

	return s->nranges == 1 && w->fits[range] == 1 && w->likely[range] == s->likely + 1 && !is_contested(w, range);
}

/* True if two suspects claim the same blocks. */
static bool collide(const struct extent_place_work *w, const struct suspect *s, const struct suspect *other)
{
	for (size_t i = 0; i < w->count; i++)
		if (is_claim(&w->found[i]) && w->found[i].problem.finding != F_SPACE_FREE_IN_USE &&
		    w->found[i].place.ino.v == s->ino.v && w->found[i].problem.want == other->ino.v)
			return true;
	return false;
}

bool mend_extent_is_wrong(const struct mend *m, const struct found *claim)
{
	const struct geometry *geo = &m->now->geo;

	if (claim->place.agno.v == NO_AGNO)
		return false;
	for (size_t i = 0; i < m->notes.nwrong; i++) {
		const struct wrong_extent *wrong = &m->notes.wrong[i];

		if (wrong->ino.v == claim->place.ino.v && wrong->fork == claim->place.object &&
		    wrong->line == claim->place.fileoff.v - fsbno_of(geo, claim->place.agno, claim->place.agbno).v)
			return true;
	}
	return false;
}

/*
 * True if another file explains the finding that too many files share a block: its nblocks does not match its map,
 * which is damaged, while this one's does.
 */
static bool is_explained(const struct extent_place_work *w, const struct found *found)
{
	if (found->problem.finding != F_SPACE_SHARED_OFTEN || is_miscounted(w, found->place.ino.v, false))
		return false;
	for (size_t i = 0; i < w->count; i++) {
		const struct found *other = &w->found[i];

		if (other->problem.finding == F_SPACE_SHARED_OFTEN && other->place.agno.v == found->place.agno.v &&
		    other->place.agbno.v == found->place.agbno.v && other->place.ino.v != found->place.ino.v &&
		    is_miscounted(w, other->place.ino.v, false))
			return true;
	}
	return false;
}

/* True if both claimants seem to share the blocks of a claim, so that both extents are right. */
static bool seems_shared(const struct extent_place_work *w, const struct found *claim)
{
	for (size_t i = 0; i < w->count && claim->problem.finding != F_SPACE_FREE_IN_USE; i++) {
		const struct found *other = &w->found[i];
		struct claimant x, y;

		if (other->problem.finding != claim->problem.finding || other->place.ino.v != claim->problem.want ||
		    other->place.agno.v != claim->place.agno.v || other->place.agbno.v != claim->place.agbno.v)
			continue;
		x = claimant_of(w->m, claim);
		y = claimant_of(w->m, other);
		if (claimants_seem_to_share(w->m, claim, &x, other, &y))
			return true;
	}
	return false;
}

/* True if a finding casts doubt on where the extent starts. */
static bool is_about(const struct extent_place_work *w, const struct found *found, const struct suspect *s)
{
	if (!is_of(found, s->ino, s->which))
		return false;
	if (is_impossible(found))
		return found->problem.index == s->index;
	if (found->problem.finding == F_SPACE_FREE_IN_USE && group_is_doubted(w->m, found->place.agno))
		return false;
	if (found->problem.finding == F_SPACE_CLAIMED_TWICE && is_miscounted(w, found->problem.want, true) &&
	    (found->problem.want == s->ino.v || !is_miscounted(w, s->ino.v, true)))
		return false;
	return is_claim(found) && found->place.fileoff.v >= s->extent.off.v &&
	       found->place.fileoff.v < s->extent.off.v + s->extent.len && !is_explained(w, found) &&
	       !seems_shared(w, found);
}

/* True if blocks of the extent have another claimant. */
static bool collides(const struct extent_place_work *w, const struct suspect *s)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->found[i].problem.finding != F_SPACE_FREE_IN_USE && is_claim(&w->found[i]) &&
		    is_about(w, &w->found[i], s))
			return true;
	return false;
}

/* True if the inode is newer than the bnobt leaf that lists blocks of the extent as free. */
static bool is_later(struct extent_place_work *w, const struct suspect *s)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct found *found = &w->found[i];

		if (found->problem.finding == F_SPACE_FREE_IN_USE && is_about(w, found, s) &&
		    group_is_older_there(w->m, BT_BNO, found->place.agno, found->place.agbno, s->ino))
			return true;
	}
	return false;
}

/* True if the extent's inode is newer than all other inodes that claim its blocks. */
static bool is_last(struct extent_place_work *w, const struct suspect *s)
{
	const lsn_t date = inode_date(w->m, s->ino);

	for (size_t i = 0; i < w->count; i++) {
		const struct found *found = &w->found[i];

		if (found->problem.finding == F_SPACE_CLAIMED_TWICE && is_about(w, found, s) &&
		    (found->problem.want >= OWNER_COW || inode_date(w->m, (xino_t){ found->problem.want }).v >= date.v))
			return false;
	}
	return date.v;
}

/*
 * Notes a suspect as wrong if it has a place, while those that it collides with have none as good.  If the place is not
 * unique, LSNs are better evidence.  0 or -ENOMEM.
 */
static int note_wrong(struct extent_place_work *w, const struct suspect *s)
{
	struct mend_notes *notes = &w->m->notes;

	if (!collides(w, s))
		return 0;
	for (size_t i = 0; i < w->nsuspects; i++) {
		const struct suspect *other = &w->v[i];

		if (other != s && other->nranges && other->likely >= s->likely && collide(w, s, other))
			return 0;
	}
	if (!s->nranges || is_impossible(s->found) || (!is_only_one(w, s) && is_last(w, s)))
		return 0;
	return array_add(notes->wrong, notes->wrong_room, notes->nwrong,
			 (struct wrong_extent){ s->ino, s->found->place.object, s->extent.off.v - s->extent.start.v });
}

/* Finds the extents that precede and follow this one in the file without a hole. */
static void find_neighbours(struct suspect *s, const struct mend_fork *map)
{
	s->before = s->behind = 0;
	for (size_t i = 0; i < map->count; i++) {
		const struct bmap_record *extent = &map->extents[i];

		if (extent->off.v + extent->len == s->extent.off.v)
			s->before = extent->start.v + extent->len;
		if (extent->off.v == s->extent.off.v + s->extent.len)
			s->behind = extent->start.v;
	}
}

/* Adds s as a suspect, if any of the findings about its inode casts doubt on it. 0 or -ENOMEM. */
static int add_suspect(struct extent_place_work *w, struct suspect *s, const struct mend_inode *inode,
		       const struct found *found, size_t count)
{
	s->found = NULL;
	for (size_t i = 0; i < count && !s->found; i++)
		if (is_about(w, &found[i], s))
			s->found = &found[i];
	if (!s->found ||
	    (is_impossible(s->found) &&
	     (s->tree || !mend_extent_guess(&w->m->now->geo, inode, s->which, s->index, &s->extent))) ||
	    !s->extent.len)
		return 0;
	s->may_share =
		s->which == DATA_FORK && inode->inode.ftype == FT_REG && inode->inode.reflink && !s->extent.unwritten;
	find_neighbours(s, &inode->fork[s->which]);
	return array_add(w->v, w->room, w->nsuspects, *s);
}

/* Adds the extents of an inode that may map wrong blocks. 0 or negative errno. */
static int add_suspects(struct extent_place_work *w, const struct found *found, size_t count)
{
	struct suspect s = { .ino = found->place.ino };
	struct mend_inode inode;
	int ret = mend_inode_load(w->m, s.ino, &inode);

	if (ret)
		return mend_left(w->m, found, 1, ret);
	for (s.which = DATA_FORK; s.which <= ATTR_FORK && !ret; s.which++) {
		const struct dinode_fork *fork = &inode.inode.fork[s.which];
		const struct mend_fork *map = &inode.fork[s.which];
		uint64_t extents;

		s.tree = fork->format == FMT_BTREE;
		if (!fork->present || !fork->ok || (fork->format != FMT_EXTENTS && !(s.tree && map->whole)) ||
		    fork->rules.realtime)
			continue;
		extents = s.tree ? map->count : fork->nextents;
		for (s.index = 0; s.index < extents && w->nsuspects <= RANGES_MAX && !ret; s.index++) {
			s.extent = s.tree ? map->extents[s.index]
					  : bmap_record_get(fork->bytes + s.index * sizeof(struct bmbt_rec_disk));
			ret = add_suspect(w, &s, &inode, found, count);
		}
	}
	mend_inode_free(&inode);
	return ret;
}

/* Points an extent of a bmbt to its place, by rewriting the map. 0 or negative errno. */
static int place_in_tree(struct extent_place_work *w, const struct suspect *s)
{
	struct mend_inode inode;
	int ret = mend_inode_load(w->m, s->ino, &inode);

	if (ret)
		return mend_left(w->m, s->found, 1, ret);
	if (s->index < inode.fork[s->which].count &&
	    inode.fork[s->which].extents[s->index].start.v == s->extent.start.v) {
		struct mend_fork *map = &inode.fork[s->which];

		map->extents[s->index].start = s->to;
		ret = mend_fork_store(w->m, &inode, s->which, map->extents, map->count);
		if (!ret && s->which == DATA_FORK)
			mend_guess_data(w->m, inode.ino);
		if (!ret)
			ret = mend_inode_store_done(w->m, &inode, s->found);
	}
	mend_inode_free(&inode);
	return mend_left(w->m, s->found, 1, ret);
}

static int place_extent(struct extent_place_work *w, const struct suspect *s)
{
	struct bmap_record extent = s->extent;
	struct mend_inode inode;
	struct bmbt_rec_disk disk;
	int ret;

	if (s->tree)
		return place_in_tree(w, s);
	ret = mend_inode_decode(w->m, s->ino, &inode);
	if (ret)
		return mend_left(w->m, s->found, 1, ret);
	extent.start = s->to;
	disk = bmap_record_put(&extent);
	memcpy(inode.bytes + (inode.inode.fork[s->which].bytes - inode.bytes) + s->index * sizeof(disk), &disk,
	       sizeof(disk));
	if (s->which == DATA_FORK)
		mend_guess_data(w->m, inode.ino);
	ret = mend_inode_store_done(w->m, &inode, s->found);
	mend_inode_free(&inode);
	return ret;
}

/* Appends the unions of adjacent ranges, because an extent may have been partly shared. 0 or -ENOMEM. */
static int join_ranges(struct unowned_ranges *ranges)
{
	const size_t count = ranges->count;
	struct unowned_range *v = realloc(ranges->v, (2 * count + 1) * sizeof(*v));

	if (!v)
		return -ENOMEM;
	ranges->v = v;
	for (size_t i = 0, n; i < count; i += n) {
		for (n = 1; i + n < count && v[i + n].start == v[i + n - 1].end; n++)
			;
		if (n == 1)
			continue;
		v[ranges->count] = v[i];
		v[ranges->count].end = v[i + n - 1].end;
		v[ranges->count++].shared = true;
	}
	return 0;
}

/* Collects ranges and suspects, and matches them. 0 or negative errno. */
static int collect(struct extent_place_work *w)
{
	const struct geometry *geo = &w->m->now->geo;
	int ret = join_ranges(&w->lost);

	w->fits = calloc(w->lost.count + 1, sizeof(*w->fits));
	w->likely = calloc(w->lost.count + 1, sizeof(*w->likely));
	if (!w->fits || !w->likely)
		ret = -ENOMEM;
	for (size_t i = 0, n; i < w->count && !ret; i += n) {
		n = mend_of_one_inode(&w->found[i], w->count - i);
		if (w->found[i].place.ino.v != NULL_INO && ino_valid(geo, w->found[i].place.ino))
			ret = add_suspects(w, &w->found[i], n);
	}
	for (size_t i = 0; i < w->nsuspects && w->nsuspects <= RANGES_MAX && !ret; i++)
		find_ranges(w, &w->v[i]);
	return ret;
}

int mend_extent_place(struct mend *m, const struct found *found, size_t count)
{
	struct extent_place_work w = { .m = m, .found = found, .count = count };
	int ret = m->now->geo.rmapbt ? 0 : unowned_ranges_of_all(&m->now->geo, found, count, &w.lost);

	m->notes.nwrong = 0;
	if (!ret)
		ret = group_judge_claims(m, found, count);
	if (!ret)
		group_leave_out_doubted(m, &w.lost);
	if (!ret && w.lost.count && w.lost.count <= RANGES_MAX && count <= FINDINGS_MAX)
		ret = collect(&w);
	for (size_t i = 0; i < w.nsuspects && !ret; i++) {
		if (is_only_one(&w, &w.v[i]) && settles_all(&w, &w.v[i]))
			ret = is_later(&w, &w.v[i]) && !collides(&w, &w.v[i]) ? 0 : place_extent(&w, &w.v[i]);
		else
			ret = note_wrong(&w, &w.v[i]);
	}
	free(w.v);
	free(w.fits);
	free(w.likely);
	unowned_ranges_free(&w.lost);
	return ret;
}
