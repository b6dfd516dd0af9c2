/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_SB_TRY_H
#define XFSCK_REPAIR_SB_TRY_H

struct repair;
struct sb_candidate;
struct sb_candidates;

/*
 * If superblocks contradict each other, try them; *chosen, the one to believe before, is the best then. 0 or negative
 * errno.
 */
int sb_try(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate **chosen);

#endif
