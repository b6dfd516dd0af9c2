/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds the inobt and finobt of AGs, and the AGI fields about inodes, from all sources of inodes (mend_chunks.h).
 * This is only likely in version 4, where inodes have neither number nor checksum.  The space btrees don't list the new
 * blocks yet: the next check finds that.
 */
#include <errno.h>
#include <stdlib.h>

#include "check/books/books.h"
#include "check/walk/walker.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/base/menders.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_inode.h"
#include "mend/collect/mend_object.h"
#include "mend_ag.h"
#include "mend_chunks.h"
#include "repair.h"

struct tree_room {
	struct mend *m;
	agno_t agno;
	const struct mend_survey *survey;
	const struct facts_chunks *chunks; /* all chunks of the AG, as they will be */
	bool claims_known;		   /* the survey has the claims of all inodes */
	bool closer;			   /* the survey was made for this purpose: there is no better one */
};

/* Finds blocks for new inode btrees, with the most reliable source of free blocks first. */

/* Which unclaimed blocks may be used for new btrees. */
enum witness {
	BY_TREES,  /* those that are free in the bnobt and have no owner in the rmapbt */
	BY_RMAPBT, /* those without an owner in the rmapbt, which lists blocks of unreadable maps */
	BY_CLAIMS, /* all */
};

/* Gets the usable blocks. 0 or -ENOMEM; free the map in any case. */
static int find_free(const struct tree_room *r, enum witness by, struct block_map *map)
{
	const struct geometry *geo = &r->m->now->geo;
	const struct survey_ag *ag = &r->survey->ags[r->agno.v];
	int ret = block_map_new(map, 0, ag_length(geo, r->agno));

	if (ret)
		return ret;
	if (by == BY_TREES)
		block_map_unite(map, &ag->free);
	else
		block_map_set(map, 0, map->to, true);
	block_map_subtract(map, &ag->claimed);
	if (by != BY_CLAIMS)
		block_map_subtract(map, &ag->mapped);
	for (size_t i = 0; i < r->chunks->count; i++)
		mend_chunks_mark(geo, &r->chunks->v[i], map, false);
	return 0;
}

/* Takes the first run of `need` blocks or, if there is none, the first blocks. False: too few. */
static bool take_of_map(const struct block_map *map, uint64_t *blocks, uint32_t need)
{
	uint32_t run = 0, n = 0;

	for (uint64_t b = 0; b < map->to; b++) {
		run = block_map_get(map, b) ? run + 1 : 0;
		if (run < need)
			continue;
		for (uint32_t i = 0; i < need; i++)
			blocks[i] = b + 1 - need + i;
		return true;
	}
	for (uint64_t b = 0; b < map->to && n < need; b++)
		if (block_map_get(map, b))
			blocks[n++] = b;
	return n == need;
}

/* Likewise from the blocks of this source. 0, -ENOSPC or -ENOMEM. */
static int take_free(const struct tree_room *r, enum witness by, uint64_t *blocks, uint32_t need)
{
	struct block_map map;
	int ret = find_free(r, by, &map);

	if (!ret && !take_of_map(&map, blocks, need))
		ret = -ENOSPC;
	block_map_free(&map);
	return ret;
}

/*
 * Takes blocks of the old inode btrees without other claims: their contents are lost, or can be derived from inodes.
 * 0, -ENOSPC or another negative errno.
 */
static int take_old(const struct tree_room *r, uint64_t *blocks, uint32_t need)
{
	struct mend_evidence evidence;
	struct block_map map;
	size_t count = 0;
	const struct use *claims = NULL;
	int ret = mend_evidence_of_group(r->m, group_of_ag(r->agno), MEND_CLAIMS, &evidence);

	if (!ret)
		ret = block_map_new(&map, 0, ag_length(&r->m->now->geo, r->agno));
	if (ret) {
		mend_evidence_free(&evidence);
		return ret;
	}
	claims = mend_evidence_claims(&evidence, group_of_ag(r->agno), &count);
	for (size_t i = 0; i < count; i++)
		if (claims[i].owner == OWNER_INOBT)
			block_map_set(&map, claims[i].start, claims[i].len, true);
	for (size_t i = 0; i < count; i++)
		if (claims[i].owner != OWNER_INOBT)
			block_map_set(&map, claims[i].start, claims[i].len, false);
	for (size_t i = 0; i < r->chunks->count; i++)
		mend_chunks_mark(&r->m->now->geo, &r->chunks->v[i], &map, false);
	/* the survey has more claims, those of newly found inodes */
	block_map_subtract(&map, &r->survey->ags[r->agno.v].others);
	if (!take_of_map(&map, blocks, need))
		ret = -ENOSPC;
	block_map_free(&map);
	mend_evidence_free(&evidence);
	return ret;
}

