/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports accounts that don't balance although no wrong record was found behind them (ondisk 12: S1, S7 to S11, I2, I8,
 * D3, D5, D6, D8, D9).
 */
#include "books.h"
#include "repair.h"
#include "report/finding.h"
#include "run.h"
#include "check/walk/walker.h"

static const enum finding group_findings[GROUP_ACCOUNT_NR] = {
	[ACCOUNT_SPACE] = F_AG_SPACE,	[ACCOUNT_RMAP] = F_AG_RMAP,	    [ACCOUNT_FREESIZE] = F_AG_FREESIZE,
	[ACCOUNT_FINOBT] = F_AG_FINOBT, [ACCOUNT_UNLINKED] = F_AG_UNLINKED,
};

static const enum finding rt_findings[GROUP_ACCOUNT_NR] = {
	[ACCOUNT_SPACE] = F_RTGROUP_SPACE,
	[ACCOUNT_RMAP] = F_RTGROUP_RMAP,
};

static const enum finding inode_findings[INODE_ACCOUNT_NR] = {
	[ACCOUNT_LINKS] = F_INODES_LINKS,
	[ACCOUNT_FTYPE] = F_INODES_FTYPE,
	[ACCOUNT_PARENTS] = F_INODES_PARENTS,
	[ACCOUNT_PPTRS] = F_INODES_PPTRS,
};

/* settled: a bit per account that is not reported */
static void check_bucket(struct repair *rc, struct walker *w, unsigned bucket, unsigned settled)
{
	/* both accounts get the same entries: if link counts differ, types do, too */
	if (!ledger_inodes_balance(rc->ledger, bucket, ACCOUNT_LINKS))
		settled |= 1u << ACCOUNT_FTYPE;
	for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++) {
		if (ledger_inodes_balance(rc->ledger, bucket, a) || settled >> a & 1)
			continue;
		w->place = place_of(OBJ_FILESYSTEM);
		walk_problem(w, inode_findings[a], NO_INDEX, bucket, LEDGER_BUCKETS);
	}
}

/* True if the device ends before the AG begins: that has been reported, and none of its accounts can balance. */
static bool beyond_device(const struct repair *rc, agno_t agno)
{
	return ag_offset(&rc->geo, agno) >= device_bytes(rc->run->device);
}

bool accounts_unbalanced(const struct repair *rc, group_t group, enum group_account account)
{
	const struct geometry *geo = &rc->geo;
	bool applies;

	if (!group_is_rt(geo, group))
		applies = !beyond_device(rc, (agno_t){ group.v });
	else if (account == ACCOUNT_SPACE)
		applies = !geo->zoned; /* free blocks of a zone are recorded nowhere */
	else
		applies = account == ACCOUNT_RMAP && geo->metadir;
	return applies && !ledger_group_balances(rc->ledger, group, account);
}

bool accounts_any_unbalanced(const struct repair *rc, group_t group)
{
	for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
		if (accounts_unbalanced(rc, group, a))
			return true;
	return false;
}

bool accounts_say_space(const struct repair *rc, group_t group, struct found *ret_found)
{
	static const enum group_account accounts[] = { ACCOUNT_SPACE, ACCOUNT_RMAP, ACCOUNT_FREESIZE };
	const bool rt = group_is_rt(&rc->geo, group);

	for (size_t i = 0; i < sizeof(accounts) / sizeof(accounts[0]); i++) {
		const enum finding finding = (rt ? rt_findings : group_findings)[accounts[i]];

		if (!accounts_unbalanced(rc, group, accounts[i]))
			continue;
		*ret_found = (struct found){ .place = place_of_group(&rc->geo, group, OBJ_AG, OBJ_RTGROUP),
					     .problem = { finding, 0, NO_INDEX, 0, 0 },
					     .times = 1 };
		return true;
	}
	return false;
}

static void check_group(struct repair *rc, struct walker *w, group_t group, unsigned settled)
{
	bool rt = group_is_rt(&rc->geo, group);

	w->place = place_of_group(&rc->geo, group, OBJ_AG, OBJ_RTGROUP);
	for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
		if (accounts_unbalanced(rc, group, a) && !(settled >> a & 1))
			walk_problem(w, rt ? rt_findings[a] : group_findings[a], NO_INDEX, 0, 0);
}

void accounts_check(struct repair *rc, struct walker *w, const unsigned *group_settled, const unsigned *bucket_settled)
{
	for (uint32_t g = 0; group_settled && g < group_count(&rc->geo); g++)
		check_group(rc, w, (group_t){ g }, group_settled[g]);
	for (unsigned b = 0; bucket_settled && b < LEDGER_BUCKETS; b++)
		check_bucket(rc, w, b, bucket_settled[b]);
}
