/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two passes of log replay (ondisk 11, "Recovery rules").  The first collects the buffers that were cancelled
 * because their blocks were freed, and decodes every item, so that a log with an invalid item is not replayed at all.
 * The second applies the items.  An item whose place on the disk is damaged is skipped; when that place is mended, the
 * item can still be taken from the log (log_history.h).  Buffers get the LSN of a transaction only after the last
 * transaction with that LSN, since a buffer with the same or a newer LSN would not be changed.
 */
#include "base/over_memory.h"
#include "replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/ag.h"
#include "disk/log.h"
#include "intents.h"
#include "repair.h"
#include "report.h"
#include "run.h"

#define CACHE_BYTES (32u << 20) /* at most */

bool replay_leaves_out(enum finding finding)
{
	return finding == F_LOG_REPLAY_NOT_INODE || finding == F_LOG_REPLAY_NOT_DQUOT || finding == F_LOG_REPLAY_BMBT;
}

/*
 * Reports a problem at its place in the log.  Problems of decoders have the index of the item's region, and the offset
 * in it; others are about the target of the item, and are reported for its first region.
 */
static void report(void *ctx, const struct problem *problem)
{
	struct replay *r = ctx;
	struct problem p = *problem;
	bool in_region = p.index < r->item->nregions;
	const struct log_region *region = &r->item->regions[in_region ? p.index : 0];

	p.offset = region->at + (in_region ? p.offset : 0);
	p.index = p.offset / LOG_BLOCK;
	if (!replay_leaves_out(p.finding) && !r->problems++)
		r->bad = r->committed;
	spot_report(&r->spot, &p);
}

static int collect_buf(struct replay *r, const struct log_item *item)
{
	struct log_buf buf;
	uint32_t *count;

	if (!log_buf_decode(&r->check, item, &buf))
		return 0;
	if (!(buf.flags & LOG_BUF_CANCEL)) {
		replay_sb_follow(r, item, &buf);
		return replay_want(r, buf.daddr, buf.len);
	}
	count = extent_counts_add(&r->cancelled, buf.daddr, buf.len);
	if (!count)
		return -ENOMEM;
	++*count;
	return 0;
}

/*
 * Handles a hole in pass 1.  Operations that waited before it may have been completed in it, and can't be completed
 * again; the check finds anything that is missing.  Returns 0 or -ENOMEM.
 */
static int pass_hole(struct replay *r, uint32_t holes)
{
	r->holes = holes;
	intents_free(r->rc->run->intents);
	r->rc->run->intents = intents_new();
	return r->rc->run->intents ? 0 : -ENOMEM;
}

static int collect_inode(struct replay *r, const struct log_item *item)
{
	struct log_inode inode;

	if (!log_inode_decode(&r->check, item, &inode))
		return 0;
	if (r->holes && log_across_note(r->across, &inode, r->holes))
		return -ENOMEM;
	return replay_want(r, inode.daddr, inode.len);
}

/* Handles an item in pass 1. */
static int collect(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	struct replay *r = ctx;
	union {
		struct log_icreate icreate;
		struct log_dquot dquot;
	} found;
	uint32_t types = 0;
	int ret;

	__atomic_fetch_add(&r->progress, 1, __ATOMIC_RELAXED);
	r->item = item;
	r->counts->transactions += !log_mark_same(transaction->committed, r->committed);
	r->committed = transaction->committed;
	if (transaction->holes != r->holes && pass_hole(r, transaction->holes))
		return -ENOMEM;
	r->counts->items++;
	switch (item->type) {
	case LI_BUF:
		r->counts->buffers++;
		return collect_buf(r, item);
	case LI_INODE:
		r->counts->inodes++;
		return collect_inode(r, item);
	case LI_ICREATE:
		r->counts->icreates++;
		log_icreate_decode(&r->check, item, &found.icreate);
		return 0;
	case LI_DQUOT:
		r->counts->dquots++;
		if (!log_dquot_decode(&r->check, item, &found.dquot))
			return 0;
		return replay_want(r, found.dquot.daddr, found.dquot.len);
	case LI_QUOTAOFF:
		if (log_quotaoff_decode(&r->check, item, &types))
			r->quota_off |= types;
		return 0;
	default:
		r->counts->intents++;
		ret = intents_item(r->rc->run->intents, &r->check, item);
		return ret < 0 ? ret : 0;
	}
}

