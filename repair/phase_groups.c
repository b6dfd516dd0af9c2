/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the headers and refcount btrees of all AGs.  They must be known before the first inode is read, since shared
 * blocks are checked from then on.  Makes the ledger and the traversal for the next phases.
 */
#include <errno.h>

#include "ask/inventory.h"
#include "base/devices.h"
#include "base/sink.h"
#include "check/books/books.h"
#include "check/books/doubts.h"
#include "check/walk/quota.h"
#include "check/walk/traverse.h"
#include "log/log_across.h"
#include "names/dir_runs.h"
#include "repair.h"
#include "report.h"
#include "report/group_map.h"
#include "run.h"

/* Returns the use of claimed blocks for the map.  The facts of the first check give it without extra reads. */

static enum map_use use_of(const struct claim *claim)
{
	if (claim->owner == OWNER_LOG)
		return MAP_LOG;
	return claim->owner > OWNER_COW || claim->flags & (RMAP_ATTR | RMAP_BMBT) ? MAP_METADATA : MAP_DATA;
}

static void map_claim(void *ctx, unsigned worker, const struct claim *claim)
{
	(void)worker;
	group_map_add(ctx, use_of(claim), claim->at.group, claim->at.start, claim->at.len);
}

/* Adds free extents of the bnobt only: the cntbt has the same ones. */
static void map_free_extent(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	(void)worker;
	if (kind == BT_BNO)
		group_map_add(ctx, MAP_FREE, blocks->group, blocks->start, blocks->len);
}

/* Returns a sink that fills the map.  The map must outlive the sink. */
static struct sink map_sink(struct group_map *map, const struct hash_key *key)
{
	static const struct sink_ops ops = { .claim = map_claim, .free_extent = map_free_extent };

	return (struct sink){ &ops, map, key };
}

/*
 * Makes sums over small sets of inodes, as many as memory allows, in a check between rounds.  Each fact costs one more
 * sum, but fewer inodes are in doubt.  Returns 0 or -ENOMEM.
 */
static int doubts_begin(struct repair *rc)
{
	if (!rc->early.over)
		return 0;
	rc->doubts = doubts_new(inodes_expected(rc), rc->run->memory.records / 2);
	if (!rc->doubts)
		return -ENOMEM;
	ledger_post_doubts(rc->ledger, rc->doubts);
	return 0;
}

/*
 * Adds receivers of all facts beside the ledger: the caller of the check, the user's questions, and the map of the
 * first check.  Returns 0 or a negative errno.
 */
static int add_beside(struct repair *rc, struct sink *sink)
{
	struct group_map *map = report_map(rc->report);
	struct sink beside;
	int ret;

	if (rc->beside)
		*sink = sink_both(&rc->both[0], sink, rc->beside);
	if (rc->inventory) {
		ret = inventory_begin(rc->inventory, rc, &beside);
		if (ret)
			return ret;
		*sink = sink_both(&rc->both[1], sink, &beside);
	}
	if (map) {
		beside = map_sink(map, &rc->run->key);
		*sink = sink_both(&rc->both[2], sink, &beside);
	}
	return 0;
}

static int directories_begin(struct repair *rc)
{
	struct dir_runs *dirs = dir_runs_new(rc->workers);

	if (!dirs)
		return -ENOMEM;
	dir_runs_limit(dirs, rc->run->memory.directories);
	rc->traverse->dirs = dirs;
	memory_for_directories(rc);
	return 0;
}

enum phase_result phase_groups(struct repair *rc)
{
	const struct sweep_options options = sweep_options_of(rc);
	const struct scope screen = { .judge = true,
				      .claims = true,
				      .names = true,
				      .pptrs = true,
				      .contents = rc->inventory && inventory_wants_contents(rc->inventory),
				      .maps = rc->inventory && inventory_wants_maps(rc->inventory) };
	struct sink sink;
	int ret;

	rc->ledger = ledger_new(&rc->geo, rc->workers, &rc->run->key);
	if (!rc->ledger)
		return failed(rc, "the ledger", -ENOMEM);
	if (doubts_begin(rc))
		return failed(rc, "the ledger", -ENOMEM);
	rc->quota = quota_new(&rc->geo, rc->workers, &rc->run->key, quota_compared(rc));
	if (!rc->quota)
		return failed(rc, "quotas", -ENOMEM);
	sink = ledger_sink(rc->ledger);
	if (locate_early_begin(rc, &sink))
		return failed(rc, "evidence", -ENOMEM);
	sink = intents_sink(&rc->intents_filter, rc->run->intents, &sink);
	ret = add_beside(rc, &sink);
	if (ret)
		return failed(rc, "what was asked", ret);
	ret = traverse_new(&rc->geo, rc->run->device, rc->primary, &screen, &sink, rc->findings, &options,
			   &rc->traverse);
	if (!ret)
		rc->traverse->intents = rc->run->intents;
	if (!ret && quota_possible(rc->quota)) /* else the traversal need not add up usage */
		rc->traverse->quota = rc->quota;
	if (!ret && rc->run->log_across && rc->run->log_across->former_known)
		rc->traverse->behind = rc->run->log_across;
	if (!ret)
		ret = directories_begin(rc);
	if (!ret) {
		report_progress(rc->report, &(struct report_work){ .look = traverse_look_groups,
								   .ctx = rc->traverse,
								   .total = rc->geo.agcount,
								   .unit = "groups",
								   .last = true });
		ret = traverse_groups(rc->traverse);
		report_progress_end(rc->report);
	}
	if (ret)
		return failed(rc, "reading the allocation groups", ret);
	memory_judge(rc);
	return PHASE_DONE;
}