/*
 * Finds `need` blocks for new btrees, in ascending order, from unclaimed blocks: first those that are free in the bnobt
 * and have no owner in the rmapbt.  If the survey has the claims of all inodes, those without an owner in the rmapbt
 * will do.  With the closer survey, the old btrees' own blocks follow, then any, though inodes with lost maps may own
 * some.  0, -ENOSPC or another negative errno.
 */
static int tree_room_find(const struct tree_room *r, uint64_t *blocks, uint32_t need)
{
	const bool rmapbt = r->m->now->geo.rmapbt;
	int ret = take_free(r, BY_TREES, blocks, need);

	if (ret == -ENOSPC && rmapbt && r->claims_known)
		ret = take_free(r, BY_RMAPBT, blocks, need);
	if (ret == -ENOSPC && r->closer)
		ret = take_old(r, blocks, need);
	return ret == -ENOSPC && r->closer ? take_free(r, BY_CLAIMS, blocks, need) : ret;
}

struct ag_inodes_work {
	struct mend *m;
	const struct found **why;    /* per AG: the finding that it is mended for; NULL: nothing to do */
	enum inobt_trust *trust;     /* per AG */
	bool *rebuilt;		     /* per AG */
	struct facts_chunks *chunks; /* per AG: all its chunks, with new records */
	struct facts_chunks *more;   /* per AG: chunks with inodes in use whose claims are not in `survey` */
	const struct found **gone;   /* per AG: a finding that its inobt may list chunks that are gone; or NULL */
	const struct found
		*vain; /* the first finding that an inobt may lack inodes with directory entries; NULL: none */
	bool any_more; /* any examined AG has such chunks */
	bool adopted;  /* `survey` came with the last check */
	struct mend_survey survey;
	bool *lacking;		   /* per AG: `survey` has too few free blocks for its new btrees */
	struct mend_survey closer; /* of these AGs, with the claims of newly found inodes; empty: not made yet */
};

/* ---- which AGs have wrong inode btrees, by findings and by the contents of their blocks ---- */

/* True if a finding is about a reference to a missing inode: only the contents of its place tell more. */
static bool leads_in_vain(const struct found *found)
{
	return mend_chunks_missing(found).v != NULL_INO;
}

/* True if a finding may mean that the inobt lacks chunks, even if it is whole. */
static bool tells_of_loss(const struct found *why)
{
	switch (why->problem.finding) {
	case F_AGI_COUNT_COUNT:
		return true;
	default: /* mend_ag_inodes_anew(): something refers to recreated inodes, perhaps in new chunks */
		return why->place.object == OBJ_INOBT || leads_in_vain(why);
	}
}

/* True if the finding is only about a single inode being in use or free. */
static bool is_about_usage(const struct found *why)
{
	return (why->problem.finding == F_INODE_FREE_IN_USE || why->problem.finding == F_INODE_USED_BUT_FREE) &&
	       why->place.ino.v != NULL_INO;
}

/* Returns how far the inobt is trusted at most, despite such a finding. */
static enum inobt_trust trust_despite(const struct found *why)
{
	if (tells_of_loss(why))
		return INOBT_LOSSY;
	return is_about_usage(why) ? INOBT_BUT_USAGE : INOBT_WHOLE;
}

/*
 * True if a file also claims a block of the btrees that really is theirs by its contents: the file gives it up
 * (mend_inode_dispute.c).
 */
static bool is_files_fault(const struct ag_inodes_work *w, const struct found *found)
{
	return found->problem.finding == F_SPACE_CLAIMED_TWICE && found->problem.want < OWNER_COW &&
	       mend_is_tree_block(w->m, fsbno_of(&w->m->now->geo, found->place.agno, found->place.agbno));
}

