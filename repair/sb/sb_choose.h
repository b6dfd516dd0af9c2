/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing the superblock that the run relies on. */
#ifndef XFSCK_REPAIR_SB_CHOOSE_H
#define XFSCK_REPAIR_SB_CHOOSE_H

#include "repair.h"
#include "sb_candidates.h"

/*
 * Find the superblock to believe, report what is wrong with the primary, and fill rc->geo, and rc->primary with the
 * sector of the primary as it should be.  PHASE_STOP: no superblock can be used, which has been reported.
 */
enum phase_result sb_choose(struct repair *rc);

/* sb_adopt.c: rely on the primary, the first of all */
enum phase_result sb_adopt_primary(struct repair *rc, const struct sb_candidates *all);
/* Rely on the primary, but take the fields in which `chosen` differs from that one. */
enum phase_result sb_adopt_fields(struct repair *rc, const struct sb_candidates *all,
				  const struct sb_candidate *chosen);
/* The primary is lost: rely on `chosen`, and find the root inode by it and those in `all` that agree with it. */
enum phase_result sb_adopt_whole(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate *chosen);
/*
 * No superblock can be used: derive one from the rest of the device.  *ret_adopted false: that was not possible, and if
 * something of XFS was found the user has been told what is missing. 0 or negative errno.
 */
int sb_adopt_derived(struct repair *rc, struct sb_candidates *all, bool *ret_adopted);
/* In how many fields that all superblocks must share these two differ. */
unsigned sb_adopt_differences(const struct sb_candidate *a, const struct sb_candidate *b);

/* sb_root.c: the number of the root inode, without the primary's help; NULL_INO if it can't be found */
xino_t sb_root_find(const struct sb_candidates *all, const struct sb_candidate *chosen);
/* sb_uuid.c: if the superblock should have a meta_uuid but has none, take that of AGFs into rc->geo. 0 or -ENOMEM. */
int sb_uuid_learn(struct repair *rc);

#endif
