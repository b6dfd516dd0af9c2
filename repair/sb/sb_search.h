/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding superblocks where the primary does not say where they are. */
#ifndef XFSCK_REPAIR_SB_SEARCH_H
#define XFSCK_REPAIR_SB_SEARCH_H

#include "sb_candidates.h"

struct report;

/*
 * Look where secondaries are likely: by what is left of the primary, by the length in the first AGF, and where mkfs
 * would put them on a device of this size.  Each one that is found leads to the others. 0 or -ENOMEM.
 */
int sb_search_likely(struct sb_candidates *list);

/*
 * Look through the whole device, with progress, until enough(ctx) is true; it is asked after each usable superblock
 * that is found.  0 or -ENOMEM.
 */
int sb_search_device(struct sb_candidates *list, struct report *report, bool (*enough)(void *ctx), void *ctx);

#endif