/* Notes a finding about the inode btrees of an AG. 0 or -ENOMEM. */
static int ag_inodes_doubt(struct ag_inodes_work *w, const struct found *found)
{
	const uint32_t ag = found->place.agno.v;
	int ret = 0;

	if (ag >= w->m->now->geo.agcount || is_files_fault(w, found))
		return 0;
	if (trust_despite(found) < w->trust[ag])
		w->trust[ag] = trust_despite(found);
	/* a damaged inobt is the most important finding */
	if (!w->why[ag] || found->place.object == OBJ_INOBT)
		w->why[ag] = found;
	if (!is_about_usage(found))
		return 0;
	/* it was deleted, but that write was lost */
	if (found->problem.finding == F_INODE_USED_BUT_FREE &&
	    inode_is_older_than_inobt(w->m, found->place.ino, true)) {
		mend_drop_inode(w->m, found->place.ino, DROP_OUTDATED);
		ret = inode_doubt_stale(w->m, found->place.ino, (lsn_t){ 0 });
	}
	return ret ? ret : mend_chunks_doubt_usage(w->m, found->place.ino);
}

/* Notes that the inobt of an AG may list chunks that are gone, if the AG's space account does not balance. */
static void suspect(struct ag_inodes_work *w, const struct found *found)
{
	const agno_t agno = found->place.agno;

	if (agno.v < w->m->now->geo.agcount && accounts_unbalanced(w->m->now, group_of_ag(agno), ACCOUNT_SPACE))
		w->gone[agno.v] = found;
}

/* Sets wanted[] for AGs in doubt, or with inodes in m->round.named. False: none. */
static bool ag_inodes_want(const struct ag_inodes_work *w, bool *wanted)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct ino_set *named = &w->m->round.named;
	xino_t *inos = ino_set_sorted(named);
	bool any = false;

	for (size_t i = 0; inos && i < ino_set_count(named); i++)
		wanted[agno_of_ino(geo, inos[i]).v] = true;
	free(inos);
	for (uint32_t ag = 0; ag < geo->agcount; ag++) {
		wanted[ag] |= w->why[ag] || w->gone[ag];
		any |= wanted[ag];
	}
	return any;
}

/* With w->survey: doubts the AGs that lack named inodes. 0 or -ENOMEM. */
static int ag_inodes_doubt_lacking(struct ag_inodes_work *w)
{
	const struct ino_set *named = &w->m->round.named;
	int ret = ino_set_count(named) ? mend_chunks_drop_given_up(w->m, &w->survey) : 0;
	xino_t *inos = ino_set_count(named) && !ret ? ino_set_sorted(named) : NULL;

	for (size_t i = 0; inos && i < ino_set_count(named) && !ret; i++) {
		const uint32_t ag = agno_of_ino(&w->m->now->geo, inos[i]).v;

		ret = group_note_old(w->m, (agno_t){ ag });
		w->trust[ag] = INOBT_LOSSY;
		w->why[ag] = w->why[ag] ? w->why[ag] : w->vain;
	}
	ret = ino_set_count(named) && !ret && !inos ? -ENOMEM : ret;
	free(inos);
	return ret;
}

/* Likewise, those with chunks that are gone. 0 or negative errno. */
static int ag_inodes_doubt_gone(struct ag_inodes_work *w)
{
	const struct geometry *geo = &w->m->now->geo;
	bool *groups = calloc(geo->agcount, sizeof(*groups)), any = false;
	int ret = groups ? 0 : -ENOMEM;
	xino_t *inos = NULL;

	for (uint32_t ag = 0; ag < geo->agcount && !ret; ag++) {
		groups[ag] = w->gone[ag] || group_is_old(w->m, (agno_t){ ag });
		any |= groups[ag];
	}
	if (any)
		ret = mend_chunks_find_gone(w->m, &w->survey, groups);
	free(groups);
	if (!ret && ino_set_count(&w->m->round.gone))
		inos = ino_set_sorted(&w->m->round.gone);
	for (size_t i = 0; inos && i < ino_set_count(&w->m->round.gone) && !ret; i++) {
		const agno_t agno = agno_of_ino(geo, inos[i]);

		ret = group_note_old(w->m, agno);
		w->trust[agno.v] = INOBT_LOSSY;
		w->why[agno.v] = w->why[agno.v] ? w->why[agno.v] : w->gone[agno.v];
	}
	free(inos);
	return ret;
}

