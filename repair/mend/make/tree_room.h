/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds blocks for new inode btrees of an AG. */
#ifndef XFSCK_REPAIR_MEND_TREE_ROOM_H
#define XFSCK_REPAIR_MEND_TREE_ROOM_H

#include "mend_chunks.h"

struct tree_room {
	struct mend *m;
	agno_t agno;
	const struct mend_survey *survey;
	const struct mend_chunks *chunks; /* all chunks of the AG, as they shall be */
	bool claims_known;		  /* the survey has the claims of all inodes */
	bool closer;			  /* and was made for this: there is no better one */
};

/*
 * Blocks for `need` blocks of new trees, in ascending order.  At first they must be free by the bnobt and claimed by
 * nobody.  If the survey has the claims of all inodes, blocks that the rmapbt has as nobody's will do as well.  With
 * the closer survey, blocks that nobody claims are taken.  Inodes whose maps are lost may have some of these, so those
 * that the rmapbt has as nobody's come first, then the old trees' own.  0, -ENOSPC, or another negative errno.
 */
int tree_room_find(const struct tree_room *r, uint64_t *blocks, uint32_t need);

#endif
