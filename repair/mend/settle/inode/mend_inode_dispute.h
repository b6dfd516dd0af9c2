/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides who keeps blocks that two claim. */
#ifndef XFSCK_REPAIR_MEND_INODE_DISPUTE_H
#define XFSCK_REPAIR_MEND_INODE_DISPUTE_H

#include <stdbool.h>

struct bmap_record;
struct fork_work;
struct found;
struct mend;

/* What becomes of an extent of the fork at hand: */
enum settle {
	SETTLE_KEEP,
	SETTLE_AS_RMAP, /* the fork gets the blocks that the rmapbt has there */
	SETTLE_COPY,	/* the fork gets new blocks with a copy of the contents */
	SETTLE_DROP,	/* the fork gives the blocks up */
};

/* What becomes of an extent that somebody else claims, too, or that is free, as the finding says. */
enum settle inode_dispute_settle(const struct fork_work *w, const struct found *found,
				 const struct bmap_record *extent);

/* Extents that lead to the wrong place. */

/* True if the extent that makes this claim leads to the wrong place. */
bool mend_extent_is_wrong(const struct mend *m, const struct found *claim);

#endif