/*
 * Notes the AGs whose inode btrees are wrong according to findings, how far each is trusted, and which may have chunks
 * that are gone; searches for missing inodes.  0 or negative errno.
 */
static int ag_inodes_doubt_all(struct ag_inodes_work *w, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const bool vain = leads_in_vain(&found[i]);

		if (mend_chunks_may_be_gone(&found[i]))
			suspect(w, &found[i]);
		else if (!vain && !mend_inode_lost_mode(&found[i]))
			ret = ag_inodes_doubt(w, &found[i]);
		if (!w->vain && (vain || found[i].problem.finding == F_INODE_USED_BUT_FREE))
			w->vain = &found[i];
	}
	return ret || !w->vain ? ret : mend_chunks_find_named(w->m, found, count);
}

/* True if only the AGI's count is wrong: that is the finding, and there are no more chunks than in the inobt. */
static bool inobt_is_right(const struct ag_inodes_work *w, agno_t agno)
{
	size_t count, known = 0;
	const struct chunk_fact *chunks = mend_survey_chunks(&w->survey, agno, &count);

	for (size_t i = 0; i < count; i++)
		known += chunks[i].kind == BT_INO;
	return w->why[agno.v]->problem.finding == F_AGI_COUNT_COUNT && w->chunks[agno.v].count == known;
}

static int set_counts(struct ag_inodes_work *w, agno_t agno)
{
	const struct ag_state *ag = &w->m->now->traverse->ags[agno.v];
	const struct ag_writer writer = mend_writer(w->m);
	struct agi agi = w->survey.agis[agno.v];
	int ret;

	agi.count = (uint32_t)ag->inodes;
	agi.freecount = (uint32_t)ag->free_inodes;
	ret = mend_agi_header(&w->m->now->geo, agno, &agi, &writer);
	if (!ret)
		mend_done(w->m, w->why[agno.v]);
	return ret;
}

/* Writes the btrees: in place if possible, else to other blocks. 0, -ENOSPC or another negative errno. */
static int write_trees(struct ag_inodes_work *w, agno_t agno, bool *ret_edited)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct ag_contents c = { .agno = agno,
				       .chunks = w->chunks[agno.v].v,
				       .nchunks = w->chunks[agno.v].count,
				       .agi = (w->closer.agis ? &w->closer : &w->survey)->agis[agno.v] };
	const bool closer = mend_survey_has(&w->closer, agno);
	const struct tree_room room = { .m = w->m,
					.agno = agno,
					.survey = closer ? &w->closer : &w->survey,
					.chunks = &w->chunks[agno.v],
					.claims_known = closer || !w->any_more,
					.closer = closer };
	const struct ag_writer writer = mend_writer(w->m);
	uint32_t need = mend_ag_inode_blocks(geo, &c);
	uint64_t *blocks;
	int ret = room.claims_known ? mend_ag_edit_inodes(w->m, &c, mend_survey_maps(room.survey, agno)) : -EINVAL;

	*ret_edited = !ret;
	if (ret != -EINVAL && ret != -ENOSPC)
		return ret;
	blocks = calloc(need + 1, sizeof(*blocks));
	ret = -ENOMEM;
	if (blocks)
		ret = need ? tree_room_find(&room, blocks, need) : -ENOSPC;
	if (!ret)
		ret = mend_ag_inode_trees(geo, &c, blocks, &writer);
	for (uint32_t i = 0; i < need && !ret; i++) {
		const fsbno_t block = fsbno_of(geo, agno, (agbno_t){ (uint32_t)blocks[i] });

		mend_survey_claim(&w->survey, agno, (agbno_t){ (uint32_t)blocks[i] }, 1);
		ret = mend_space_take_this(w->m, block);
	}
	free(blocks);
	return ret;
}

