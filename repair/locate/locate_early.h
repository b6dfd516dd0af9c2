/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With --exact everything will be located, whatever the accounts say: the facts that the first check posts to them are
 * kept as records at the same time, if all of them fit into memory.  Then nothing is traversed for them again.
 */
#ifndef XFSCK_REPAIR_LOCATE_EARLY_H
#define XFSCK_REPAIR_LOCATE_EARLY_H

#include "evidence.h"
#include "walk/sink_both.h"

struct locate;
struct repair;

/* Part of struct repair. */
struct locate_early {
	struct evidence *evidence; /* NULL: none is collected */
	struct sink_both both;
	bool over; /* what was collected has been looked at: checks of what was mended look at what is in doubt */
};

/* Before the first check: put evidence beside *sink, if there is to be any. 0 or -ENOMEM. */
int locate_early_begin(struct repair *rc, struct sink *sink);
/* After it: the evidence, which is the caller's now; NULL: there is none of all that is wanted. */
struct evidence *locate_early_take(const struct locate *l);
void locate_early_free(struct repair *rc);

#endif
