/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The headers of all AGs, and which blocks files may share: both must be known
 * before the first inode is looked at.
 */
#include <errno.h>

#include "doubts.h"
#include "repair.h"

/*
 * How large a gap is read through, and how many requests wait at the device.  A disk with a queue skips a gap as fast
 * as it reads through it, and the more requests it has to choose from, the better.  What is no disk that we know of may
 * have its requests counted, as volumes of a cloud: few large ones, once that shows.  Flash reads no faster for being
 * read in order: small gaps save requests, but must not add much to what is read, however the metadata lies; a seventh,
 * whatever the gaps are.
 */
#define DISK_GAP    (128u << 10)
#define DISK_DEPTH  128
#define SLOW_GAP    (512u << 10)
#define FLASH_GAP   (12u << 10)
#define FLASH_SHARE 7u
#define DEPTH	    32

struct sweep_options sweep_options_of(const struct repair *rc)
{
	const struct options *o = rc->options;
	enum device_medium medium = device_medium(rc->device);
	struct sweep_options s = {
		.workers = rc->workers,
		.depth = medium == MEDIUM_DISK ? DISK_DEPTH : DEPTH,
		.merge_gap = medium == MEDIUM_DISK ? DISK_GAP : FLASH_GAP,
		.gap_share = medium == MEDIUM_DISK ? 0 : FLASH_SHARE,
		.slow_merge_gap = SLOW_GAP,
		.max_request = rc->memory.request,
		.max_queued = rc->memory.waiting,
		.group_stride = o->ag_stride,
		.window_bytes = rc->memory.window / rc->workers,
	};

	if (medium == MEDIUM_DISK)
		s.slow_merge_gap = s.merge_gap;
	if (o->queue_depth)
		s.depth = o->queue_depth;
	if (o->merge_gap >= 0) {
		s.merge_gap = s.slow_merge_gap = (uint32_t)o->merge_gap;
		s.gap_share = 0;
	}
	if (o->no_prefetch) {
		s.depth = 1;
		s.merge_gap = s.slow_merge_gap = 0;
		s.max_request = rc->geo.block_size;
	}
	return s;
}

/* Where damage is known, who is in doubt is wanted as finely as memory allows, at the cost of a sum more for each fact.
 */
static int doubts_begin(struct repair *rc)
{
	if (!rc->early.over)
		return 0;
	rc->doubts = doubts_new(inodes_expected(rc), rc->memory.records / 2);
	if (!rc->doubts)
		return -ENOMEM;
	ledger_post_doubts(rc->ledger, rc->doubts);
	return 0;
}

enum phase_result phase_groups(struct repair *rc)
{
	const struct sweep_options options = sweep_options_of(rc);
	const struct scope screen = { .judge = true, .claims = true, .names = true, .pptrs = true };
	struct sink sink;
	int ret;

	ret = hash_key_random(&rc->key);
	if (ret)
		return failed(rc, "no random numbers", ret);
	rc->ledger = ledger_new(&rc->geo, rc->workers, &rc->key);
	if (!rc->ledger)
		return failed(rc, "the ledger", -ENOMEM);
	if (doubts_begin(rc))
		return failed(rc, "the ledger", -ENOMEM);
	rc->quota = quota_new(&rc->geo, rc->workers, &rc->key, quota_compared(rc));
	if (!rc->quota)
		return failed(rc, "quotas", -ENOMEM);
	rc->quota->intents = rc->intents;
	sink = ledger_sink(rc->ledger);
	if (locate_early_begin(rc, &sink))
		return failed(rc, "evidence", -ENOMEM);
	sink = intents_sink(&rc->intents_filter, rc->intents, &sink);
	if (rc->beside)
		sink = sink_both(&rc->both, &sink, rc->beside);
	ret = traverse_new(&rc->geo, rc->device, rc->primary, &screen, &sink, rc->findings, &options, &rc->traverse);
	if (!ret && quota_possible(rc->quota)) /* else no inode need be asked */
		rc->traverse->quota = rc->quota;
	if (!ret)
		ret = traverse_groups(rc->traverse);
	if (ret)
		return failed(rc, "reading the allocation groups", ret);
	memory_judge(rc);
	return PHASE_DONE;
}
