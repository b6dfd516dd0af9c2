/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ledger says once all facts are in (ondisk 12: S1, S7 to S11, I2, I8, D3, D5, D6, D8, D9). */
#include "repair.h"

static const enum finding group_findings[GROUP_ACCOUNT_NR] = {
	[ACCOUNT_SPACE] = F_AG_SPACE,	[ACCOUNT_RMAP] = F_AG_RMAP,	    [ACCOUNT_FREESIZE] = F_AG_FREESIZE,
	[ACCOUNT_FINOBT] = F_AG_FINOBT, [ACCOUNT_UNLINKED] = F_AG_UNLINKED,
};

static const enum finding inode_findings[INODE_ACCOUNT_NR] = {
	[ACCOUNT_LINKS] = F_INODES_LINKS,
	[ACCOUNT_FTYPE] = F_INODES_FTYPE,
	[ACCOUNT_PARENTS] = F_INODES_PARENTS,
	[ACCOUNT_PPTRS] = F_INODES_PPTRS,
};

static void check_bucket(struct repair *rc, struct walker *w, unsigned bucket)
{
	for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++) {
		if (ledger_inodes_balance(rc->ledger, bucket, a))
			continue;
		/* types are compared once per link: where links differ they can't agree, and say nothing new */
		if (a == ACCOUNT_FTYPE && !ledger_inodes_balance(rc->ledger, bucket, ACCOUNT_LINKS))
			continue;
		w->place = place_of(OBJ_FILESYSTEM);
		walk_problem(w, inode_findings[a], NO_INDEX, bucket, LEDGER_BUCKETS);
	}
}

/* That the device ends before the AG begins has been said, and nothing of it can balance. */
static bool beyond_device(const struct repair *rc, agno_t agno)
{
	return bytes_of_daddr(daddr_of(&rc->geo, agno, (agbno_t){ 0 })) >= device_bytes(rc->device);
}

static void check_rt_group(struct repair *rc, struct walker *w, uint32_t rgno)
{
	group_t group = group_of_rg(&rc->geo, rgno);

	w->place = place_of(OBJ_RTGROUP);
	w->place.rgno = rgno;
	/* which blocks of a zone are free is recorded nowhere */
	if (!rc->geo.zoned && !ledger_group_balances(rc->ledger, group, ACCOUNT_SPACE))
		walk_problem(w, F_RTGROUP_SPACE, NO_INDEX, 0, 0);
	if (rc->geo.metadir && !ledger_group_balances(rc->ledger, group, ACCOUNT_RMAP))
		walk_problem(w, F_RTGROUP_RMAP, NO_INDEX, 0, 0);
}

void accounts_check(struct repair *rc, struct walker *w)
{
	for (uint32_t ag = 0; ag < rc->geo.agcount && !beyond_device(rc, (agno_t){ ag }); ag++) {
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++) {
			if (ledger_group_balances(rc->ledger, (group_t){ ag }, a))
				continue;
			w->place = place_of(OBJ_AG);
			w->place.agno.v = ag;
			walk_problem(w, group_findings[a], NO_INDEX, 0, 0);
		}
	}
	for (uint32_t rg = 0; rg < rc->geo.rgcount; rg++)
		check_rt_group(rc, w, rg);
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++)
		check_bucket(rc, w, b);
}
