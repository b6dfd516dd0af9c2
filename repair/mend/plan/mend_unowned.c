/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds unowned blocks, which belonged to files whose inodes or maps are lost.  A survey, with a bit per block, shows
 * them just like a comparison of records does (locate_space.c), with a record per use.  But it does not show whose
 * claims conflict, so it is used only if no claims do, and all claims are known.  Claims of AG btrees that will be
 * rebuilt may be unknown: no mender treats the contents of their blocks as directory entries.
 */
#include "mend_run.h"

#include "check/books/books.h"
#include "damage.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "mend/collect/mend_survey.h"
#include "repair.h"
#include "run.h"
#include "check/walk/walker.h"

/* True if part of an inobt or a free list is unknown, so that some of their blocks are, too. */
static bool places_unknown(const struct traverse *t)
{
	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		if (!t->ags[ag].have_agi || !t->ags[ag].have_agfl || t->ags[ag].tree[BT_INO].gap)
			return true;
	return false;
}

/* True if the survey knows all blocks of an inode by now; they are reported to it if readable. */
static bool blocks_known_now(struct mend *m, xino_t ino, int *error)
{
	if (!ino_set_has(&m->round.blocks_reported, ino))
		*error = mend_inode_claims(m, ino);
	return !*error && ino_set_has(&m->round.blocks_reported, ino);
}

/* True if the check knew the blocks of all inodes; now: or if the others are known by now. */
static bool inodes_known(struct mend *m, bool now, int *error)
{
	const struct traverse *t = m->now->traverse;

	for (unsigned i = 0; i < t->nwalkers; i++)
		for (size_t k = 0; k < t->walkers[i]->ngaps; k++)
			if (t->walkers[i]->gaps[k].what & GAP_CLAIMS &&
			    !(now && blocks_known_now(m, t->walkers[i]->gaps[k].ino, error)))
				return false;
	return true;
}

/* Clears blocks with unknown reference counts in a map of doubtful ones: they may be shared. */
static void clear_unknown(const struct traverse *t, agno_t agno, struct block_map *again)
{
	for (unsigned i = 0; i < t->nwalkers; i++) {
		const struct walker *w = t->walkers[i];

		for (size_t k = 0; k < w->ntree_gaps; k++) {
			const struct tree_gap *gap = &w->tree_gaps[k];

			if (gap->kind == BT_REFC && gap->group.v == group_of_ag(agno).v)
				block_map_set(again, gap->from.k[0], gap->to.k[0] - gap->from.k[0], false);
		}
	}
}

/*
 * True if claims conflict with neither each other, nor free blocks, nor shared blocks, as far as a survey shows.  some:
 * an empty map of the AG, for use here.
 */
static bool claims_agree(const struct mend *m, agno_t agno, struct block_map *some)
{
	const struct survey_ag *ag = &m->survey->ags[agno.v];

	block_map_unite(some, &ag->free);
	mend_space_clear_taken(m, agno, some);
	if (block_map_meets(some, &ag->claimed))
		return false;
	block_map_set(some, 0, some->to, false);
	if (block_map_meets(&ag->again, &ag->alone))
		return false;
	block_map_unite(some, &ag->again);
	block_map_subtract(some, &ag->shared);
	clear_unknown(m->now->traverse, agno, some);
	if (block_map_meets(some, &ag->again))
		return false;
	/* shared blocks with only one claim: other owners may have lost them */
	block_map_set(some, 0, some->to, false);
	block_map_unite(some, &ag->shared);
	block_map_subtract(some, &ag->again);
	return !block_map_meets(some, &ag->claimed);
}

/* True if unowned blocks, and damage in its space btrees, explain all unbalanced accounts of an AG. */
static bool is_all_of_ag(const struct mend *m, agno_t agno)
{
	const group_t group = group_of_ag(agno);
	struct block_map some;
	bool all = false;

	if (!mend_survey_has(m->survey, agno) || accounts_unbalanced(m->now, group, ACCOUNT_FINOBT) ||
	    accounts_unbalanced(m->now, group, ACCOUNT_UNLINKED))
		return false;
	if (!block_map_new(&some, 0, m->survey->ags[agno.v].claimed.to))
		all = claims_agree(m, agno, &some);
	block_map_free(&some);
	return all;
}

static bool is_all(struct mend *m, bool now, int *error)
{
	const struct geometry *geo = &m->now->geo;
	bool any = false;

	if (!m->survey || m->now->run->intents || places_unknown(m->now->traverse) || !inodes_known(m, now, error))
		return false;
	for (uint32_t g = 0; g < group_count(geo); g++) {
		if (!accounts_any_unbalanced(m->now, (group_t){ g }))
			continue;
		if (g >= geo->agcount || !is_all_of_ag(m, (agno_t){ g }))
			return false;
		any = true;
	}
	return any;
}

bool mend_unowned_is_all(struct mend *m)
{
	int error = 0;

	return is_all(m, false, &error);
}

int mend_unowned_is_all_now(struct mend *m, bool *ret_all)
{
	int error = 0;

	*ret_all = is_all(m, true, &error);
	return error;
}

int mend_unowned_add(const struct mend *m, struct damage *damage)
{
	uint64_t start, len;
	int ret = 0;

	for (uint32_t ag = 0; ag < m->now->geo.agcount && !ret; ag++) {
		if (!mend_survey_has(m->survey, (agno_t){ ag }))
			continue;
		for (uint64_t at = 0; !ret && mend_survey_unowned(m->survey, (agno_t){ ag }, at, &start, &len);
		     at = start + len) {
			struct found found = { .place = place_of(OBJ_AG),
					       .problem = { F_SPACE_LOST, 0, NO_INDEX, len, 0 },
					       .times = 1 };

			found.place.agno.v = ag;
			found.place.agbno.v = (uint32_t)start;
			ret = damage_add(damage, &found);
		}
	}
	return ret;
}
