/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gaps in btrees: ranges of keys whose records are unknown. */
#ifndef XFSCK_REPAIR_TREE_GAPS_H
#define XFSCK_REPAIR_TREE_GAPS_H

#include "geometry.h"
#include "libxfs/btree.h"

/* A part of a btree, or of a realtime bitmap, that is unknown because of reported damage. */
struct tree_gap {
	group_t group;
	enum btree_kind kind;  /* in realtime groups the kind of AG btree with the same records; BT_BNO: the bitmap */
	struct btkey from, to; /* records with keys from <= key < to are missing */
	bool claims;	       /* claims are missing, too: the btree's own blocks below this part are unknown */
};

/*
 * Sorts gaps by group, kind and key, and joins those that overlap or touch.  Returns how many are left.  Joining an
 * array again after appending gaps gives the same result as joining all at once.
 */
size_t tree_gaps_join(struct tree_gap *gaps, size_t count);

#endif
