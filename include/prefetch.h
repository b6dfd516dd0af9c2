/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of prefetch/: the sweep, which reads blocks in disk order.  Each wanted run of blocks is posted as an
 * item.  Every group (AG) has two queues: one for items ahead of the current position, one for items behind it.  A
 * worker takes one group at a time, reads the items ahead in ascending order, merges neighbours into one request, and
 * passes the bytes on.  Items that are posted behind the position are read in the next pass.
 */
#ifndef XFSCK_PREFETCH_H
#define XFSCK_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <urcu/wfcqueue.h>

#include "cache.h"

/*
 * A run of bytes to read.  Embed it as the first member of a struct of your own.  unit is the smallest usable part (a
 * directory block, an inode cluster).  A long item arrives in several calls of arrived(), in ascending order, each with
 * whole units.  The sweep owns it from sweep_post() to the call with last == true; that call may free it.
 */
struct sweep_item {
	struct cds_wfcq_node node; /* the sweep sets this and the next two */
	bool posted;
	bool begun;	 /* a part of it has been requested */
	uint64_t offset; /* byte on the device; the sweep changes it as parts are requested */
	uint64_t length; /* bytes, a multiple of unit; changed likewise */
	uint32_t unit;	 /* bytes, at most SWEEP_MAX_UNIT */
	bool early;	 /* read it before all others, since so many depend on it (upper levels of AG btrees) */
	bool anywhere;	 /* any worker may process it, so that idle workers can help */
	bool source;	 /* many others follow from it (inode chunks): hold it back while the queues are full */
	bool parks;	 /* sweep_hold() may set it aside before it is read */
};

#define SWEEP_MAX_UNIT (256u << 10)

struct sweep_ops {
	/*
	 * Processes an item or a part of it: the len bytes at byte `offset` of the device, which are valid during the
	 * call only.  worker: the index of the calling thread.  That is the thread that holds the group or, if the item
	 * is complete in this call and may be processed `anywhere`, any.  May post items to any group.
	 */
	void (*arrived)(void *ctx, unsigned worker, struct sweep_item *item, const uint8_t *bytes, uint64_t offset,
			uint32_t len, bool last);
	/*
	 * May be NULL.  Prefetches into the processor's cache what an item will need that arrives soon (see ahead.h).
	 * Called twice: first for what the item itself refers to, then, with `sooner`, for what can be reached through
	 * that.
	 */
	void (*ahead)(const struct sweep_item *item, bool sooner);
	void *ctx;
};

struct sweep_options {
	unsigned workers;	 /* threads, at least 1 */
	unsigned depth;		 /* maximum of reads in flight per worker */
	uint32_t merge_gap;	 /* bytes: the largest gap between two items that is read through, ... */
	uint32_t gap_share;	 /* ... if all gaps of a pass are at most 1/gap_share of wanted bytes; 0: no limit */
	uint32_t slow_merge_gap; /* bytes: replaces both if requests turn out to be slow, or their number is limited */
	uint32_t max_request;	 /* bytes: the largest request if requests are slow; otherwise smaller ones are used */
	size_t max_queued;	 /* if more items are queued in groups being swept, sources are held back */
	unsigned group_stride; /* neighbouring groups that share a disk, of which one is swept at a time; 0: none do */
	size_t window_bytes;   /* per worker: buffers of reads in flight, and of recent ones for items posted later */
};

struct sweep;

/* Creates a sweep over this number of groups.  device must outlive it.  0 or -ENOMEM. */
int sweep_create(struct device *device, unsigned groups, const struct sweep_options *options,
		 const struct sweep_ops *ops, struct sweep **ret_sweep);
void sweep_destroy(struct sweep *sweep);

/* Posts an item to a group.  worker: 0 before sweep_run(); in arrived() the worker that was passed to it. */
void sweep_post(struct sweep *sweep, unsigned worker, unsigned group, struct sweep_item *item);

/* Reads and processes items until the queues of all groups are empty.  0 or negative errno.  May be called again. */
int sweep_run(struct sweep *sweep);

/*
 * Stops the sweep soon, in a consistent state: items that `park` are set aside from now on; all others, and what
 * follows from them, are still read.  Then sweep_run() returns.  Any thread may call this, while the sweep runs or
 * before.
 */
void sweep_hold(struct sweep *sweep);
/* True if the sweep was held, so that items may have been set aside.  Only while it does not run. */
bool sweep_held(const struct sweep *sweep);
/* Takes the next item of a group that was set aside; NULL: there are no more.  sweep_post() posts it again. */
struct sweep_item *sweep_take_parked(struct sweep *sweep, unsigned group);
/*
 * Like sweep_take_parked(), for items that were posted and that no sweep_run() has processed: if it will not run again.
 */
struct sweep_item *sweep_take_posted(struct sweep *sweep, unsigned group);
/* Cancels sweep_hold() for the next sweep_run(). */
void sweep_let_go(struct sweep *sweep);

struct sweep_counts {
	uint64_t items;	 /* items taken from the queues of posts */
	uint64_t merged; /* items that shared a request with an earlier one */
	uint64_t kept;	 /* items served from the cache of earlier sweeps */
	uint64_t reused; /* items served from a request that was already read or in flight */
	uint64_t passes; /* passes over a group */
	uint64_t bytes_wanted;
};
/* Bytes posted so far; any thread may call this at any time. */
uint64_t sweep_wanted(const struct sweep *sweep);
/* Only while the sweep does not run. */
void sweep_counts(const struct sweep *sweep, struct sweep_counts *ret_counts);

#endif
