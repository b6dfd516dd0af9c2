/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects evidence during a check, if all of it may fit into memory, so that no second traversal is needed.  With
 * --exact, the first check keeps everything, since everything will be compared.  A check between rounds of mending
 * keeps facts about what was in doubt before: what is in doubt now is mostly among it.
 */
#ifndef XFSCK_REPAIR_LOCATE_EARLY_H
#define XFSCK_REPAIR_LOCATE_EARLY_H

#include "base/sink.h"
#include "libxfs/btree.h"

struct locate;
struct repair;

/* What was in doubt in the check before. */
struct locate_before {
	struct doubts *inodes; /* NULL: unknown */
	/*
	 * for each group: the btree for its free space, or BT_NR: it was not in doubt.  NULL: this check will probably
	 * not compare groups.
	 */
	enum btree_kind *groups;
};

void locate_before_free(struct locate_before *before);

/* Part of struct repair. */
struct locate_early {
	struct evidence *evidence; /* NULL: not collected */
	struct locate_before before;
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
