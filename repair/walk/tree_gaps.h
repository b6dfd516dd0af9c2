/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that are missing from trees, as ranges of keys. */
#ifndef XFSCK_REPAIR_TREE_GAPS_H
#define XFSCK_REPAIR_TREE_GAPS_H

#include "geometry.h"
#include "libxfs/btree.h"

/* A part of a btree, or of a realtime bitmap, that is not known because of damage that has been reported. */
struct tree_gap {
	group_t group;
	enum btree_kind kind;  /* of realtime groups: the one of AGs that means the same; BT_BNO for the bitmap */
	struct btkey from, to; /* the keys of records that are missing: from <= key < to */
	bool claims;	       /* blocks of the tree itself are not known to be in use */
};

/*
 * Put gaps into their order, by group, kind and key, and those together that overlap or touch.  How many are left; what
 * comes of two parts, joined one after the other, is what comes of all at once.
 */
size_t tree_gaps_join(struct tree_gap *gaps, size_t count);

#endif
