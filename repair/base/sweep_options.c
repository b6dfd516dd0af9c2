/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a sweep reads, by the medium of the device and the user's options. */
#include "devices.h"
#include "options.h"
#include "prefetch.h"
#include "repair.h"
#include "run.h"

/*
 * Sizes of gaps that are read through, and numbers of requests in flight.  A disk with a queue skips a large gap as
 * fast as it reads through it.  A block is mostly near the block that points to it.  With many requests in flight on a
 * disk, the head would be past it already, and it would need another pass: so there are few, for each disk of a stripe.
 * Other devices may limit requests per second, as cloud volumes do: then SLOW_GAP makes for few, large requests.  Flash
 * gains nothing from order: reading through small gaps saves requests.  The bytes read in gaps are at most a seventh of
 * the wanted ones, wherever the metadata lies.
 */
#define DISK_GAP    (128u << 10)
#define DISK_DEPTH  8u
#define DISKS_MOST  16u
#define SLOW_GAP    (512u << 10)
#define FLASH_GAP   (12u << 10)
#define FLASH_SHARE 7u
#define DEPTH	    32

/* Returns the number of disks in the stripe; 1 if no superblock has been chosen. */
static unsigned disks_of(const struct geometry *geo)
{
	const uint32_t disks = geo->stripe_disks ? geo->stripe_disks : 1;

	return disks < DISKS_MOST ? disks : DISKS_MOST;
}

struct sweep_options sweep_options_of(const struct repair *rc)
{
	const struct options *o = rc->run->options;
	enum device_medium medium = device_medium(rc->run->device);
	struct sweep_options s = {
		.workers = rc->workers,
		.depth = medium == MEDIUM_DISK ? DISK_DEPTH * disks_of(&rc->geo) : DEPTH,
		.merge_gap = medium == MEDIUM_DISK ? DISK_GAP : FLASH_GAP,
		.gap_share = medium == MEDIUM_DISK ? 0 : FLASH_SHARE,
		.slow_merge_gap = SLOW_GAP,
		.max_request = rc->run->memory.request,
		.max_queued = rc->run->memory.waiting,
		.group_stride = o->ag_stride,
		.window_bytes = rc->run->memory.window / rc->workers,
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
