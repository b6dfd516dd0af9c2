/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects evidence during a check, if all of it may fit into memory, so that no second traversal is needed.  With
 * --exact, the first check keeps everything, since everything will be compared.  A check between rounds of mending
 * keeps facts about the inodes that were in doubt before: inodes in doubt now are mostly among them.
 */
#ifndef XFSCK_REPAIR_LOCATE_EARLY_H
#define XFSCK_REPAIR_LOCATE_EARLY_H

#include "base/sink.h"

struct locate;
struct repair;

/* Part of struct repair. */
struct locate_early {
	struct evidence *evidence; /* NULL: not collected */
	struct doubts *before;	   /* the inodes in doubt in the previous check; NULL: unknown */
	struct sink_both both;
	bool over; /* the first check is over: with --exact, later ones don't keep everything */
};

/* Makes *sink also collect evidence, if there is to be any.  Call it before a check.  Returns 0 or -ENOMEM. */
int locate_early_begin(struct repair *rc, struct sink *sink);
/*
 * Returns the evidence after the check, for the caller to free; NULL: there is none, or it lacks something.  groups:
 * facts about groups are needed.  all_inodes: facts about all inodes are needed, not only about those in doubt.
 */
struct evidence *locate_early_take(const struct locate *l, bool groups, bool all_inodes);
void locate_early_free(struct repair *rc);

#endif