static int rebuild(struct ag_inodes_work *w, agno_t agno)
{
	/* newly found inodes may own any block that is free in the bnobt, which may be as old as the inobt */
	const bool too_early = w->any_more && !mend_survey_has(&w->closer, agno);
	const enum sure sure = w->m->now->geo.crc ? SURE_CERTAIN : SURE_LIKELY;
	bool edited = false;
	int ret = too_early ? -ENOSPC : write_trees(w, agno, &edited);

	if (!ret && edited)
		mend_done_so(w->m, w->why[agno.v], sure, "inode btrees of the AG corrected");
	else if (!ret)
		mend_done_sure(w->m, w->why[agno.v], sure);
	w->rebuilt[agno.v] = !ret;
	w->lacking[agno.v] = ret == -ENOSPC;
	return mend_left(w->m, w->why[agno.v], 1, ret);
}

/* True if the survey has the claims of a chunk's inodes: all that are in use now are in use in the old record, too. */
static bool is_surveyed(const struct inobt_record *now, const struct inobt_record *before)
{
	return !(inobt_existing(now->holemask) & ~now->free & ~(inobt_existing(before->holemask) & ~before->free));
}

/* Sets w->more of an AG: chunks with inodes in use whose claims the survey lacks. 0 or -ENOMEM. */
static int find_more(struct ag_inodes_work *w, agno_t agno)
{
	static const struct inobt_record none = { .free = UINT64_MAX };
	const struct facts_chunks *all = &w->chunks[agno.v];
	struct inobt_record *more = calloc(all->count + 1, sizeof(*more));
	size_t count, n = 0, at = 0;
	const struct chunk_fact *before = mend_survey_chunks(&w->survey, agno, &count);

	if (!more)
		return -ENOMEM;
	for (size_t i = 0; i < all->count; i++) {
		const struct inobt_record *chunk = &all->v[i];
		bool known;

		while (at < count && (before[at].kind != BT_INO || before[at].record.start.v < chunk->start.v))
			at++;
		known = at < count && before[at].record.start.v == chunk->start.v;
		if (!is_surveyed(chunk, known ? &before[at].record : &none))
			more[n++] = *chunk;
	}
	w->more[agno.v] = (struct facts_chunks){ more, n };
	w->any_more |= n != 0;
	return 0;
}

/* Sets w->chunks and w->more of an AG. 0 or negative errno. */
static int find_chunks(struct ag_inodes_work *w, agno_t agno)
{
	struct inobt_record *chunks = NULL;
	size_t count = 0;
	int ret = mend_chunks_find(w->m, &w->survey, agno, w->trust[agno.v], &chunks, &count);

	w->chunks[agno.v] = (struct facts_chunks){ chunks, count };
	return ret ? ret : find_more(w, agno);
}

static int mend_group(struct ag_inodes_work *w, agno_t agno)
{
	return inobt_is_right(w, agno) ? set_counts(w, agno) : rebuild(w, agno);
}

/* Calls step() for each AG to mend. one_by_one: makes a survey for each, because one of all takes too much memory. */
static int each_group(struct ag_inodes_work *w, bool one_by_one, int (*step)(struct ag_inodes_work *w, agno_t agno))
{
	const struct repair *now = w->m->now;
	int ret = 0;

	for (uint32_t ag = 0; ag < now->geo.agcount && !ret; ag++) {
		if (!w->why[ag])
			continue;
		if (one_by_one) {
			mend_survey_free(&w->survey);
			ret = mend_survey_of_ag(w->m, (agno_t){ ag }, NULL, &w->survey);
		}
		if (ret == -E2BIG) {
			mend_not_rebuilt(w->m, (agno_t){ ag }, "that needs more memory than there is");
			w->why[ag] = NULL;
			ret = 0;
			continue;
		}
		if (!ret)
			ret = step(w, (agno_t){ ag });
	}
	return ret;
}

/*
 * Retries the AGs that had too few blocks, with a survey that includes newly found inodes.  The btrees of an AG take
 * blocks of that AG only, so one survey serves all; if it takes too much memory, each AG gets its own.
 */
