/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which superblock the run relies on. */
#ifndef XFSCK_REPAIR_SB_CHOOSE_H
#define XFSCK_REPAIR_SB_CHOOSE_H

#include "repair.h"
#include "sb_candidates.h"

/*
 * Find the superblock to believe, report what is wrong with the primary, and fill rc->geo and rc->primary: the sector
 * of the primary as it should be, where it differs from what was read.  PHASE_STOP: there is none, and it was said.
 */
enum phase_result sb_choose(struct repair *rc);

/* sb_adopt.c: the primary, the first of all, is believed. */
enum phase_result sb_adopt_primary(struct repair *rc, const struct sb_candidates *all);
/* The same, but for what others say better: `chosen` is another, alike or not. */
enum phase_result sb_adopt_fields(struct repair *rc, const struct sb_candidates *all,
				  const struct sb_candidate *chosen);
/* The primary is lost, chosen takes its place; all: those it agrees with among others. */
enum phase_result sb_adopt_whole(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate *chosen);
/* No superblock is left: make one of the rest, or say what is missing. *ret_adopted, else what was found is no use. */
int sb_adopt_derived(struct repair *rc, struct sb_candidates *all, bool *ret_adopted);
/* How many fields differ that must not. */
unsigned sb_adopt_differences(const struct sb_candidate *a, const struct sb_candidate *b);

/* sb_root.c: the root directory's inode, NULL_INO if it can't be found */
xino_t sb_root_find(const struct sb_candidates *all, const struct sb_candidate *chosen);
/* sb_uuid.c: where superblocks lack the uuid of the metadata, rc->geo gets the one that blocks have. 0 or -ENOMEM. */
int sb_uuid_learn(struct repair *rc);

#endif
