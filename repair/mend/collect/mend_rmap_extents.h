/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The extent map of a fork as the rmapbts tell it (ondisk 12, S9). */
#ifndef XFSCK_REPAIR_MEND_RMAP_EXTENTS_H
#define XFSCK_REPAIR_MEND_RMAP_EXTENTS_H

#include "mend/base/mend_map.h"
#include "mend_facts.h"

/*
 * Add the extents of a fork as an rmapbt has them, in their order, to a map; if two overlap in the file one is wrong,
 * and the first is left out.  kind: FACT_RMAP or FACT_RTRMAP.  0 or -ENOMEM.
 */
int mend_rmap_extents(const struct geometry *geo, const struct mend_facts *facts, xino_t ino, enum fork fork,
		      enum ino_fact_kind kind, struct mend_map *map);

#endif
