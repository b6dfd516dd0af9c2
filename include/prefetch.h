/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contract of prefetch/: the sweep.  What is wanted is posted as items, by
 * place on the device; every group (AG) has its own queues, split by the
 * position of the read head into ahead and behind.  A worker takes one group at a time and
 * reads what is ahead in ascending order, merging neighbours, and hands the
 * bytes over; what was posted behind the head meanwhile is the next pass.
 */
#ifndef XFSCK_PREFETCH_H
#define XFSCK_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <urcu/wfcqueue.h>

#include "cache.h"

/*
 * Something to read: embed it first in a struct of your own.  unit is the smallest piece that makes sense alone
 * (a directory block, an inode cluster); a long item is handed over in several calls, each a multiple of units, in
 * ascending order, the last with last == true.  After that the item is the owner's again (free it there).
 */
struct sweep_item {
	struct cds_wfcq_node node; /* the sweep's, with posted */
	bool posted;
	bool begun;	 /* a part of it has been asked for; the sweep's */
	uint64_t offset; /* bytes on the device; the sweep moves it on */
	uint64_t length; /* bytes left, a multiple of unit; likewise */
	uint32_t unit;	 /* bytes, at most SWEEP_MAX_UNIT */
	bool early;	 /* must be known before the pass begins (upper levels of AG btrees): read before all others */
	bool anywhere;	 /* may come to any worker: while one has no group of its own it helps with these */
	bool source;	 /* makes many others (inode chunks): held back while the queues are full */
};

#define SWEEP_MAX_UNIT (256u << 10)

struct sweep_ops {
	/*
	 * bytes: len bytes that lie at byte `offset` of the device, valid during the call only.  Runs in the worker of
	 * the group, one that is whole and may come to any perhaps in another; may post items to any group.  worker:
	 * index of the thread.
	 */
	void (*arrived)(void *ctx, unsigned worker, struct sweep_item *item, const uint8_t *bytes, uint64_t offset,
			uint32_t len, bool last);
	/*
	 * May be NULL.  An item will arrive soon: ask for what is needed then (see ahead.h), as far as that can be told
	 * from the item, and when it is called again, sooner, from what it asked for before.
	 */
	void (*ahead)(const struct sweep_item *item, bool sooner);
	void *ctx;
};

struct sweep_options {
	unsigned workers;   /* threads, at least 1 */
	unsigned depth;	    /* reads in flight per worker */
	uint32_t merge_gap; /* bytes: a hole between two items, no larger than this, is read through, */
	uint32_t gap_share; /* as long as these are at most 1/gap_share of what is wanted; 0: whatever they are */
	/* the largest where requests turn out to be dear, in place of both: a remote medium, one that counts them */
	uint32_t slow_merge_gap;
	uint32_t max_request;  /* bytes, where requests are dear; elsewhere smaller ones do as well */
	size_t max_queued;     /* items queued in groups that are being swept before sources are held back */
	unsigned group_stride; /* this many neighbouring groups share a spindle: one of them is swept at a time; 0: no
				  such rule */
	size_t window_bytes; /* per worker: what is in flight, and what was read last, for items that turn out to lie in
				it */
};

struct sweep;

int sweep_create(struct device *device, unsigned groups, const struct sweep_options *options,
		 const struct sweep_ops *ops, struct sweep **ret_sweep);
void sweep_destroy(struct sweep *sweep);

/* Post an item to a group: before sweep_run() as worker 0, during it from what arrived, as the worker it came to. */
void sweep_post(struct sweep *sweep, unsigned worker, unsigned group, struct sweep_item *item);

/* Work until every group's queues are empty. 0 or the negative errno that stopped it. May be called again. */
int sweep_run(struct sweep *sweep);

struct sweep_counts {
	uint64_t items;	 /* taken in */
	uint64_t merged; /* items that shared a request with an earlier one */
	uint64_t kept;	 /* items served from what earlier sweeps had read */
	uint64_t reused; /* items served from a request that was already read or in flight */
	uint64_t passes; /* sweeps over a group */
	uint64_t bytes_wanted;
};
void sweep_counts(const struct sweep *sweep, struct sweep_counts *ret_counts);

#endif
