/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the superblock for the run. */
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
 * Finds the best superblock.  Returns PHASE_FAILED after reporting the reason.  The caller frees the list of candidates
 * in either case.
 */
enum phase_result sb_look(struct repair *rc, struct sb_choice *choice);
/* True if others may contradict the chosen one, so that trials may be needed (trial.h). */
bool sb_is_contested(const struct sb_choice *choice);
/*
 * Reports the faults of the primary, and fills rc->geo, and rc->primary with the corrected sector of the primary.
 * Returns PHASE_STOP, after reporting it, if no superblock can be used.
 */
enum phase_result sb_take(struct sb_choice *choice);

/*
 * sb_adopt.c: uses `chosen`, one of all.  If the primary, the first of all, differs in few wrong fields, these are
 * taken from `chosen`; else the primary is lost, and the root inode is looked for.
 */
enum phase_result sb_adopt(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate *chosen);
/*
 * Derives a superblock from the rest of the device, if none can be used.  *ret_adopted: false if that was impossible;
 * if there are traces of XFS, the missing parts have been reported.  Returns 0 or a negative errno.
 */
int sb_adopt_derived(struct repair *rc, struct sb_candidates *all, bool *ret_adopted);

/* sb_root.c: finds the number of the root inode without the primary; NULL_INO if that is impossible. */
xino_t sb_root_find(const struct sb_candidates *all, const struct sb_candidate *chosen);
/* sb_uuid.c: if the superblock should have a meta_uuid but has none, takes that of AGFs into rc->geo.  0 or -ENOMEM. */
int sb_uuid_learn(struct repair *rc);

#endif
