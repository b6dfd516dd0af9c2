/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running menders, within a round and at its end. */
#ifndef XFSCK_REPAIR_MEND_RUN_H
#define XFSCK_REPAIR_MEND_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "phases.h"

struct damage;
struct found;
struct mend;

/* Sort these findings, at least one, and have the mender of m->kind mend them. 0 or a negative errno. */
int mend_run(struct mend *m, struct found *found, size_t count);

/* Mend all that was added by mend_follows(). 0 or a negative errno. */
int mend_follows_run(struct mend *m);
/* Free what was kept for a round, and at the end of all rounds the rest. */
void mend_round_end(struct mend *m);
void mend_end(struct mend *m);

/* What --trace tells of mending.  All of these do nothing if no trace is wanted. */

/* What there was before a mender ran. */
struct mend_trace {
	uint64_t start, done, dropped, in_vain;
};
struct mend_trace mend_trace_begin(const struct mend *m);
/* A line for the mender at work, which was given so many findings; ret: what it returned. */
void mend_trace_mender(const struct mend *m, size_t given, const struct mend_trace *before, int ret);
/* A line for the mender m->kind that is not asked, since it was given the same findings before. */
void mend_trace_same(const struct mend *m, const struct damage *damage);

/* A line for a check: how deep it went by now, and what it has found so far, by the menders that it waits for. */
void mend_trace_check(const struct mend *m, const struct damage *damage, const char *depth, uint64_t start);

/* Lost blocks, by the survey that came with a check: what menders of lost names and extents need to know of groups. */

/*
 * Whether some groups' accounts don't balance, and lost blocks, together with what is wrong in the groups' own space
 * trees, explain that: then these trees can be built anew without locating exact differences.  False also if the survey
 * can't tell.
 */
bool mend_lost_is_all(struct mend *m);
/*
 * The same within a round, after inodes and their maps have been mended: claims that the check could not know are added
 * to the survey first, if they can be read now.  0 or negative errno.
 */
int mend_lost_is_all_now(struct mend *m, bool *ret_all);
/* If so: add a finding for each run of lost blocks. 0 or -ENOMEM. */
int mend_lost_add(const struct mend *m, struct damage *damage);

/* What becomes of a plan in the end. */

/*
 * Write the plan that the user wants; or tell what a plan lacks: which of its fixes must come along, as what is left
 * waits for them, and which others were made, so that nothing is written.  left: the last check's damage.  If that
 * fails, the reason is reported.
 */
enum phase_result plan_end(struct mend *m, const struct damage *left);

#endif
