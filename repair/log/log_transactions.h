/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the complete transactions of the log, in the order in which they were committed (ondisk 11, "Recovery rules").
 * Memory is bounded by log_range.limit: payloads that don't fit are read again from the log.
 */
#ifndef XFSCK_REPAIR_LOG_TRANSACTIONS_H
#define XFSCK_REPAIR_LOG_TRANSACTIONS_H

#include "libxfs/log.h"
#include "libxfs/log_item.h"
#include "log_source.h"

/*
 * A place between two transactions: behind all that are committed in records before `record`, and behind the first
 * `commits` of those that are committed in it.
 */
struct log_mark {
	lsn_t record;
	uint32_t commits;
};

static inline bool log_mark_same(struct log_mark a, struct log_mark b)
{
	return a.record.v == b.record.v && a.commits == b.commits;
}

struct log_transaction {
	lsn_t lsn;		   /* of the record that it starts in; metadata that it changes gets this LSN */
	struct log_mark committed; /* the place right before it */
	uint32_t tid;
	uint32_t nitems;
	uint32_t holes; /* before it; 0 unless log_range.across */
};

/* Called for an item of a transaction; its regions are valid during the call.  Other results than 0 end the walk. */
typedef int log_item_fn(void *ctx, const struct log_transaction *transaction, const struct log_item *item);

/* True if an item is to be visited.  Called just before the visit, so the result may depend on earlier items. */
typedef bool log_wanted_fn(void *ctx, const struct log_item_head *head);

/* The order in which the items of a transaction are visited. */
enum log_walk {
	LOG_WALK_LOGGED,   /* as they were logged: to collect cancellations, intents, counts */
	LOG_WALK_RECOVERY, /* buffers, icreates; inodes, dquots, intents; unlinked pointers; cancels: each as logged */
};

struct log_index;

/* The part of a log to read, and how. */
struct log_range {
	const struct log_source *log;
	const struct log_state *state; /* from its tail ... */
	uint64_t bbs;		       /* blocks of the whole log */
	struct log_mark until;	       /* ... to here; { head, 0 }: all */
	enum log_walk walk;
	size_t limit; /* bytes of memory */
	bool across;  /* continue behind damaged records, with the transactions that begin there */
	/*
	 * Bytes that the list of fragments may take, even beyond the limit, since a transaction is not visited in
	 * parts; 0: no more than the limit.  Sets *beyond, unless NULL, to true if it takes more than the limit.
	 */
	size_t most;
	bool *beyond;
	log_wanted_fn *wanted;	 /* NULL: visit all items */
	struct log_index *index; /* NULL, or gets all items: see log_index.h */
};

/*
 * Calls fn for each wanted item of each transaction committed in the range; others are ignored.  *ret_end is
 * range->until, but if the log becomes invalid, that is reported once, and *ret_end is behind the last transaction
 * before that.  Returns 0, fn's result, or a negative errno.
 */
int log_transactions_each(const struct check *c, const struct log_range *range, log_item_fn *fn, void *ctx,
			  struct log_mark *ret_end);

#endif
