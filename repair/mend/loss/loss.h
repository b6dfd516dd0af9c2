/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of what a repair keeps: what every block said before the repair, with the log replayed, against what the
 * proven repair says.  First as sums over small sets of inodes, then, where a sum is not zero, as records.
 */
#ifndef XFSCK_REPAIR_LOSS_H
#define XFSCK_REPAIR_LOSS_H

#include "drops.h"
#include "losses.h"
#include "report/loss_list.h"

struct geometry;
struct loss_tally;
struct paths;
struct repair;
struct totals;

/*
 * Compare what rc saw with what `again`, the last check, sees.  rc->run->reattached must be settled.  *ret is for the
 * caller to free, also after an error.  0 or negative errno.
 */
int loss_account(struct repair *rc, struct repair *again, const struct drops *drops, struct loss_list *ret);

/* What has changed since the first check, by the books that were kept open (open_books.h). */
struct loss_changes {
	const xino_t *inos; /* no other inode has changed, nor any name of one */
	size_t count;
	const struct totals *totals; /* of what is there now */
};

/*
 * The same account, but only these inodes are read.  *ret_whole is false if that does not tell all, as which names the
 * files have of which something is lost: then loss_account() must tell.
 */
int loss_account_of(struct repair *rc, struct repair *again, const struct drops *drops,
		    const struct loss_changes *changes, struct loss_list *ret, bool *ret_whole);

/*
 * The paths of what the list is about, of all that is gained only if `gained`: as they were, and, where that tells
 * nothing or something is elsewhere now, as they will be.  NULL where they could not be found out.
 */
void loss_paths(struct repair *rc, struct repair *again, const struct loss_list *list, bool gained,
		struct paths **ret_before, struct paths **ret_after);

/* The figures of the account (losses.h): paths in place, moved, damaged, lost and missing. */

/* 0 or -ENOMEM; call loss_tally_end() in either case. */
int loss_tally_begin(struct loss_tally *tally, const struct geometry *geo);
void loss_tally_end(struct loss_tally *tally);

/*
 * When all inodes are compared.  names: that are there after the repair.  unknown_names: that hash indexes have beyond
 * those of inodes whose name is not known.  0 or negative errno.
 */
int loss_figures(const struct repair *rc, const struct repair *again, const struct loss_tally *tally, uint64_t names,
		 uint64_t unknown_names, struct loss_figures *ret);

#endif
