/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups whose headers and btrees are sound, but out of date, as a lost write leaves them.
 * - Old: the AGF is older than inodes that have blocks there.  What the rmapbt of such a group says of an inode is no
 *   witness against the inode's own map.
 * - Doubted: the free-space btrees contradict each other or the AGF, or their blocks are older than several inodes.
 *   That a block is free, or lost, by such a btree is no witness against anybody.
 */
#ifndef XFSCK_REPAIR_MEND_GROUP_AGE_H
#define XFSCK_REPAIR_MEND_GROUP_AGE_H

#include "mend/base/lost_runs.h"
#include "mend/base/mend.h"

/* The date (LSN) of a header; NULL_LSN: it has none, or can't be read. */
lsn_t group_header_date(struct mend *m, agno_t agno, enum ag_sector sector);
/* The date (LSN) of an inode; 0: unknown. */
lsn_t inode_date(struct mend *m, xino_t ino);
/* Note that the group's trees are old, until its space trees are rebuilt. 0 or -ENOMEM. */
int group_note_old(struct mend *m, agno_t agno);
bool group_is_old(const struct mend *m, agno_t agno);
bool group_is_doubted(const struct mend *m, agno_t agno);
/* True if a finding says that the free-space btrees of a group contradict each other or the AGF. */
bool group_contradicts_itself(const struct found *found);
/*
 * Note groups as old or doubted in which several inodes, all written later than the AGF or the leaves of the bnobt,
 * claim blocks that are free by the bnobt; and groups as doubted that contradict themselves.  The findings are sorted
 * by inode.  0 or -ENOMEM.
 */
int group_judge_claims(struct mend *m, const struct found *found, size_t count);
/* True if an inode was written later than the leaf of the bnobt, or of the refcount btree, that tells of this block. */
bool group_is_older_there(struct mend *m, enum btree_kind kind, agno_t agno, agbno_t agbno, xino_t ino);
/*
 * The date of an inode as it was before the repair; *ret_mode: its mode then, 0 if it was free.  NULL_LSN: it is
 * unknown, as nothing of version 4 has a date, or the inode's checksum was wrong.
 */
lsn_t inode_date_before(struct mend *m, xino_t ino, uint16_t *ret_mode);
/*
 * True if an inode was, before the repair, in use (or free), and was written earlier than the leaf of the inobt that
 * has its chunk.  If the leaf has it as the other, its last write was lost: it was deleted, or an inode that was made
 * of it is lost.
 */
bool inode_is_older_than_inobt(struct mend *m, xino_t ino, bool used);
/*
 * The last write of an inode's block was lost, as another structure tells: whatever the inodes in it say that are older
 * than the inobt may be out of date, and is told as such.  0 or -ENOMEM.
 */
int inode_doubt_stale(struct mend *m, xino_t ino);
/* Leave out runs of lost blocks in doubted groups: these may be free. */
void group_leave_out_doubted(const struct mend *m, struct lost_runs *runs);

#endif
