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
	bool early;	 /* read before all others, since it leads to so many (upper levels of AG btrees) */
	bool anywhere;	 /* may be handed to any worker: those without a group help with these */
	bool source;	 /* leads to many others (inode chunks): held back while the queues are full */
};

#define SWEEP_MAX_UNIT (256u << 10)

struct sweep_ops {
	/*
	 * An item, or a part of it, has been read: the len bytes at byte `offset` of the device, valid during the call
	 * only.  Called in the worker of the group, or in any other if the item is whole and may go `anywhere`; worker:
	 * the index of that thread.  May post items to any group.
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
	unsigned depth;		 /* reads in flight per worker */
	uint32_t merge_gap;	 /* bytes: a gap between two items, if no larger than this, is read through ... */
	uint32_t gap_share;	 /* ... while all gaps are at most 1/gap_share of the wanted bytes; 0: no such limit */
	uint32_t slow_merge_gap; /* bytes: replaces both if requests turn out to be slow or limited in number */
	uint32_t max_request;	 /* bytes: the largest request if requests are slow; else smaller ones do as well */
	size_t max_queued;	 /* items queued in groups that are being swept before sources are held back */
	unsigned group_stride;	 /* this many neighbouring groups share a spindle: one of them is swept at a time; 0: no
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
