/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens and checks the device of the realtime section (ondisk 09).  Of the section's metadata, only the realtime
 * superblock, one block, is on that device, everything else is on the data device.  So only that block and the size of
 * the device are checked here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/devices.h"
#include "libxfs/crc.h"
#include "libxfs/rt.h"
#include "libxfs/rt_build.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "base/spot.h"

/* True if the realtime section follows the data on the same device, as a zoned one can. */
static bool is_internal(const struct geometry *geo)
{
	return geo->rtstart != 0;
}

int rt_device_open(struct repair *rc, char *message, size_t size)
{
	const char *path = rc->run->options->rt_device;
	int ret;

	if (!path || rc->run->rt_device)
		return 0;
	ret = other_device_open(rc, path, &rc->run->rt_device, message, size);
	if (!ret)
		report_device(rc->report, ROLE_REALTIME, path, 0, device_bytes(rc->run->rt_device));
	return ret;
}

static enum phase_result open_device(struct repair *rc)
{
	const struct options *o = rc->run->options;
	char message[512];

	if (!rc->geo.rblocks || is_internal(&rc->geo))
		return PHASE_DONE;
	if (!o->rt_device && has_rtsb(&rc->geo))
		return trouble(rc, "the realtime section of this file system is on another device: name it with -r");
	if (!o->rt_device)
		report_note(rc->report,
			    "The realtime section of this file system is on another device, which -r was not "
			    "given for: whether it is large enough is not known, and what is on it is left alone.");
	if (rt_device_open(rc, message, sizeof(message)))
		return trouble(rc, message);
	if (rc->run->rt_device)
		device_stage_limit(rc->run->rt_device, rc->run->memory.staged);
	return PHASE_DONE;
}

/* Returns the blocks that the device must have.  With zone_gaps, groups have gaps between them (ondisk 09). */
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
 * Checks whether a device for a section without realtime superblock has other contents, according to libblkid.  Such a
 * section begins with the data of some file, which may look like anything, so that is only a note; but if the device is
 * too short as well, it is the wrong one.
 */
static enum phase_result look_at_contents(const struct repair *rc)
{
	struct device *device = rc->run->rt_device;
	struct device_contents other;
	char sentence[640];

	device_describe(device, "", &other);
	if (!other.what[0])
		return PHASE_DONE;
	if (device_bytes(device) < bytes_needed(&rc->geo)) {
		snprintf(sentence, sizeof(sentence), "%s %s, and is too short: name the right device with -r",
			 device_name(device), other.what);
		return trouble(rc, sentence);
	}
	snprintf(sentence, sizeof(sentence),
		 "%s %s. So may a file whose first blocks are the first ones there; else -r names the wrong device.",
		 device_name(device), other.what);
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
 * True if -r names a device with other contents, so that no superblock must be written there.  If only one of the two
 * uuids differs, or the checksum is wrong, the block may just be damaged.  Puts a sentence for the user into `message`
 * of size bytes.
 */
static bool is_of_others(const struct repair *rc, const uint8_t *block, char *message, size_t size)
{
	const struct check silent = check_silent(&rc->geo);
	const struct rtsb_disk *disk = (const struct rtsb_disk *)block;
	struct device_contents other = { 0 };

	if (be32_get(disk->magicnum) != RTSB_MAGIC)
		device_describe(rc->run->rt_device, "xfs_realtime", &other);
	else if (memcmp(disk->uuid, rc->geo.uuid, sizeof(disk->uuid)) != 0 &&
		 memcmp(disk->meta_uuid, rc->geo.meta_uuid, sizeof(disk->meta_uuid)) != 0 &&
		 crc_check(&silent, block, rc->geo.block_size, offsetof(struct rtsb_disk, crc)))
		snprintf(other.what, sizeof(other.what), "holds the realtime section of another file system");
	snprintf(message, size, "%s %s: name the right device with -r", device_name(rc->run->rt_device), other.what);
	return other.what[0];
}

/*
 * After a replay that changed the primary superblock, makes the realtime superblock agree with it, as recovery does: it
 * has the same label and uuids, but only the primary is logged (ondisk 09, invariant 5).  Leaves a damaged realtime
 * superblock to be mended later.  block: its contents, which are changed, too.  Returns 0 or a negative errno.
 */
static int follow_primary(struct repair *rc, uint8_t *block)
{
	const struct check silent = check_silent(&rc->geo);
	uint32_t size = rc->geo.block_size;
	const struct rtsb_disk *disk = (const struct rtsb_disk *)block;
	uint8_t *wanted;
	int ret = 0;

	if (!rc->run->log_replayed || !rc->run->log_superblock || be32_get(disk->magicnum) != RTSB_MAGIC ||
	    !crc_check(&silent, block, size, offsetof(struct rtsb_disk, crc)))
		return 0;
	wanted = malloc(size);
	if (!wanted)
		return -ENOMEM;
	rt_build_sb(&rc->geo, wanted);
	if (memcmp(block, wanted, size) != 0) {
		memcpy(block, wanted, size);
		ret = device_stage(rc->run->rt_device, LAYER_REPLAY, wanted, 0, size);
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
	device_read(rc->run->rt_device, block, 0, size); /* device_unreadable() below shows errors */
	if (device_unreadable(rc->run->rt_device, 0, size, &bad, &bytes)) {
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
	if (!has_rtsb(&rc->geo) && rc->run->rt_device && look_at_contents(rc) != PHASE_DONE)
		return PHASE_FAILED;
	if (is_internal(&rc->geo) || rc->run->rt_device)
		check_size(rc, &check, is_internal(&rc->geo) ? rc->run->device : rc->run->rt_device);
	return has_rtsb(&rc->geo) ? check_superblock(rc, &spot, &check) : PHASE_DONE;
}
