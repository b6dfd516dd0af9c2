/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs menders, in a round and at its end. */
#ifndef XFSCK_REPAIR_MEND_RUN_H
#define XFSCK_REPAIR_MEND_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "phases.h"

struct damage;
struct found;
struct mend;

/* Sorts these findings, at least one, and has the mender m->kind mend them. 0 or negative errno. */
int mend_run(struct mend *m, struct found *found, size_t count);

/* Has the findings added by mend_follows() mended. 0 or negative errno. */
int mend_follows_run(struct mend *m);
/* These free what was kept for a round, and for all rounds. */
void mend_round_end(struct mend *m);
void mend_end(struct mend *m);

/* Output of --trace about mending; without --trace, these do nothing. */

/* State before a mender ran. */
struct mend_trace {
	uint64_t start, done, dropped, in_vain;
};
struct mend_trace mend_trace_begin(const struct mend *m);
/* Prints a line about the mender at work. given: number of its findings; ret: its result. */
void mend_trace_mender(const struct mend *m, size_t given, const struct mend_trace *before, int ret);
/* Prints a line about the mender m->kind, which is skipped because it got the same findings before. */
void mend_trace_same(const struct mend *m, const struct damage *damage);

/* Prints a line about a check: its depth, and its findings so far, by mender. */
void mend_trace_check(const struct mend *m, const struct damage *damage, const char *depth, uint64_t start);

/* Unowned blocks, by the survey that came with a check: menders of lost entries and extents need them. */

/*
 * True if accounts of some AGs don't balance, and unowned blocks together with errors in the AGs' own space btrees
 * explain all of that: these btrees can be rebuilt without locating exact differences.  False also if the survey can't
 * tell.
 */
bool mend_unowned_is_all(struct mend *m);
/*
 * Likewise within a round, after inodes and their maps have been mended: first adds claims to the survey that the check
 * could not know, if they are readable now.  0 or negative errno.
 */
int mend_unowned_is_all_now(struct mend *m, bool *ret_all);
/* Adds a finding for each run of unowned blocks, after one of these was true. 0 or -ENOMEM. */
int mend_unowned_add(const struct mend *m, struct damage *damage);

/*
 * At the end, writes the plan for the user; or reports which fixes a plan lacks: those that the remaining damage needs,
 * and those that were made in addition, so that nothing is written.  left: damage in the last check.  Failures are
 * reported.
 */
enum phase_result plan_end(struct mend *m, const struct damage *left);

#endif
