/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sweep: reads all btrees, inodes and their blocks, in one pass over each AG. */
#include "checkpoint/checkpoint.h"
#include "estimate.h"
#include "check/facts.h"
#include "options.h"
#include "check/prove.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "check/walk/traverse.h"
#include "check/walk/walker.h"

/*
 * Chooses whether the sweep keeps blocks in memory.  A sound file system is read once, so kept blocks are dropped.
 * After the first damage, or after GAPS_FEW gaps if books may prove the repair, the sweep keeps as many blocks as
 * memory allows.
 */
static void keep_if_damaged(struct repair *rc)
{
	rc->traverse->keep_bytes = rc->run->memory.kept;
	rc->traverse->keep_for_gaps = prove_by_books(rc) && !rc->early.over && !rc->run->options->exact;
	if (rc->traverse->keep_for_gaps ? rc->traverse->gaps >= GAPS_FEW : rc->traverse->damage)
		memory_keep_blocks(rc);
	else
		device_keep(rc->run->device, 0);
}

static enum phase_result sweep(struct repair *rc)
{
	int ret = traverse_sweep(rc->traverse);

	return ret ? failed(rc, "the sweep", ret) : PHASE_DONE;
}

enum phase_result phase_inodes(struct repair *rc)
{
	const struct geometry *geo = &rc->geo;
	const uint64_t expected = geo->icount > geo->ifree ? geo->icount - geo->ifree : 0;
	enum phase_result result = PHASE_DONE;
	bool restored = false;
	uint64_t done;
	struct estimate *estimate;

	if (rc->checkpoint)
		result = checkpoint_restore(rc->checkpoint, rc, &restored);
	if (result != PHASE_DONE)
		return result;
	if (!restored) {
		superblock_facts(geo, &rc->traverse->sink);
		intents_facts(rc->run->intents, &rc->intents_filter.below);
		traverse_trees_post(rc->traverse);
	}
	done = rc->traverse->inodes_done;
	if (!rc->early.over)
		keep_if_damaged(rc);
	report_progress(rc->report, &(struct report_work){ .look = traverse_look_inodes,
							   .ctx = rc->traverse,
							   .total = expected > done ? expected - done : 0,
							   .unit = "inodes",
							   .last = true });
	estimate = estimate_begin(rc, expected);
	result = rc->checkpoint ? checkpoint_sweep(rc->checkpoint, rc) : sweep(rc);
	estimate_end(estimate);
	report_progress_end(rc->report);
	return result;
}
