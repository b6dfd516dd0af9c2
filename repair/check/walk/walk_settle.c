/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends an inode in flight with the checks that need the whole inode (ondisk 04, invariant 2; 12, I9 and I10). */
#include <stdlib.h>

#include "inflight.h"
#include "map_sums.h"
#include "walk.h"

static void fork_settle(struct walker *w, struct inflight *inflight, enum fork which)
{
	const struct inflight_fork *fork = &inflight->fork[which];

	/* nothing to check, as in nearly all forks */
	if (!fork->bmbt.blocks && !fork->bmbt.gap && fork->extents == fork->expected)
		return;
	w->place = inflight->place;
	w->place.object = which == DATA_FORK ? OBJ_DATA_FORK : OBJ_ATTR_FORK;
	tree_settle(w, &fork->bmbt, fork->levels);
	if (!fork->bmbt.gap && fork->extents != fork->expected)
		walk_problem(w, which == DATA_FORK ? F_INODE_NEXTENTS_XREF : F_INODE_ANEXTENTS_XREF, NO_INDEX,
			     fork->expected, fork->extents);
}

static void compare_counts(struct walker *w, struct inflight *inflight)
{
	if (inflight->blocks_known) {
		fork_settle(w, inflight, DATA_FORK);
		fork_settle(w, inflight, ATTR_FORK);
		if (!inflight->fork[0].bmbt.gap && !inflight->fork[1].bmbt.gap &&
		    inflight->blocks != inflight->nblocks) {
			w->place = inflight->place;
			walk_problem(w, F_INODE_NBLOCKS_XREF, NO_INDEX, inflight->nblocks, inflight->blocks);
		}
	}
	if (inflight->dir || inflight->attr || inflight->rt || inflight->ftype == FT_SYMLINK)
		w->place = inflight->place;
	if (inflight->dir)
		dir_settle(w, inflight);
	if (inflight->attr)
		attr_settle(w, inflight);
	if (inflight->rt)
		walk_rt_settle(w, inflight);
	if (inflight->ftype == FT_SYMLINK)
		symlink_settle(w, inflight);
	if (w->t->quota)
		walk_quota_settle(w, inflight);
}

/*
 * Drops a reference; true if it was the last.  Nobody else can get one while the caller's is the only one, so in that
 * case, the most frequent, no atomic subtraction is needed.
 */
static bool drop(struct inflight *inflight)
{
	if (__atomic_load_n(&inflight->refs, __ATOMIC_ACQUIRE) != 1)
		return __atomic_sub_fetch(&inflight->refs, 1, __ATOMIC_ACQ_REL) == 0;
	__atomic_store_n(&inflight->refs, 0, __ATOMIC_RELAXED);
	return true;
}

void inflight_put(struct walker *w, struct inflight *inflight)
{
	do {
		if (!drop(inflight))
			return;
	} while (inflight->attr && attr_tree_continue(w, inflight));
	if (w->t->scope.judge)
		compare_counts(w, inflight);
	if (w->t->scope.contents && inflight->dir)
		dir_tell_unnamed(w, inflight);
	if (inflight->attr)
		attr_tell_lost_root(w, inflight);
	if (inflight->dir) {
		free(inflight->dir->da.leaves);
		free(inflight->dir->fingerprints);
		walk_free(w, inflight->dir, sizeof(*inflight->dir));
	}
	if (inflight->attr) {
		free(inflight->attr->da.leaves);
		free(inflight->attr->fingerprints);
		attr_tree_free(inflight->attr);
		walk_free(w, inflight->attr, sizeof(*inflight->attr));
	}
	if (inflight->rt)
		walk_free(w, inflight->rt, sizeof(*inflight->rt));
	if (inflight->maps)
		map_leaves_settle(w, inflight);
	if (inflight->assemblies)
		assemblies_free(w, inflight->assemblies);
	if (w->spare)
		inflight_free(w, inflight);
	else
		w->spare = inflight;
}
