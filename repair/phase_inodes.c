/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sweep: all btrees, inodes and what hangs from them, in one pass over each AG. */
#include "estimate.h"
#include "facts.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "walk/traverse.h"

/*
 * A sound file system is read once, so no blocks are kept, and those that earlier phases kept are dropped.  From the
 * first damage on, the first sweep keeps blocks, as far as memory allows.
 */
static void keep_if_damaged(struct repair *rc)
{
	rc->traverse->keep_bytes = rc->run->memory.kept;
	if (rc->traverse->damage)
		memory_keep_blocks(rc);
	else
		device_keep(rc->run->device, 0);
}

enum phase_result phase_inodes(struct repair *rc)
{
	const struct geometry *geo = &rc->geo;
	uint64_t expected = geo->icount > geo->ifree ? geo->icount - geo->ifree : 0;
	struct estimate *estimate;
	int ret;

	superblock_facts(geo, &rc->traverse->sink);
	intents_facts(rc->run->intents, &rc->intents_filter.below);
	if (!rc->early.over)
		keep_if_damaged(rc);
	report_progress(rc->report, &(struct report_work){ .look = traverse_look_inodes,
							   .ctx = rc->traverse,
							   .total = expected,
							   .unit = "inodes",
							   .last = true });
	estimate = estimate_begin(rc, expected);
	ret = traverse_inodes(rc->traverse);
	estimate_end(estimate);
	report_progress_end(rc->report);
	return ret ? failed(rc, "the sweep", ret) : PHASE_DONE;
}
