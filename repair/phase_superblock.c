/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the superblock and uses it (sb/superblock_use.c).  Sets the geometry, which everything else relies on, and
 * the head of the log: all LSNs in metadata lie before it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commit/commit.h"
#include "base/devices.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "sb/sb_choose.h"
#include "sb/superblock.h"
#include "trials/trial.h"
#include "base/spot.h"

/* True if both geometries agree on the log and on what identifies its records. */
static bool same_log(const struct geometry *a, const struct geometry *b)
{
	return a->logstart.v == b->logstart.v && a->logblocks == b->logblocks && a->log_version == b->log_version &&
	       a->log_sector_size == b->log_sector_size && a->log_stripe_unit == b->log_stripe_unit &&
	       a->block_log == b->block_log && a->agblocks == b->agblocks && a->agblock_log == b->agblock_log &&
	       a->crc == b->crc && memcmp(a->uuid, b->uuid, sizeof(a->uuid)) == 0 &&
	       memcmp(a->meta_uuid, b->meta_uuid, sizeof(a->meta_uuid)) == 0;
}

/* Chooses the superblock; superblocks that contradict each other are tried first. */
static enum phase_result choose(struct repair *rc)
{
	struct sb_choice choice;
	enum phase_result result = sb_look(rc, &choice);
	int ret = 0;

	if (result == PHASE_DONE && sb_is_contested(&choice))
		ret = sb_try(rc, &choice.list, &choice.chosen);
	if (ret)
		result = failed(rc, "looking for superblocks", ret);
	if (result == PHASE_DONE)
		result = sb_take(&choice);
	sb_candidates_free(&choice.list);
	return result;
}

enum phase_result superblock_settle(struct repair *rc)
{
	const struct geometry before = rc->geo;
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	enum phase_result result;
	uint64_t bytes, bad;

	/* unreadable bytes are zero; device_unreadable() tells which */
	device_read(rc->run->device, rc->primary, 0, SB_READ_BYTES);
	result = choose(rc);
	if (result != PHASE_DONE) {
		/* if a superblock was chosen, this is reported when its AG is read */
		if (device_unreadable(rc->run->device, 0, sizeof(struct sb_disk), &bad, &bytes))
			problem(&check, F_IO_UNREADABLE, 0, bytes, bad);
		return result;
	}
	rc->log_sound = rc->log_sound && same_log(&before, &rc->geo);
	return superblock_use(rc);
}

enum phase_result superblock_log_again(struct repair *rc)
{
	bool unsettled = rc->log_before_superblock;

	rc->log_before_superblock = false;
	rc->log_sound = false;
	return unsettled ? superblock_settle(rc) : superblock_examine_log(rc);
}

/*
 * True if the next superblock is sound and describes the log differently from rc->geo.  Then one of them must be chosen
 * before anything is replayed.
 */
static bool log_disputed(const struct repair *rc)
{
	struct sb_candidate copy;
	uint8_t *bytes;

	if (rc->geo.agcount < 2)
		return false;
	bytes = malloc(SB_READ_BYTES);
	if (!bytes)
		return false;
	device_read(rc->run->device, bytes, bytes_of_ag(&rc->geo), SB_READ_BYTES);
	sb_candidate_decode(&copy, bytes, bytes_of_ag(&rc->geo));
	free(bytes);
	return copy.usable && !sb_candidate_faults(&copy) && !same_log(&rc->geo, &copy.geo);
}

/*
 * True if the log is dirty and must be replayed before a superblock is chosen.  When a file system grows, the backup
 * superblocks are written directly, but the primary through the log.  So a dirty log may hold a newer superblock than
 * the primary.  If the primary has no fault of its own, its log is examined first.
 */
static bool log_is_first(struct repair *rc)
{
	const struct options *o = rc->run->options;
	struct findings *before = rc->findings, *of_log;
	unsigned problems = 0;
	const struct check check = check_counting(NULL, &problems);
	char message[512];
	bool dirty, sound;

	device_read(rc->run->device, rc->primary, 0, SB_READ_BYTES);
	if (!sb_decode(&check, rc->primary, SB_READ_BYTES, &rc->geo) || problems ||
	    !o->log_device != (rc->geo.logstart.v != 0) || log_disputed(rc))
		return false;
	if ((o->log_device && superblock_open_log(rc, message, sizeof(message))) || !log_has_place(rc))
		return false;
	of_log = findings_new(rc->run->max_workers);
	if (!of_log)
		return false;
	rc->findings = of_log;
	sound = superblock_find_log_ends(rc) == 0;
	dirty = rc->log.condition == LOG_DIRTY;
	if (dirty)
		rc->geo.head_lsn = rc->log.head;
	else
		rc->findings = before;
	/* a damaged log is examined again, with the superblock that is chosen */
	rc->log_sound = sound && rc->log.condition == LOG_CLEAN;
	findings_free(dirty ? before : of_log);
	return dirty;
}

enum phase_result phase_superblock(struct repair *rc)
{
	enum phase_result result;

	rc->primary = calloc(1, SB_READ_BYTES);
	if (!rc->primary)
		return failed(rc, "reading the superblock", -ENOMEM);
	rc->log_sound = false;
	/* read everything needed from there at once: later reads are served from memory */
	device_read(rc->run->device, rc->primary, 0, SB_READ_BYTES);
	/* in a check after a replay, the superblock need not wait for the log */
	if (rc->run->log_replayed)
		return superblock_settle(rc);
	result = resume(rc);
	if (result != PHASE_DONE)
		return result;
	rc->log_before_superblock = log_is_first(rc);
	return rc->log_before_superblock ? PHASE_DONE : superblock_settle(rc);
}
