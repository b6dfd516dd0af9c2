/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding superblocks where the primary does not say where they are. */
#ifndef XFSCK_REPAIR_SB_SEARCH_H
#define XFSCK_REPAIR_SB_SEARCH_H

#include "report.h"
#include "sb_candidates.h"

/*
 * Look where secondaries are likely: where what is left of the primary says, at the distance that the first AGF has as
 * its length, and where mkfs would put them on a device of this size.  Each one that is found says where the others
 * are. 0 or -ENOMEM.
 */
int sb_search_likely(struct sb_candidates *list);

/*
 * Look everywhere, with progress, until enough(ctx) says that what was found is enough; it is asked after each
 * superblock that leads to others.  0 or -ENOMEM.
 */
int sb_search_device(struct sb_candidates *list, struct report *report, bool (*enough)(void *ctx), void *ctx);

#endif
