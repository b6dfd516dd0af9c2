/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing the superblock that the run relies on. */
#ifndef XFSCK_REPAIR_SB_CHOOSE_H
#define XFSCK_REPAIR_SB_CHOOSE_H

#include "sb_candidates.h"

struct repair;

struct sb_choice {
	struct repair *rc;
	struct sb_candidates list;
	const struct sb_candidate *chosen; /* one of the list; NULL: none is usable */
	int error;
};

/*
 * Find the superblock to believe.  PHASE_FAILED: the user has been told why.  In either case the caller frees the list
 * of candidates.
 */
enum phase_result sb_look(struct repair *rc, struct sb_choice *choice);
/* True if others may contradict the one that was chosen, so that they may be tried (trial.h). */
bool sb_is_contested(const struct sb_choice *choice);
/*
 * Report what is wrong with the primary, and fill rc->geo, and rc->primary with the sector of the primary as it should
 * be.  PHASE_STOP: no superblock can be used, which has been reported.
 */
enum phase_result sb_take(struct sb_choice *choice);

/*
 * sb_adopt.c: rely on `chosen`, one of all.  If the primary, the first of all, is another one with few wrong fields,
 * these are taken from `chosen`; else the primary is lost, and the root inode is looked for.
 */
enum phase_result sb_adopt(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate *chosen);
/*
 * No superblock can be used: derive one from the rest of the device.  *ret_adopted false: that was not possible, and if
 * something of XFS was found the user has been told what is missing. 0 or negative errno.
 */
int sb_adopt_derived(struct repair *rc, struct sb_candidates *all, bool *ret_adopted);

/* sb_root.c: the number of the root inode, without the primary's help; NULL_INO if it can't be found */
xino_t sb_root_find(const struct sb_candidates *all, const struct sb_candidate *chosen);
/* sb_uuid.c: if the superblock should have a meta_uuid but has none, take that of AGFs into rc->geo. 0 or -ENOMEM. */
int sb_uuid_learn(struct repair *rc);

#endif
