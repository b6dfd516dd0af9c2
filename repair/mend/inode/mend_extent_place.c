/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Without an rmapbt, nothing tells where an extent should lead whose blocks are somebody else's, or free, or not on the
 * device (ondisk 05; 12, S7).  But its own blocks are a run of the same length that nobody has.  An extent is made to
 * lead to a run if neither fits another one, if the run's contents are such as the fork should hold, and if this
 * settles all disputes about the extent's blocks.  An extent that was shifted still has some of its own blocks, and the
 * run has the rest, at one end of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/symlink.h"
#include "libxfs/bmap_build.h"
#include "libxfs/da.h"
#include "mend/lost_runs.h"
#include "mend_inode.h"

/* An extent that may lead to the wrong place. */
struct suspect {
	xino_t ino;
	enum fork which;
	uint32_t index; /* of its record in the inode */
	struct bmap_record extent;
	const struct found *found;
	const struct lost_run *run; /* the last run that fits; NULL: none does */
	fsbno_t to;		    /* where the extent begins if it has that run */
	size_t nruns;		    /* how many runs fit */
};

struct work {
	struct mend *m;
	const struct found *found; /* by inode */
	size_t count;
	struct lost_runs lost;
	size_t *fits; /* per run: how many suspects it fits */
	struct suspect *v;
	size_t nsuspects, room;
};

static bool is_claim(const struct found *found)
{
	return found->problem.finding == F_SPACE_CLAIMED_TWICE || found->problem.finding == F_SPACE_FREE_IN_USE;
}

/* Whether a finding is about an extent that is impossible, so that its blocks are not claimed. */
static bool is_impossible(const struct found *found)
{
	return found->problem.finding == F_BMAP_START || found->problem.finding == F_BMAP_LENGTH ||
	       found->problem.finding == F_BMAP_OFFSET;
}

bool mend_extent_place_may_help(const struct found *found)
{
	return is_claim(found) || found->problem.finding == F_SPACE_LOST || is_impossible(found) ||
	       found->problem.finding == F_INODE_NBLOCKS_XREF;
}

/* Whether an inode counts fewer blocks than its maps have: an extent of it may be too long, and reach over others. */
static bool has_too_many(const struct work *w, uint64_t ino)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct problem *p = &w->found[i].problem;

		if (p->finding == F_INODE_NBLOCKS_XREF && p->got < p->want && w->found[i].place.ino.v == ino)
			return true;
	}
	return false;
}

/* Whether a finding is about blocks of this fork. */
static bool is_of(const struct found *found, xino_t ino, enum fork which)
{
	return found->place.ino.v == ino.v && found->place.agno.v != NO_AGNO &&
	       found->place.object == (which == DATA_FORK ? OBJ_DATA_FORK : OBJ_ATTR_FORK);
}

/* How many of the extent's blocks [from, from + len) are free or somebody else's, too; no two findings overlap. */
static uint64_t disputed(const struct work *w, const struct suspect *s, uint64_t from, uint64_t len)
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
			continue; /* the finding is about another extent */
		first = first < from ? from : first;
		end = end > from + len ? from + len : end;
		sum += end > first ? end - first : 0;
	}
	return sum;
}

/* Whether nobody who has a claim on the extent's blocks has disputes with anybody else. */
static bool settles_all(const struct work *w, const struct suspect *s)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct found *found = &w->found[i];

		if (found->problem.finding != F_SPACE_CLAIMED_TWICE || found->place.ino.v != s->ino.v ||
		    found->problem.want == s->ino.v)
			continue;
		for (size_t k = 0; k < w->count; k++)
			if (is_claim(&w->found[k]) && w->found[k].place.ino.v == found->problem.want &&
			    (w->found[k].problem.finding != F_SPACE_CLAIMED_TWICE ||
			     w->found[k].problem.want != s->ino.v))
				return false;
	}
	return true;
}

