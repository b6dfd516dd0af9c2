/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts that a check posts to the accounts are kept as records at the same time, if all that will be wanted fit into
 * memory: then nothing is traversed for them again.  With --exact the first check keeps all, since everything will be
 * located whatever the accounts say.  Between rounds of mending who is in doubt mostly was in the check before.
 */
#ifndef XFSCK_REPAIR_LOCATE_EARLY_H
#define XFSCK_REPAIR_LOCATE_EARLY_H

#include "evidence.h"
#include "sink_both.h"

struct locate;
struct repair;

/* Part of struct repair. */
struct locate_early {
	struct evidence *evidence; /* NULL: none is collected */
	struct doubts *before;	   /* who was in doubt in the check before: none of others; NULL: nobody knows */
	struct sink_both both;
	bool over; /* what was collected has been looked at: checks of what was mended look at what is in doubt */
};

/* Before a check: put evidence beside *sink, if there is to be any. 0 or -ENOMEM. */
int locate_early_begin(struct repair *rc, struct sink *sink);
/*
 * After it: the evidence, which is the caller's now; NULL: there is none of all that is wanted.  groups: that is any
 * group; all_inodes: or all inodes, whether they are in doubt or not.
 */
struct evidence *locate_early_take(const struct locate *l, bool groups, bool all_inodes);
void locate_early_free(struct repair *rc);

#endif
