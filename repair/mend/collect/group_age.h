/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups whose headers and btrees are sound, but older than the inodes that have blocks there, as a lost write leaves
 * them.  What their rmapbt says of an inode is no witness against the inode's own map.
 */
#ifndef XFSCK_REPAIR_MEND_GROUP_AGE_H
#define XFSCK_REPAIR_MEND_GROUP_AGE_H

#include "mend/base/mend.h"

/* The date (LSN) of a header; NULL_LSN: it has none, or can't be read. */
lsn_t group_header_date(struct mend *m, agno_t agno, enum ag_sector sector);
/* The date (LSN) of an inode; 0: unknown. */
lsn_t inode_date(struct mend *m, xino_t ino);
/* Note that the group's trees are old, until its space trees are rebuilt. 0 or -ENOMEM. */
int group_note_old(struct mend *m, agno_t agno);
bool group_is_old(const struct mend *m, agno_t agno);
/*
 * Note groups as old in which several inodes, all written later than the AGF, claim blocks that are free by the bnobt.
 * The findings are sorted by inode.  0 or -ENOMEM.
 */
int group_judge_claims(struct mend *m, const struct found *found, size_t count);

#endif
