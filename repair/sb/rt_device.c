/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device that holds the realtime section (ondisk 09).  All metadata of it
 * but one block, its superblock, lies on the data device; so what is looked at
 * here is that block, and whether the device is large enough.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/crc.h"
#include "libxfs/rt.h"
#include "libxfs/rt_build.h"
#include "spot.h"

/* A zoned section can follow the data on the same device. */
static bool is_internal(const struct geometry *geo)
{
	return geo->rtstart != 0;
}

int rt_device_open(struct repair *rc, char *message, size_t size)
{
	if (!rc->options->rt_device || rc->rt_device)
		return 0;
	return other_device_open(rc, rc->options->rt_device, &rc->rt_device, message, size);
}

static enum phase_result open_device(struct repair *rc)
{
	const struct options *o = rc->options;
	char message[512];

	if (o->rt_device && !rc->geo.rblocks)
		return trouble(rc, "-r was given, but this file system has no realtime section");
	if (o->rt_device && is_internal(&rc->geo))
		return trouble(rc,
			       "-r was given, but the realtime section of this file system is on the device itself");
	if (!o->rt_device && rc->geo.rblocks && !is_internal(&rc->geo))
		return trouble(rc, "the realtime section of this file system is on another device: name it with -r");
	if (rt_device_open(rc, message, sizeof(message)))
		return trouble(rc, message);
	if (rc->rt_device)
		device_stage_limit(rc->rt_device, rc->memory.staged);
	return PHASE_DONE;
}

/* Blocks that the device must have: addresses of groups can be as sparse as block numbers (ondisk 09). */
static uint64_t blocks_needed(const struct geometry *geo)
{
	uint64_t before_last = geo->rgcount - 1;
	uint64_t step = geo->zone_gaps ? 1ull << geo->rgblklog : geo->rgblocks;

	return geo->rtstart + before_last * step + group_length(geo, group_of_rg(geo, geo->rgcount - 1));
}

static uint64_t bytes_needed(const struct geometry *geo)
{
	return blocks_needed(geo) << geo->block_log;
}

/*
 * A section without a superblock begins with what a file has there, which may look like anything.  But a device that is
 * too short as well is the wrong one.
 */
static enum phase_result look_at_contents(const struct repair *rc)
{
	const struct device *device = rc->rt_device;
	char other[256], sentence[640];

	device_describe(device, "", other, sizeof(other));
	if (!other[0])
		return PHASE_DONE;
	if (device_bytes(device) < bytes_needed(&rc->geo)) {
		snprintf(sentence, sizeof(sentence), "%s %s, and is too short: name the right device with -r",
			 device_path(device), other);
		return trouble(rc, sentence);
	}
	snprintf(sentence, sizeof(sentence),
		 "%s %s. So may a file whose first blocks are the first ones there; else -r names the wrong device.",
		 device_path(device), other);
	report_note(rc->report, sentence);
	return PHASE_DONE;
}

static void check_size(const struct repair *rc, const struct check *check, const struct device *device)
{
	const uint64_t bytes = bytes_needed(&rc->geo);

	if (device_bytes(device) < bytes)
		problem(check, F_IO_SHORT, 0, device_bytes(device), bytes);
}

/*
 * Whether -r names a device that holds something else: nobody wants a superblock written over that.  One name alone may
 * be damaged.  message: then a sentence on it, of size bytes.
 */
static bool is_of_others(const struct repair *rc, const uint8_t *block, char *message, size_t size)
{
	const struct check silent = check_silent(&rc->geo);
	const struct rtsb_disk *disk = (const struct rtsb_disk *)block;
	char other[256] = "";

	if (be32_get(disk->magicnum) != RTSB_MAGIC)
		device_describe(rc->rt_device, "xfs_realtime", other, sizeof(other));
	else if (memcmp(disk->uuid, rc->geo.uuid, sizeof(disk->uuid)) != 0 &&
		 memcmp(disk->meta_uuid, rc->geo.meta_uuid, sizeof(disk->meta_uuid)) != 0 &&
		 crc_check(&silent, block, rc->geo.block_size, offsetof(struct rtsb_disk, crc)))
		snprintf(other, sizeof(other), "holds the realtime section of another file system");
	snprintf(message, size, "%s %s: name the right device with -r", device_path(rc->rt_device), other);
	return other[0];
}

/*
 * The realtime superblock has the names of the primary, which is logged alone: recovery writes it anew along with that
 * (ondisk 09, invariant 5).  One with a fault of its own is left to whoever mends it.
 */
static int follow_primary(struct repair *rc, uint8_t *block)
{
	const struct check silent = check_silent(&rc->geo);
	uint32_t size = rc->geo.block_size;
	const struct rtsb_disk *disk = (const struct rtsb_disk *)block;
	uint8_t *wanted;
	int ret = 0;

	if (!rc->log_replayed || !rc->log_superblock || be32_get(disk->magicnum) != RTSB_MAGIC ||
	    !crc_check(&silent, block, size, offsetof(struct rtsb_disk, crc)))
		return 0;
	wanted = malloc(size);
	if (!wanted)
		return -ENOMEM;
	rt_build_sb(&rc->geo, wanted);
	if (memcmp(block, wanted, size) != 0) {
		memcpy(block, wanted, size);
		ret = device_stage(rc->rt_device, LAYER_REPLAY, wanted, 0, size);
	}
	free(wanted);
	return ret;
}

static enum phase_result check_superblock(struct repair *rc, struct spot *spot, const struct check *check)
{
	uint32_t size = rc->geo.block_size;
	uint8_t *block = malloc(size);
	char message[512];
	uint64_t bad, bytes;
	bool others = false;
	int ret = 0;

	if (!block)
		return failed(rc, "reading the realtime superblock", -ENOMEM);
	spot->place = place_of(OBJ_RTSB);
	device_read(rc->rt_device, block, 0, size); /* what can't be read is known to the device */
	if (device_unreadable(rc->rt_device, 0, size, &bad, &bytes)) {
		problem(check, F_IO_UNREADABLE, 0, bytes, bad);
	} else {
		others = is_of_others(rc, block, message, sizeof(message));
		ret = others ? 0 : follow_primary(rc, block);
		if (!others)
			rtsb_check(check, block);
	}
	free(block);
	if (others)
		return trouble(rc, message);
	return ret ? failed(rc, "replaying the log", ret) : PHASE_DONE;
}

enum phase_result rt_device_examine(struct repair *rc)
{
	struct spot spot = spot_of(rc, OBJ_RT_DEVICE, NO_AGNO);
	const struct check check = spot_check(&spot);
	enum phase_result result = open_device(rc);

	if (result != PHASE_DONE || !rc->geo.rblocks)
		return result;
	if (!has_rtsb(&rc->geo) && rc->rt_device && look_at_contents(rc) != PHASE_DONE)
		return PHASE_FAILED;
	check_size(rc, &check, is_internal(&rc->geo) ? rc->device : rc->rt_device);
	return has_rtsb(&rc->geo) ? check_superblock(rc, &spot, &check) : PHASE_DONE;
}
