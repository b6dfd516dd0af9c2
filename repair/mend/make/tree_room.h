/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds blocks for new inode btrees of an AG. */
#ifndef XFSCK_REPAIR_MEND_TREE_ROOM_H
#define XFSCK_REPAIR_MEND_TREE_ROOM_H

#include "mend_chunks.h"

struct tree_room {
	struct mend *m;
	agno_t agno;
	const struct mend_survey *survey;
	const struct facts_chunks *chunks; /* all chunks of the AG, as they will be */
	bool claims_known;		   /* the survey has the claims of all inodes */
	bool closer;			   /* the survey was made for this purpose: there is no better one */
};

/*
 * Finds `need` blocks for new btrees, in ascending order, from unclaimed blocks: first those that are free in the bnobt
 * and have no owner in the rmapbt.  If the survey has the claims of all inodes, those without an owner in the rmapbt
 * will do.  With the closer survey, the old btrees' own blocks follow, then any, though inodes with lost maps may own
 * some.  0, -ENOSPC or another negative errno.
 */
int tree_room_find(const struct tree_room *r, uint64_t *blocks, uint32_t need);

#endif
