/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides by trials.  If assumptions of wide consequence contradict each other, the file system is silently checked
 * with each, and the trials are compared by what they keep.
 */
#ifndef XFSCK_REPAIR_TRIAL_H
#define XFSCK_REPAIR_TRIAL_H

#include <stdbool.h>

#include "base/sink.h"
#include "check/kept.h"
#include "log/log_across.h"
#include "log/log_transactions.h"

struct repair;
struct sb_candidate;
struct sb_candidates;

/* A superblock to try. */
struct trial {
	/* fills geo and primary of a check, which otherwise starts like the caller's */
	enum phase_result (*adopt)(void *ctx, struct repair *check);
	void *ctx;
	const struct sink *beside; /* also gets all facts; NULL: none */
	bool usable;		   /* set by the trial: the file system could be checked with it */
	struct kept kept;
};

/* Runs a trial.  Stages nothing, and reports only progress.  Returns 0 or a negative errno. */
int trial_run(struct repair *rc, struct trial *trial);

/*
 * Tries superblocks if they contradict each other.  *chosen: the preferred one before, the best one afterwards.
 * Returns 0 or a negative errno.
 */
int sb_try(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate **chosen);

/* The two ways to replay a log with a hole: up to it, or also the part behind it. */

struct log_ways {
	struct trial upto, across;
	struct log_across *learnt; /* about the part behind the hole; NULL: a replay across it is impossible */
};

/* Replays the log up to a mark into the overlay, across holes if rc->run->log_across is set, as replay_log(). */
typedef int log_replay_fn(struct repair *rc, struct log_mark until, struct log_mark *ret_end);

/*
 * Tries both ways in memory, and leaves the overlay as it was.  hole: where the replay stopped.  Returns 0 or a
 * negative errno; call log_ways_free() in any case.
 */
int log_ways_try(struct repair *rc, log_replay_fn *replay, struct log_mark hole, struct log_ways *ret);
/* Reports what each way keeps, and what it loses. */
void log_ways_tell(const struct repair *rc, const struct log_ways *ways);
/* True if the replay across the hole is the better way: as it is the later state, unless it keeps much less. */
bool log_ways_is_across(const struct log_ways *ways);
void log_ways_free(struct log_ways *ways);

#endif
