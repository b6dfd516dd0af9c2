/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses between the two ways to replay a log with a hole: up to it, or also what lies behind it. */
#ifndef XFSCK_REPAIR_LOG_WAYS_H
#define XFSCK_REPAIR_LOG_WAYS_H

#include "log/log_across.h"
#include "log/log_transactions.h"
#include "trial.h"

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
