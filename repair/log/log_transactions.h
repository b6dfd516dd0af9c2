/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The transactions that wait for replay, whole ones only, in the order in which they were committed (ondisk 11,
 * "Recovery rules").  Memory is bounded by `limit`: regions are read again from the log where they don't fit.
 */
#ifndef XFSCK_REPAIR_LOG_TRANSACTIONS_H
#define XFSCK_REPAIR_LOG_TRANSACTIONS_H

#include "libxfs/log.h"
#include "libxfs/log_item.h"
#include "log_source.h"

/* A place between transactions: behind all that records before this one commit, and the first so many that it does. */
struct log_mark {
	lsn_t record;
	uint32_t commits;
};

static inline bool log_mark_same(struct log_mark a, struct log_mark b)
{
	return a.record.v == b.record.v && a.commits == b.commits;
}

struct log_transaction {
	lsn_t lsn;		   /* of the record that it starts in: what it replays is dated with it */
	struct log_mark committed; /* right before it */
	uint32_t tid;
	uint32_t nitems;
};

/* One item of a transaction; its regions are good during the call. Other than 0 ends the walk. */
typedef int log_item_fn(void *ctx, const struct log_transaction *transaction, const struct log_item *item);

/* Which items of a transaction, and in which order: each class in the order of the log. */
enum log_walk {
	LOG_WALK_LOGGED,   /* as they were logged: to collect what was cancelled, intents, counts */
	LOG_WALK_RECOVERY, /* buffers and icreates; inodes, dquots, intents; unlinked pointers; cancels */
};

/* What of a log to go through, and how. */
struct log_range {
	const struct log_source *log;
	const struct log_state *state;
	uint64_t bbs;	       /* of all of the log */
	struct log_mark until; /* no commits of the head: all there is */
	enum log_walk walk;
	size_t limit; /* bytes of memory */
};

/*
 * Where the log stops making sense it is reported once, and *ret_end is behind the last transaction before that; else
 * it is range->until.  Transactions that are not committed before the head don't count, nor do those that are committed
 * behind that.  0, what fn returned, or a negative errno.
 */
int log_transactions_each(const struct check *c, const struct log_range *range, log_item_fn *fn, void *ctx,
			  struct log_mark *ret_end);

#endif
