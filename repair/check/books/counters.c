/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares counters of the AG headers and the superblock with what was counted in the btrees (ondisk 12, S2 to S6, I1,
 * I3, I4).  Counts of a btree that could not be walked completely are not compared.
 */
#include "books.h"
#include "libxfs/object.h"
#include "repair.h"
#include "check/walk/walker.h"

static void compare(struct walker *w, enum finding finding, uint64_t says, uint64_t is)
{
	if (says != is)
		walk_problem(w, finding, NO_INDEX, says, is);
}

static void check_agf(const struct geometry *geo, struct walker *w, const struct ag_state *ag)
{
	w->place.object = OBJ_AGF;
	if (ag_tree_whole(ag, BT_BNO)) {
		compare(w, F_AGF_FREEBLKS_COUNT, ag->agf.freeblks, ag->free_blocks);
		compare(w, F_AGF_LONGEST_COUNT, ag->agf.longest, ag->longest);
	}
	/* only with lazysbcount, where a mount computes the superblock's counters from it */
	if (geo->lazysbcount && ag_btreeblks_known(geo, ag))
		compare(w, F_AGF_BTREEBLKS_COUNT, ag->agf.btreeblks, ag_btreeblks(geo, ag));
	if (geo->rmapbt && ag_tree_whole(ag, BT_RMAP))
		compare(w, F_AGF_RMAP_BLOCKS_COUNT, ag->agf.rmap_blocks, ag->tree[BT_RMAP].blocks);
	if (geo->reflink && ag_tree_whole(ag, BT_REFC))
		compare(w, F_AGF_REFCOUNT_BLOCKS_COUNT, ag->agf.refcount_blocks, ag->tree[BT_REFC].blocks);
}

static void check_agi(const struct geometry *geo, struct walker *w, const struct ag_state *ag)
{
	w->place.object = OBJ_AGI;
	if (ag_tree_whole(ag, BT_INO)) {
		compare(w, F_AGI_COUNT_COUNT, ag->agi.count, ag->inodes);
		compare(w, F_AGI_FREECOUNT_COUNT, ag->agi.freecount, ag->free_inodes);
		if (geo->inobtcnt)
			compare(w, F_AGI_IBLOCKS_COUNT, ag->agi.iblocks, ag->tree[BT_INO].blocks);
	}
	if (geo->inobtcnt && geo->finobt && ag_tree_whole(ag, BT_FINO))
		compare(w, F_AGI_FBLOCKS_COUNT, ag->agi.fblocks, ag->tree[BT_FINO].blocks);
}

/* Checks the sibling pointers of the AG's btrees. */
static void check_trees(struct walker *w, const struct ag_state *ag)
{
	for (unsigned kind = 0; kind < BT_AG_NR; kind++) {
		bool in_agi = kind == BT_INO || kind == BT_FINO;

		w->place.object = object_of_btree(kind);
		tree_settle(w, &ag->tree[kind], in_agi ? ag->agi.level[kind] : ag->agf.level[kind]);
	}
}

void counters_check(struct repair *rc, struct walker *w)
{
	const struct geometry *geo = &rc->geo;
	uint64_t icount = 0, ifree = 0, fdblocks = 0;
	bool inodes_known = true, space_known = true;

	for (uint32_t i = 0; i < geo->agcount; i++) {
		const struct ag_state *ag = &rc->traverse->ags[i];

		w->place = place_of(OBJ_AG);
		w->place.agno.v = i;
		if (ag->have_agf)
			check_agf(geo, w, ag);
		if (ag->have_agi)
			check_agi(geo, w, ag);
		check_trees(w, ag);
		inodes_known &= ag_tree_whole(ag, BT_INO);
		space_known &= ag_fdblocks_known(geo, ag);
		icount += ag->inodes;
		ifree += ag->free_inodes;
		if (space_known)
			fdblocks += ag_fdblocks(geo, ag);
	}
	if (geo->counters_lost)
		return;
	w->place = place_of(OBJ_SUPERBLOCK);
	w->place.agno.v = 0;
	if (inodes_known) {
		compare(w, F_SB_ICOUNT_COUNT, geo->icount, icount);
		compare(w, F_SB_IFREE_COUNT, geo->ifree, ifree);
	}
	if (space_known)
		compare(w, F_SB_FDBLOCKS_COUNT, geo->fdblocks, fdblocks);
}
