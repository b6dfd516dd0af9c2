/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deciding by trying.  Where beliefs of wide consequence contradict each other, and much hangs on them, the file system
 * is checked by each, in silence, and what each keeps is measured.
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
	/* fills geo and primary of a check, which otherwise begins as the one that wants to know */
	enum phase_result (*adopt)(void *ctx, struct repair *check);
	void *ctx;
	const struct sink *beside; /* also gets all facts; NULL: none */
	bool usable;		   /* set by the trial: the file system could be checked by it */
	struct kept kept;
};

/* Nothing is staged, and nothing told but progress.  0 or negative errno. */
int trial_run(struct repair *rc, struct trial *trial);

/*
 * If superblocks contradict each other, try them; *chosen, the one to believe before, is the best then. 0 or negative
 * errno.
 */
int sb_try(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate **chosen);

/* Chooses between the two ways to replay a log with a hole: up to it, or also what lies behind it. */

struct log_ways {
	struct trial upto, across;
	struct log_across *learnt; /* behind the hole; NULL: a replay across it can't be done */
};

/* Replays the log up to a mark into the overlay, across holes if rc->run->log_across is set.  As replay_log(). */
typedef int log_replay_fn(struct repair *rc, struct log_mark until, struct log_mark *ret_end);

/*
 * Try both, in memory: hole: where the replay stopped.  The overlay is as before then.  0 or negative errno; call
 * log_ways_free() in any case.
 */
int log_ways_try(struct repair *rc, log_replay_fn *replay, struct log_mark hole, struct log_ways *ret);
/* Tell the user what either keeps, and what it costs. */
void log_ways_tell(const struct repair *rc, const struct log_ways *ways);
/* True if the replay across the hole is the better way: unless it keeps much less, as it is the later state. */
bool log_ways_is_across(const struct log_ways *ways);
void log_ways_free(struct log_ways *ways);

#endif
