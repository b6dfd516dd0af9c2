/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who keeps blocks that two claim. */
#ifndef XFSCK_REPAIR_MEND_INODE_DISPUTE_H
#define XFSCK_REPAIR_MEND_INODE_DISPUTE_H

#include "mend_inode_fork.h"

/* What becomes of an extent of the fork at hand: */
enum settle {
	SETTLE_KEEP,
	SETTLE_AS_RMAP, /* the rmapbt has other blocks there */
	SETTLE_COPY,	/* it gets others, and what is in these */
	SETTLE_DROP,
};

/* Of an extent, of which a finding says that somebody else has it, too, or that it is free. */
enum settle inode_dispute_settle(const struct fork_work *w, const struct found *found,
				 const struct bmap_record *extent);

#endif
