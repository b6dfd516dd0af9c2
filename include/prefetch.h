/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contract of prefetch/: the sweep, which reads what is wanted in the order of the disk.  Each wanted run of blocks is
 * posted as an item.  Every group (AG) has its own queues: one for items ahead of the current position, one for items
 * behind it.  A worker takes one group at a time, reads the items ahead in ascending order, merging neighbours into one
 * request, and hands the bytes over.  Items that are posted behind the position meanwhile are read in the next pass.
 */
#ifndef XFSCK_PREFETCH_H
#define XFSCK_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <urcu/wfcqueue.h>

#include "cache.h"

/*
 * A run of bytes to read.  Embed it as the first member of a struct of your own.  unit is the smallest piece that can
 * be used by itself (a directory block, an inode cluster).  A long item is handed over in several calls of arrived(),
 * in ascending order, each with whole units.  From sweep_post() to the call with last == true it belongs to the sweep;
 * that call may free it.
 */
struct sweep_item {
	struct cds_wfcq_node node; /* this and the next two are set by the sweep */
	bool posted;
	bool begun;	 /* a request for a part of it has been made */
	uint64_t offset; /* byte on the device; the sweep changes it as parts are requested */
	uint64_t length; /* bytes, a multiple of unit; likewise */
	uint32_t unit;	 /* bytes, at most SWEEP_MAX_UNIT */
	bool early;	 /* read it before all others, since it leads to so many (upper levels of AG btrees) */
	bool anywhere;	 /* it may be handed to any worker, so that those without a group can help */
	bool source;	 /* it leads to many others (inode chunks): hold it back while the queues are full */
	bool parks;	 /* sweep_hold() may set it aside before it is read */
};

#define SWEEP_MAX_UNIT (256u << 10)

struct sweep_ops {
	/*
	 * An item or a part of it has been read: the len bytes at byte `offset` of the device, which are valid during
	 * the call only.  worker: the index of the thread that calls this.  It is the one that holds the group or, if
	 * all of the item is handed over and it may go `anywhere`, any.  This may post items to any group.
	 */
	void (*arrived)(void *ctx, unsigned worker, struct sweep_item *item, const uint8_t *bytes, uint64_t offset,
			uint32_t len, bool last);
	/*
	 * May be NULL.  An item will arrive soon: prefetch into the processor's cache what will be needed then (see
	 * ahead.h).  It is called twice: first for what the item itself leads to, then, with `sooner`, for what can be
	 * reached through that.
	 */
	void (*ahead)(const struct sweep_item *item, bool sooner);
	void *ctx;
};

struct sweep_options {
	unsigned workers;	 /* threads, at least 1 */
	unsigned depth;		 /* reads in flight per worker, at most */
	uint32_t merge_gap;	 /* bytes: the largest gap between two items that is read through, ... */
	uint32_t gap_share;	 /* ... if all gaps of a pass are at most 1/gap_share of wanted bytes; 0: no limit */
	uint32_t slow_merge_gap; /* bytes: replaces both if requests turn out to be slow or limited in number */
	uint32_t max_request;	 /* bytes: the largest request if requests are slow; else smaller ones are used */
	size_t max_queued;	 /* if more items are queued in groups being swept, sources are held back */
	unsigned group_stride;	 /* so many neighbouring groups share a spindle: one is swept at a time; 0: no rule */
	size_t window_bytes; /* per worker: requests in flight, and those read last in case more items lie in them */
};

struct sweep;

/* groups: their number.  device must outlive the sweep.  0 or -ENOMEM. */
int sweep_create(struct device *device, unsigned groups, const struct sweep_options *options,
		 const struct sweep_ops *ops, struct sweep **ret_sweep);
void sweep_destroy(struct sweep *sweep);

/* Post an item to a group.  worker: 0 before sweep_run(), and in arrived() the worker that was passed to it. */
void sweep_post(struct sweep *sweep, unsigned worker, unsigned group, struct sweep_item *item);

/* Read and hand over items until the queues of all groups are empty.  0 or negative errno.  May be called again. */
int sweep_run(struct sweep *sweep);

/*
 * Come to a halt soon, where everything that was begun is done with: what parks is set aside from now on, instead of
 * being read, and all else that is wanted, and what it leads to, is read.  Then sweep_run() returns.  Any thread may
 * call it while the sweep runs, or before.
 */
void sweep_hold(struct sweep *sweep);
/* While it does not run: whether it was held, so that there may be items that were set aside. */
bool sweep_held(const struct sweep *sweep);
/* Take the next item of a group that was set aside; NULL: there are no more.  sweep_post() makes it wanted again. */
struct sweep_item *sweep_take_parked(struct sweep *sweep, unsigned group);
/* The same of those that were posted and that no sweep_run() has taken in: for who will not run it any more. */
struct sweep_item *sweep_take_posted(struct sweep *sweep, unsigned group);
/* Don't hold the next sweep_run(). */
void sweep_let_go(struct sweep *sweep);

struct sweep_counts {
	uint64_t items;	 /* items taken from where they were posted */
	uint64_t merged; /* items that shared a request with an earlier one */
	uint64_t kept;	 /* items served from what earlier sweeps had read */
	uint64_t reused; /* items served from a request that was already read or in flight */
	uint64_t passes; /* sweeps over a group */
	uint64_t bytes_wanted;
};
/* Bytes that were wanted so far; any thread may ask, at any time. */
uint64_t sweep_wanted(const struct sweep *sweep);
/* To be called while it does not run. */
void sweep_counts(const struct sweep *sweep, struct sweep_counts *ret_counts);

#endif