/* Whether the contents of a block may be those that the fork should have where the extent begins. */
static bool holds(const struct work *w, const struct suspect *s, fsbno_t fsbno)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t *block = malloc(geo->block_size);
	struct mend_inode inode;
	bool is = false;

	if (block && !mend_read(w->m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size) &&
	    !mend_inode_decode(w->m, s->ino, &inode)) {
		const enum da_magic magic = da_identify(&check, block, geo->block_size);
		const bool first = !s->extent.off.v;
		const bool symlink = be32_get(((const struct symlink_disk *)block)->magic) == SYMLINK_MAGIC;

		if (s->which == ATTR_FORK)
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

/*
 * Whether the extent may begin at block `to`: it then has all of the run, and beside that only blocks that it has now
 * and that nobody else has.
 */
static bool fits(const struct work *w, const struct suspect *s, const struct lost_run *run, uint64_t to)
{
	const uint64_t len = s->extent.len, lost = run->end - run->start;
	const uint64_t rest = to == run->start ? run->end : to; /* where the blocks begin that it keeps */

	if (lost > len || agno_of_fsbno(&w->m->now->geo, (fsbno_t){ to }).v !=
				  agno_of_fsbno(&w->m->now->geo, (fsbno_t){ run->start }).v)
		return false;
	if (is_impossible(s->found))
		return lost == len;
	if (lost < len && (rest < s->extent.start.v || rest + len - lost > s->extent.start.v + len ||
			   disputed(w, s, rest, len - lost)))
		return false;
	return disputed(w, s, s->extent.start.v, len) == lost;
}

/* Find the runs that fit a suspect. */
static void find_runs(struct work *w, struct suspect *s)
{
	for (size_t i = 0; i < w->lost.count; i++) {
		const struct lost_run *run = &w->lost.v[i];
		const uint64_t to[] = { run->start, run->end - s->extent.len };

		for (unsigned k = 0; k < (to[0] != to[1] ? 2u : 1u); k++) {
			if (!fits(w, s, run, to[k]) || !holds(w, s, (fsbno_t){ to[k] }))
				continue;
			s->run = run;
			s->to.v = to[k];
			s->nruns++;
			w->fits[i]++;
		}
	}
}

/* Whether a finding casts doubt on where the extent begins. */
static bool is_about(const struct work *w, const struct found *found, const struct suspect *s)
{
	if (!is_of(found, s->ino, s->which))
		return false;
	if (is_impossible(found))
		return found->problem.index == s->index;
	if (found->problem.finding == F_SPACE_CLAIMED_TWICE && has_too_many(w, found->problem.want) &&
	    (found->problem.want == s->ino.v || !has_too_many(w, s->ino.v)))
		return false;
	return is_claim(found) && found->place.fileoff.v >= s->extent.off.v &&
	       found->place.fileoff.v < s->extent.off.v + s->extent.len;
}

/* Add the extents of an inode that may lead to the wrong place. 0 or negative errno. */
static int add_suspects(struct work *w, const struct found *found, size_t count)
{
	struct suspect s = { .ino = found->place.ino };
	struct mend_inode inode;
	int ret = mend_inode_load(w->m, s.ino, &inode);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (s.which = DATA_FORK; s.which <= ATTR_FORK && !ret; s.which++) {
		const struct dinode_fork *fork = &inode.inode.fork[s.which];

		if (!fork->present || !fork->ok || fork->format != FMT_EXTENTS || fork->rules.realtime)
			continue;
		for (s.index = 0; s.index < fork->nextents && !ret; s.index++) {
			s.extent = bmap_record_get(fork->bytes + s.index * sizeof(struct bmbt_rec_disk));
			s.found = NULL;
			for (size_t i = 0; i < count && !s.found; i++)
				if (is_about(w, &found[i], &s))
					s.found = &found[i];
			if (!s.found ||
			    (is_impossible(s.found) &&
			     !mend_extent_guess(&w->m->now->geo, &inode, s.which, s.index, &s.extent)) ||
			    !s.extent.len)
				continue;
			ret = array_grow(&w->v, &w->room, w->nsuspects, sizeof(*w->v));
			if (!ret)
				w->v[w->nsuspects++] = s;
		}
	}
	mend_inode_free(&inode);
	return ret;
}

static int mend_one(struct work *w, const struct suspect *s)
{
	struct bmap_record extent = s->extent;
	struct mend_inode inode;
	struct bmbt_rec_disk disk;
	int ret = mend_inode_decode(w->m, s->ino, &inode);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	extent.start = s->to;
	disk = bmap_record_put(&extent);
	memcpy(inode.bytes + (inode.inode.fork[s->which].bytes - inode.bytes) + s->index * sizeof(disk), &disk,
	       sizeof(disk));
	ret = mend_inode_store(w->m, &inode);
	if (!ret)
		mend_done(w->m, s->found);
	mend_inode_free(&inode);
	return ret;
}

#define RUNS_MAX     64u   /* with more lost runs, or suspects, much fits by chance */
#define FINDINGS_MAX 1000u /* the search takes the square of their number */

int mend_extent_place(struct mend *m, const struct found *found, size_t count)
{
	struct work w = { .m = m, .found = found, .count = count };
	int ret = m->now->geo.rmapbt ? 0 : lost_runs_of(&m->now->geo, found, count, &w.lost);

	if (ret || !w.lost.count || w.lost.count > RUNS_MAX || count > FINDINGS_MAX) {
		lost_runs_free(&w.lost);
		return ret;
	}
	w.fits = calloc(w.lost.count, sizeof(*w.fits));
	ret = w.fits ? 0 : -ENOMEM;
	for (size_t i = 0, n; i < count && !ret; i += n) {
		n = mend_of_one_inode(&found[i], count - i);
		if (found[i].place.ino.v != NULL_INO && ino_valid(&m->now->geo, found[i].place.ino))
			ret = add_suspects(&w, &found[i], n);
	}
	for (size_t i = 0; i < w.nsuspects && w.nsuspects <= RUNS_MAX && !ret; i++)
		find_runs(&w, &w.v[i]);
	for (size_t i = 0; i < w.nsuspects && !ret; i++)
		if (w.v[i].nruns == 1 && w.fits[w.v[i].run - w.lost.v] == 1 && settles_all(&w, &w.v[i]))
			ret = mend_one(&w, &w.v[i]);
	free(w.v);
	free(w.fits);
	lost_runs_free(&w.lost);
	return ret;
}
