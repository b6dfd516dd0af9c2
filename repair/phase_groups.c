/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the headers of all AGs and the refcount btrees, which must be known before the first inode is looked at: from
 * the first on, shared blocks are checked as they are met.  Makes the ledger and the traversal that the next phases
 * use.
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

/* Takes what a block is used for from the facts of the first check, so that the map costs no reading of its own. */

static enum map_use use_of(const struct claim *claim)
{
	if (claim->owner == OWNER_LOG)
		return MAP_LOG;
	return claim->owner > OWNER_COW || claim->flags & (RMAP_ATTR | RMAP_BMBT) ? MAP_METADATA : MAP_DATA;
}

static void map_claim(void *ctx, unsigned lane, const struct claim *claim)
{
	(void)lane;
	group_map_add(ctx, use_of(claim), claim->at.group, claim->at.start, claim->at.len);
}

/* The two free-space btrees tell the same. */
static void map_free_extent(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks)
{
	(void)lane;
	if (kind == BT_BNO)
		group_map_add(ctx, MAP_FREE, blocks->group, blocks->start, blocks->len);
}

/* map must live as long as the sink is used. */
static struct sink map_sink(struct group_map *map, const struct hash_key *key)
{
	static const struct sink_ops ops = { .claim = map_claim, .free_extent = map_free_extent };

	return (struct sink){ &ops, map, key };
}

/*
 * In a check between rounds, which follows damage, sums over small sets of inodes are kept beside the ledger's, as many
 * as memory allows: each fact costs one more sum, but fewer inodes are in doubt.  0 or -ENOMEM.
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
 * Add those who want all facts beside the ledger: whoever asked for the check, the user's questions, and the map of the
 * first check. 0 or negative errno.
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
	rc->quota->intents = rc->run->intents;
	sink = ledger_sink(rc->ledger);
	if (locate_early_begin(rc, &sink))
		return failed(rc, "evidence", -ENOMEM);
	sink = intents_sink(&rc->intents_filter, rc->run->intents, &sink);
	ret = add_beside(rc, &sink);
	if (ret)
		return failed(rc, "what was asked", ret);
	ret = traverse_new(&rc->geo, rc->run->device, rc->primary, &screen, &sink, rc->findings, &options,
			   &rc->traverse);
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