static int rebuild_lacking(struct ag_inodes_work *w)
{
	const uint32_t agcount = w->m->now->geo.agcount;
	bool any = false, one_by_one;
	int ret;

	for (uint32_t ag = 0; ag < agcount; ag++)
		any |= w->lacking[ag];
	ret = any ? mend_survey(w->m, w->lacking, w->more, &w->closer) : 0;
	one_by_one = ret == -E2BIG;
	if (one_by_one)
		ret = 0;
	for (uint32_t ag = 0; ag < agcount && !ret; ag++) {
		if (!w->lacking[ag])
			continue;
		if (one_by_one) {
			mend_survey_free(&w->closer);
			ret = mend_survey_of_ag(w->m, (agno_t){ ag }, w->more, &w->closer);
		}
		if (!ret)
			ret = rebuild(w, (agno_t){ ag });
		ret = mend_left(w->m, w->why[ag], 1, ret);
	}
	return ret;
}

/* If the inodes of all AGs are known now, adds findings that correct the superblock's counts. 0 or -ENOMEM. */
static int counts_follow(struct ag_inodes_work *w)
{
	uint64_t inodes = 0, free_inodes = 0;
	bool any = false;
	int ret;

	for (uint32_t i = 0; i < w->m->now->geo.agcount; i++) {
		const struct ag_state *ag = &w->m->now->traverse->ags[i];

		any |= w->rebuilt[i];
		if (!w->rebuilt[i] && !ag_tree_whole(ag, BT_INO))
			return 0;
		if (!w->rebuilt[i]) {
			inodes += ag->inodes;
			free_inodes += ag->free_inodes;
		}
		for (size_t k = 0; w->rebuilt[i] && k < w->chunks[i].count; k++) {
			inodes += w->chunks[i].v[k].count;
			free_inodes += w->chunks[i].v[k].freecount;
		}
	}
	ret = any ? mend_follows_count(w->m, F_SB_ICOUNT_COUNT, inodes) : 0;
	return ret || !any ? ret : mend_follows_count(w->m, F_SB_IFREE_COUNT, free_inodes);
}

/* True if the inobt had the same chunks before, so that the survey has all claims. Masks of free inodes may differ. */
static bool same_chunks(const struct ag_inodes_work *w, agno_t agno)
{
	const struct facts_chunks *now = &w->chunks[agno.v];
	size_t count, n = 0;
	const struct chunk_fact *before = mend_survey_chunks(&w->survey, agno, &count);

	for (size_t i = 0; i < count; i++) {
		if (before[i].kind != BT_INO)
			continue;
		if (n == now->count || now->v[n].start.v != before[i].record.start.v ||
		    now->v[n].holemask != before[i].record.holemask)
			return false;
		n++;
	}
	return n == now->count;
}

/* Returns the survey that came with the check to m, if it has the claims of all inodes. 0 or -ENOMEM. */
static int return_survey(struct ag_inodes_work *w)
{
	bool same = w->adopted;

	for (uint32_t ag = 0; ag < w->m->now->geo.agcount && same; ag++)
		same = !w->why[ag] || same_chunks(w, (agno_t){ ag });
	return same ? mend_survey_return(w->m, &w->survey) : 0;
}

/* Surveys these AGs. *one_by_one: all at once take too much memory. 0 or negative errno. */
static int survey(struct ag_inodes_work *w, const bool *wanted, bool *one_by_one)
{
	int ret = 0;

	w->adopted = mend_survey_adopt(w->m, wanted, &w->survey);
	if (!w->adopted)
		ret = mend_survey(w->m, wanted, NULL, &w->survey);
	*one_by_one = ret == -E2BIG;
	return *one_by_one ? 0 : ret;
}

/* Mends the AGs in w->why, and those whose inobts turn out to lack inodes or to have too many chunks. */
static int run(struct ag_inodes_work *w)
{
	bool *wanted = calloc(w->m->now->geo.agcount, sizeof(*wanted)), one_by_one = false;
	const bool any = wanted && ag_inodes_want(w, wanted);
	int ret = wanted ? 0 : -ENOMEM;

	if (any)
		ret = survey(w, wanted, &one_by_one);
	free(wanted);
	if (ret || !any)
		return ret;
	ret = ag_inodes_doubt_lacking(w);
	if (!ret)
		ret = ag_inodes_doubt_gone(w);
	/* all chunks first: inodes of one AG have blocks in others */
	if (!ret)
		ret = each_group(w, one_by_one, find_chunks);
	if (!ret)
		ret = each_group(w, one_by_one, mend_group);
	if (!ret)
		ret = rebuild_lacking(w);
	if (!ret)
		ret = counts_follow(w);
	return ret ? ret : return_survey(w);
}

