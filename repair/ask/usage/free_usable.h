/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_FREE_USABLE_H
#define XFSCK_REPAIR_FREE_USABLE_H

#include "geometry.h"

struct ag_state;

/*
 * The most blocks that an allocation for a file gets from this AG in one piece.  Of its largest free extent the kernel
 * keeps what the free list lacks, and what is set aside for btrees that may grow, as far as no other free space is
 * there for it.  Older kernels set aside less.
 */
uint64_t free_usable(const struct geometry *geo, agno_t agno, const struct ag_state *ag);

#endif
