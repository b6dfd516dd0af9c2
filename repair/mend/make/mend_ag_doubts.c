/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For which groups the inode btrees are wrong, by findings and by what lies in their blocks. */
#include <errno.h>
#include <stdlib.h>

#include "check/books/books.h"
#include "mend/collect/mend_object.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_inode.h"
#include "mend_ag_inodes_work.h"
#include "repair.h"

/* Whether a finding says that something leads to an inode in vain: then only what lies in its place says more. */
static bool leads_in_vain(const struct found *found)
{
	return mend_chunks_missing(found).v != NULL_INO;
}

/* Whether a finding may mean that the inobt lacks chunks, even if it could be walked whole. */
static bool tells_of_loss(const struct found *why)
{
	switch (why->problem.finding) {
	case F_AGI_COUNT_COUNT:
		return true;
	default: /* mend_ag_inodes_anew(): something leads to inodes that were made anew, perhaps in new chunks */
		return why->place.object == OBJ_INOBT || leads_in_vain(why);
	}
}

/* Whether a finding is only about whether a single inode is in use. */
static bool is_about_usage(const struct found *why)
{
	return (why->problem.finding == F_INODE_FREE_IN_USE || why->problem.finding == F_INODE_USED_BUT_FREE) &&
	       why->place.ino.v != NULL_INO;
}

/* How far the inobt is believed at most, where it could be walked whole, if there is such a finding. */
static enum inobt_trust trust_despite(const struct found *why)
{
	if (tells_of_loss(why))
		return INOBT_LOSSY;
	return is_about_usage(why) ? INOBT_BUT_USAGE : INOBT_WHOLE;
}

/*
 * Whether a finding says that a file has a block of the trees, too, which by its contents is the trees': then the file
 * gives it up (mend_inode_dispute.c).
 */
static bool is_files_fault(const struct ag_inodes_work *w, const struct found *found)
{
	return found->problem.finding == F_SPACE_CLAIMED_TWICE && found->problem.want < OWNER_COW &&
	       mend_is_tree_block(w->m, fsbno_of(&w->m->now->geo, found->place.agno, found->place.agbno));
}

int ag_inodes_doubt(struct ag_inodes_work *w, const struct found *found)
{
	const uint32_t ag = found->place.agno.v;

	if (ag >= w->m->now->geo.agcount || is_files_fault(w, found))
		return 0;
	if (trust_despite(found) < w->trust[ag])
		w->trust[ag] = trust_despite(found);
	/* that the inobt is damaged says most */
	if (!w->why[ag] || found->place.object == OBJ_INOBT)
		w->why[ag] = found;
	return is_about_usage(found) ? mend_chunks_doubt_usage(w->m, found->place.ino) : 0;
}

/* Note that the inobt of a group may have chunks that are gone, if its blocks are in doubt. */
static void suspect(struct ag_inodes_work *w, const struct found *found)
{
	const agno_t agno = found->place.agno;

	if (agno.v < w->m->now->geo.agcount && accounts_unbalanced(w->m->now, group_of_ag(agno), ACCOUNT_SPACE))
		w->gone[agno.v] = found;
}

bool ag_inodes_want(const struct ag_inodes_work *w, bool *wanted)
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

int ag_inodes_doubt_lacking(struct ag_inodes_work *w)
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

int ag_inodes_doubt_gone(struct ag_inodes_work *w)
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

int ag_inodes_doubt_all(struct ag_inodes_work *w, const struct found *found, size_t count)
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
