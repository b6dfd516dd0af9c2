/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides who keeps blocks with two claimants. */
#ifndef XFSCK_REPAIR_MEND_INODE_DISPUTE_H
#define XFSCK_REPAIR_MEND_INODE_DISPUTE_H

#include <stdbool.h>

struct bmap_record;
struct fork_work;
struct found;
struct mend;

/* What happens to an extent of the current fork. */
enum settle {
	SETTLE_KEEP,
	SETTLE_AS_RMAP, /* the fork gets the blocks that the rmapbt lists there */
	SETTLE_COPY,	/* the fork gets new blocks with a copy of the data */
	SETTLE_DROP,	/* the fork gives the blocks up */
};

/* Decides about an extent that has another claimant or is free, according to the finding. */
enum settle inode_dispute_settle(const struct fork_work *w, const struct found *found,
				 const struct bmap_record *extent);

/* True if the claim's extent maps the wrong blocks, as mend_extent_place() has noted. */
bool mend_extent_is_wrong(const struct mend *m, const struct found *claim);

#endif
