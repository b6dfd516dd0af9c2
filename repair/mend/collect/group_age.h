/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AGs whose headers and btrees are intact, but out of date because of a lost write.
 * - Old: the AGF is older than inodes that own blocks there.  Then the rmapbt is no evidence against an inode's map.
 * - Doubted: the free-space btrees contradict each other or the AGF, or their blocks are older than several inodes.
 *   Then they are no evidence that a block is free or lost.
 */
#ifndef XFSCK_REPAIR_MEND_GROUP_AGE_H
#define XFSCK_REPAIR_MEND_GROUP_AGE_H

#include "mend/base/unowned_ranges.h"
#include "mend/base/mend.h"

/* Returns the LSN of a header; NULL_LSN: it has none, or is unreadable. */
lsn_t group_header_date(struct mend *m, agno_t agno, enum ag_sector sector);
/* Returns the LSN of an inode; 0: unknown. */
lsn_t inode_date(struct mend *m, xino_t ino);
/* Notes that the AG's btrees are old. 0 or -ENOMEM. */
int group_note_old(struct mend *m, agno_t agno);
/* Notes that the AG's space btrees were rebuilt: it is neither old nor doubted. */
void group_note_new(struct mend *m, agno_t agno);
bool group_is_old(const struct mend *m, agno_t agno);
bool group_is_doubted(const struct mend *m, agno_t agno);
/* True if the finding says that the free-space btrees of an AG contradict each other or the AGF. */
bool group_contradicts_itself(const struct found *found);
/*
 * Notes an AG as old (or doubted) if several inodes that are newer than the AGF (or their bnobt leaves) claim blocks
 * that are free in the bnobt; and as doubted if it contradicts itself.  The findings are sorted by inode.  0 or
 * -ENOMEM.
 */
int group_judge_claims(struct mend *m, const struct found *found, size_t count);
/* True if an inode is newer than the leaf that covers this block, of the btree `kind`. */
bool group_is_older_there(struct mend *m, enum btree_kind kind, agno_t agno, agbno_t agbno, xino_t ino);
/*
 * Returns the LSN that an inode had before the repair.  *ret_mode: its mode then, 0 if free.  NULL_LSN: unknown,
 * because it is of version 4 or its checksum was wrong.
 */
lsn_t inode_date_before(struct mend *m, xino_t ino, uint16_t *ret_mode);
/*
 * True if, before the repair, an inode was in use (used) or free (!used), and older than the inobt leaf with its chunk,
 * which does not say the same.  The inode's last write was lost: it was deleted, or a newly created inode is lost.
 */
bool inode_is_older_than_inobt(struct mend *m, xino_t ino, bool used);
/* Returns the first inode of the cluster that an inode is read and written with. */
xino_t inode_cluster(const struct geometry *geo, xino_t ino);
/*
 * Handles an inode cluster whose last write was lost, as another structure shows, with the LSN `evidence` (0: that of
 * the inobt leaf alone): the inodes in it that are older than this structure, or the inobt leaf, are reported as
 * possibly out of date.  0 or -ENOMEM.
 */
int inode_doubt_stale(struct mend *m, xino_t ino, lsn_t evidence);
/* Removes runs of unowned blocks in doubted AGs: they may be free. */
void group_leave_out_doubted(const struct mend *m, struct unowned_ranges *ranges);

#endif
