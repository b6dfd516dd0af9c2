/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of what a repair keeps: what every block said before the repair, with the log replayed, against what the
 * proven repair says.  First as sums over small sets of inodes, then, where a sum is not zero, as records.
 */
#ifndef XFSCK_REPAIR_LOSS_H
#define XFSCK_REPAIR_LOSS_H

#include "drops.h"
#include "report/loss_list.h"

struct paths;
struct repair;

/*
 * Compare what rc saw with what `again`, the last check, sees.  rc->run->reattached must be settled.  *ret is for the
 * caller to free, also after an error.  0 or negative errno.
 */
int loss_account(struct repair *rc, struct repair *again, const struct drops *drops, struct loss_list *ret);

/*
 * The paths of what the list is about, of all that is gained only if `gained`: as they were, and, where that tells
 * nothing or something is elsewhere now, as they will be.  NULL where they could not be found out.
 */
void loss_paths(struct repair *rc, struct repair *again, const struct loss_list *list, bool gained,
		struct paths **ret_before, struct paths **ret_after);

#endif