/* Handles an item in pass 2. */
static int replay(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	struct replay *r = ctx;
	int ret = 0;

	__atomic_fetch_add(&r->progress, 1, __ATOMIC_RELAXED);
	r->item = item;
	r->committed = transaction->committed;
	r->holes = transaction->holes;
	if (transaction->lsn.v != r->lsn.v)
		ret = replay_buf_date(r);
	r->lsn = transaction->lsn;
	if (ret)
		return ret;
	switch (item->type) {
	case LI_BUF:
		return replay_buf(r, item);
	case LI_INODE:
		return replay_inode(r, item);
	case LI_ICREATE:
		return replay_icreate(r, item);
	case LI_DQUOT:
		return replay_dquot(r, item);
	default:
		return 0;
	}
}

/* Makes one pass, starting with the superblock that the run has used so far.  items: their number, 0: unknown. */
static int pass(struct replay *r, const struct check *of_log, enum log_walk walk, log_item_fn *fn, uint64_t items,
		struct log_mark until, struct log_mark *ret_end)
{
	bool beyond = false;
	const struct log_range range = { .log = &r->log,
					 .state = &r->rc->log,
					 .bbs = log_bbs(&r->rc->geo),
					 .until = until,
					 .walk = walk,
					 .limit = CACHE_BYTES,
					 .across = r->across != NULL,
					 .most = r->rc->run->memory.alone,
					 .beyond = &beyond };
	const struct report_work work = {
		.look = report_look_count, .ctx = &r->progress, .total = items, .unit = "items", .last = items > 0
	};
	int ret;

	r->progress = 0;
	r->holes = 0;
	r->geo = r->rc->geo;
	memcpy(r->superblock, r->rc->primary, SB_READ_BYTES);
	report_progress(r->rc->report, &work);
	ret = log_transactions_each(of_log, &range, fn, r, ret_end);
	if (beyond)
		over_memory(r->rc, OVER_MEMORY_LOG);
	report_progress_end(r->rc->report);
	return ret;
}

/* Makes both passes.  *ret_end: as in replay_log(), but without the problems of items. */
static int run_passes(struct replay *r, struct log_mark until, struct log_mark *ret_end)
{
	/* for problems of whole transactions, which have no item; the second pass need not report them again */
	const struct check of_log = spot_check(&r->spot), silent = check_silent(&r->geo);
	struct log_mark end;
	int ret;

	*r->counts = (struct replay_counts){ 0 };
	r->rc->run->log_superblock = false;
	r->end = r->rc->geo.dblocks << r->rc->geo.block_log;
	ret = pass(r, &of_log, LOG_WALK_LOGGED, collect, 0, until, ret_end);
	if (ret || r->problems || !log_mark_same(*ret_end, until))
		return ret;
	if (r->across)
		log_across_settle(r->across);
	replay_ahead(r);
	ret = pass(r, &silent, LOG_WALK_RECOVERY, replay, r->counts->items, until, &end);
	if (!ret)
		ret = replay_buf_date(r);
	if (!ret)
		ret = replay_sb_finish(r);
	if (!ret)
		ret = block_cache_flush(r->cache);
	return ret;
}

int replay_log(struct repair *rc, struct log_mark until, struct log_mark *ret_end)
{
	struct replay r = { .rc = rc, .spot = spot_of(rc, OBJ_LOG, NO_AGNO), .counts = &rc->run->replay_counts };
	struct log_mark end = until;
	int ret;

	r.check = (struct check){ &r.geo, report, &r };
	r.across = rc->run->log_across;
	if (r.across) {
		r.across->nlater = 0;
		r.across->guarded = 0;
	}
	r.log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	r.superblock = malloc(SB_READ_BYTES);
	r.buffer = malloc(REPLAY_BUFFER_MAX);
	r.cache = block_cache_new(rc->run->device, rc->geo.block_size,
				  rc->run->memory.records < CACHE_BYTES ? rc->run->memory.records : CACHE_BYTES);
	ret = r.superblock && r.buffer && r.cache ? log_source_read_ahead(&r.log) : -ENOMEM;
	if (!ret)
		ret = run_passes(&r, until, &end);
	/* an invalid item may be before the place where the log becomes invalid */
	if (r.problems)
		end = r.bad;
	if (!ret && log_mark_same(end, until)) {
		rc->geo = r.geo;
		memcpy(rc->primary, r.superblock, SB_READ_BYTES);
	} else {
		device_unstage(rc->run->device, LAYER_REPLAY);
	}
	*ret_end = end;
	log_source_forget(&r.log);
	free(r.superblock);
	free(r.buffer);
	block_cache_free(r.cache);
	extent_counts_free(&r.cancelled);
	extent_counts_free(&r.wanted);
	extent_counts_free(&r.undated);
	return ret;
}