static struct ag_inodes_work work_new(struct mend *m)
{
	uint32_t agcount = m->now->geo.agcount;

	return (struct ag_inodes_work){ .m = m,
					.why = calloc(agcount, sizeof(const struct found *)),
					.gone = calloc(agcount, sizeof(const struct found *)),
					.chunks = calloc(agcount, sizeof(struct facts_chunks)),
					.more = calloc(agcount, sizeof(struct facts_chunks)),
					.trust = calloc(agcount, sizeof(enum inobt_trust)),
					.rebuilt = calloc(agcount, sizeof(bool)),
					.lacking = calloc(agcount, sizeof(bool)) };
}

static void work_free(struct ag_inodes_work *w)
{
	for (uint32_t ag = 0; ag < w->m->now->geo.agcount; ag++) {
		free(w->chunks ? (void *)w->chunks[ag].v : NULL);
		free(w->more ? (void *)w->more[ag].v : NULL);
	}
	mend_survey_free(&w->survey);
	mend_survey_free(&w->closer);
	free((void *)w->why);
	free((void *)w->gone);
	free(w->chunks);
	free(w->more);
	free(w->trust);
	free(w->rebuilt);
	free(w->lacking);
}

/* Starts mending AGs. 0 or -ENOMEM; call work_free() in any case. */
static int work_begin(struct ag_inodes_work *w)
{
	if (!w->why || !w->gone || !w->chunks || !w->more || !w->trust || !w->rebuilt || !w->lacking)
		return -ENOMEM;
	for (uint32_t ag = 0; ag < w->m->now->geo.agcount; ag++)
		w->trust[ag] = ag_tree_whole(&w->m->now->traverse->ags[ag], BT_INO) ? INOBT_BUT_USAGE : INOBT_WHOLE;
	return 0;
}

bool mend_ag_inodes_wants(const struct found *found)
{
	/* the inobt is wrong if a missing inode does exist, or if a chunk has no inodes */
	return mend_chunks_missing(found).v != NULL_INO || mend_chunks_may_be_gone(found);
}

int mend_ag_inodes(struct mend *m, const struct found *found, size_t count)
{
	struct ag_inodes_work w = work_new(m);
	int ret = work_begin(&w);

	if (!ret)
		ret = ag_inodes_doubt_all(&w, found, count);
	if (!ret)
		ret = run(&w);
	work_free(&w);
	return mend_left(m, found, count, ret);
}

int mend_ag_inodes_anew(struct mend *m, const struct found *found)
{
	struct ag_inodes_work w = work_new(m);
	int ret = work_begin(&w);

	if (!ret)
		ret = ag_inodes_doubt(&w, found);
	if (!ret)
		ret = run(&w);
	work_free(&w);
	return mend_left(m, found, 1, ret);
}

int mend_ag_inodes_add(struct mend *m, agno_t agno, const struct inobt_record *more, size_t count)
{
	struct ag_inodes_work w = work_new(m);
	struct inobt_record *chunks = NULL;
	size_t nchunks = 0;
	bool edited;
	int ret;

	ret = work_begin(&w);
	if (!ret)
		ret = mend_survey_of_ag(m, agno, NULL, &w.survey);
	if (!ret)
		ret = mend_chunks_find(m, &w.survey, agno, INOBT_WHOLE, &chunks, &nchunks);
	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_chunks_add(&chunks, &nchunks, &more[i]);
	w.chunks[agno.v] = (struct facts_chunks){ chunks, nchunks };
	if (!ret)
		ret = find_more(&w, agno);
	if (!ret)
		ret = write_trees(&w, agno, &edited);
	if (ret == -ENOSPC)
		ret = mend_survey_of_ag(m, agno, w.more, &w.closer);
	if (!ret && w.closer.ags)
		ret = write_trees(&w, agno, &edited);
	work_free(&w);
	if (!ret) /* the survey of the check lacks these chunks, and so would btrees built from it */
		mend_space_forget_survey(m);
	return ret == -E2BIG ? -ENOSPC : ret;
}
