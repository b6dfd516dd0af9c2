/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds blocks that nobody has: those of files whose inodes or maps are lost.  A survey tells that as well as exact
 * places do (locate_space.c), with a bit per block instead of a record per use.  But it does not tell who contradicts
 * whom, so it is used only if nobody does, and if all claims are known.  Claims of trees that are going to be built
 * anew may be unknown: no mender of names would take the contents of their blocks for names.
 */
#include "mend_lost.h"

#include "inode/mend_inode.h"
#include "mend_space.h"
#include "mend_survey.h"

/* Where inodes or free lists are is not known, and so which blocks they have. */
static bool places_unknown(const struct traverse *t)
{
	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		if (!t->ags[ag].have_agi || !t->ags[ag].have_agfl || t->ags[ag].tree[BT_INO].gap)
			return true;
	return false;
}

/* What can be read of an inode by now is all it has, and the survey has been told of it. */
static bool told_by_now(struct mend *m, xino_t ino, int *error)
{
	if (!ino_set_has(&m->round.told, ino))
		*error = mend_inode_claims(m, ino);
	return !*error && ino_set_has(&m->round.told, ino);
}

/* Of no inode the blocks were unknown; now: or they are not any more. */
static bool inodes_known(struct mend *m, bool now, int *error)
{
	const struct traverse *t = m->now->traverse;

	for (unsigned i = 0; i < t->nwalkers; i++)
		for (size_t k = 0; k < t->walkers[i]->ngaps; k++)
			if (t->walkers[i]->gaps[k].what & GAP_CLAIMS &&
			    !(now && told_by_now(m, t->walkers[i]->gaps[k].ino, error)))
				return false;
	return true;
}

/* Where the reference counts are not known, what files hold may be shared. */
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

/* Claims contradict neither each other nor what is free.  some: room for a map of the AG. */
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
	return !block_map_meets(some, &ag->again);
}

/* The accounts of an AG that is surveyed may differ by lost blocks, and by what is wrong in trees of space. */
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

	if (!m->survey || m->now->intents || places_unknown(m->now->traverse) || !inodes_known(m, now, error))
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

bool mend_lost_is_all(struct mend *m)
{
	int error = 0;

	return is_all(m, false, &error);
}

int mend_lost_is_all_now(struct mend *m, bool *ret_all)
{
	int error = 0;

	*ret_all = is_all(m, true, &error);
	return error;
}

int mend_lost_add(const struct mend *m, struct damage *damage)
{
	uint64_t start, len;
	int ret = 0;

	for (uint32_t ag = 0; ag < m->now->geo.agcount && !ret; ag++) {
		if (!mend_survey_has(m->survey, (agno_t){ ag }))
			continue;
		for (uint64_t at = 0; !ret && mend_survey_lost(m->survey, (agno_t){ ag }, at, &start, &len);
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
