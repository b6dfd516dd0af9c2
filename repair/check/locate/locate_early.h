/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects evidence while a check posts facts to the accounts, if all that will be wanted may fit into memory.  Then no
 * second traversal is needed.  With --exact the first check keeps everything, since everything will be compared anyway.
 * A check between rounds of mending keeps facts about the inodes that were in doubt in the check before, since those in
 * doubt now are mostly among them.
 */
#ifndef XFSCK_REPAIR_LOCATE_EARLY_H
#define XFSCK_REPAIR_LOCATE_EARLY_H

#include "base/sink.h"

struct locate;
struct repair;

/* Part of struct repair. */
struct locate_early {
	struct evidence *evidence; /* NULL: none is collected */
	struct doubts *before;	   /* the inodes that were in doubt in the check before; NULL: not known */
	struct sink_both both;
	bool over; /* the first check is over: with --exact, later ones don't keep everything */
};

/* Before a check: make *sink collect evidence as well, if there is to be any. 0 or -ENOMEM. */
int locate_early_begin(struct repair *rc, struct sink *sink);
/*
 * After the check: the evidence, which the caller frees; NULL: there is none, or not of all that is wanted.  groups:
 * facts about groups are wanted; all_inodes: facts about all inodes are, not only about those in doubt.
 */
struct evidence *locate_early_take(const struct locate *l, bool groups, bool all_inodes);
void locate_early_free(struct repair *rc);

#endif
