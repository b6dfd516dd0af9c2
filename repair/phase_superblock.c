/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the superblock, and finds head and tail of the log (ondisk 01, 11).  Leaves behind the geometry that
 * everything else relies on, with the log's head: all LSNs in metadata lie before that.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commit/commit.h"
#include "devices.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/v5.h"
#include "log/log_source.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "sb/sb_choose.h"
#include "sb/sb_ftype.h"
#include "sb/superblock.h"
#include "spot.h"

/* other_device_open() for the external log, unless an earlier check has it open. */
static int open_log_device(struct repair *rc, char *message, size_t size)
{
	const char *path = rc->run->options->log_device;
	int ret;

	if (rc->run->log_device)
		return 0;
	ret = other_device_open(rc, path, &rc->run->log_device, message, size);
	if (!ret)
		report_device(rc->report, ROLE_LOG, path, 0, device_bytes(rc->run->log_device));
	return ret;
}

/* Refuse a device that has no room for the log: it is the wrong one, or only a part of the right one. */
static enum phase_result check_log_size(const struct repair *rc)
{
	const uint64_t bytes = device_bytes(rc->run->log_device),
		       need = (uint64_t)rc->geo.logblocks << rc->geo.block_log;
	char sentence[640];

	if (bytes >= need)
		return PHASE_DONE;
	snprintf(sentence, sizeof(sentence),
		 "%s has %llu bytes, and the log of this file system takes %llu: name the right device with -l; if the "
		 "log is lost, one of that size or more, and -L",
		 device_name(rc->run->log_device), (unsigned long long)bytes, (unsigned long long)need);
	return trouble(rc, sentence);
}

static enum phase_result open_external_log(struct repair *rc)
{
	char message[512];

	if (rc->geo.logstart.v && rc->run->log_device) /* another superblock, which was looked at first, said so */
		return trouble(rc, "-l was given, but the log of this file system is on the device itself");
	if (rc->geo.logstart.v)
		return PHASE_DONE;
	if (!rc->run->options->log_device)
		return trouble(rc, "the log of this file system is on another device: name it with -l");
	if (open_log_device(rc, message, sizeof(message)))
		return trouble(rc, message);
	return check_log_size(rc);
}

/* Checks of the superblock that take knowledge of the log: its LSN, features (ondisk 00 section 6; 12, F2). */
static void check_against_log(struct repair *rc)
{
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);

	v5_check_lsn(&check, rc->geo.sb_lsn.v, offsetof(struct sb_disk, lsn));
	if (rc->geo.log_unknown && rc->log.condition == LOG_CLEAN)
		problem(&check, F_SB_LOG_INCOMPAT, offsetof(struct sb_disk, features_log_incompat), rc->geo.log_unknown,
			0);
	else if (rc->geo.log_xattrs && rc->log.condition == LOG_CLEAN)
		problem(&check, F_SB_LOG_XATTRS, offsetof(struct sb_disk, features_log_incompat), 0, 0);
}

struct log_spot {
	struct spot spot;
	struct log_source log;
	uint64_t end; /* of the log, in bytes of its device */
	unsigned problems;
};

/* Report a problem of the log; each range from there on that can't be read is a finding, in bytes of the device. */
static void log_report(void *ctx, const struct problem *found)
{
	struct log_spot *spot = ctx;
	const struct log_source *log = &spot->log;
	struct problem problem = *found;
	uint64_t at = log->start + problem.want;

	spot->problems++;
	if (problem.finding != F_LOG_UNREADABLE) {
		spot_report(&spot->spot, &problem);
		return;
	}
	for (; device_unreadable(log->device, at, spot->end - at, &problem.want, &problem.got);
	     at = problem.want + problem.got) {
		problem.index = (uint32_t)((problem.want - log->start) >> SECTOR_LOG);
		spot_report(&spot->spot, &problem);
	}
}

/*
 * A dirty log is damaged if it seems to end before the record that has the LSN of the superblock, and has newer records
 * behind its end.  That record was in the log before the superblock was written, so the end is wrong: what lies before
 * it was replayed or written back long ago, and the kernel does not replay it, either.
 */
static void doubt_head(struct repair *rc, const struct check *check, struct log_spot *spot, uint64_t bbs)
{
	uint64_t head = rc->log.head.v, dated = rc->geo.sb_lsn.v;
	struct log_survey survey;

	if (rc->log.condition != LOG_DIRTY || !rc->geo.crc || dated < head || dated >> 32 > LOG_CYCLE_MAX)
		return;
	log_survey(&rc->geo, log_source_read, &spot->log, bbs, &survey);
	if (survey.last.v < head)
		return;
	problem_at(check, F_LOG_DAMAGED, (head & UINT32_MAX) << SECTOR_LOG, (uint32_t)head, 0, 0);
	rc->log.condition = LOG_DAMAGED;
	rc->log.head.v = 0;
}

/* Find head and tail of the log, for which the geometry has a place. Returns how many problems were reported. */
static unsigned find_ends(struct repair *rc)
{
	struct log_spot spot = { .spot = spot_of(rc, OBJ_LOG, NO_AGNO) };
	const struct check check = { &rc->geo, log_report, &spot };
	const uint32_t bbs = log_bbs(&rc->geo);

	spot.log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	spot.end = spot.log.start + ((uint64_t)bbs << SECTOR_LOG);
	log_source_read_ahead(&spot.log); /* failure is ignored: it only costs time */
	if (rc->geo.sb_lsn.v)
		log_source_read_near(&spot.log, bbs, (uint32_t)rc->geo.sb_lsn.v);
	log_examine(&check, log_source_read, &spot.log, bbs, &rc->log);
	doubt_head(rc, &check, &spot, bbs);
	log_source_forget(&spot.log);
	return spot.problems;
}

static enum phase_result examine_log(struct repair *rc)
{
	enum phase_result result;

	/* until it has been examined; if the superblock gives no possible place for it, that has been reported */
	if (!rc->log_before_superblock && !rc->log_sound)
		rc->log.condition = LOG_DAMAGED;
	if (!rc->geo.logblocks && !rc->geo.logstart.v)
		return PHASE_DONE;
	result = open_external_log(rc);
	if (result != PHASE_DONE)
		return result;
	if (!log_has_place(rc))
		return PHASE_DONE;
	if (!rc->log_before_superblock && !rc->log_sound)
		find_ends(rc);
	rc->geo.head_lsn = rc->log.head;
	check_against_log(rc);
	return PHASE_DONE;
}

/* How many workers: by --threads, else one for each group or each processor, whichever are more, up to max_workers. */
static unsigned workers_for(const struct repair *rc)
{
	unsigned most = rc->run->max_workers, processors = (most + 1) / 2;

	if (rc->run->options->threads || most <= rc->geo.agcount)
		return most;
	return processors > rc->geo.agcount ? processors : rc->geo.agcount;
}

enum phase_result superblock_log_again(struct repair *rc)
{
	bool unsettled = rc->log_before_superblock;

	rc->log_before_superblock = false;
	rc->log_sound = false;
	return unsettled ? superblock_settle(rc) : examine_log(rc);
}

#define MISSING_GROUPS_MAX 65536u /* behind the end of the device; each takes memory and time */

/* Leave out groups behind the end of the device if they are so many that only a damaged superblock can name them. */
static void leave_out_missing_groups(struct repair *rc)
{
	struct geometry *geo = &rc->geo;
	uint64_t ag_bytes = bytes_of_ag(geo);
	uint64_t present = device_bytes(rc->run->device) / ag_bytes + 1;
	char note[160];

	if (geo->agcount <= present + MISSING_GROUPS_MAX)
		return;
	snprintf(note, sizeof(note), "%llu of %u AGs are beyond the end of the device and are skipped.",
		 (unsigned long long)(geo->agcount - present), geo->agcount);
	report_note(rc->report, note);
	geo->agcount = (uint32_t)present;
	geo->dblocks = present * geo->agblocks;
}

/* Whether both say the same of the log, and of what its records are recognized by. */
static bool same_log(const struct geometry *a, const struct geometry *b)
{
	return a->logstart.v == b->logstart.v && a->logblocks == b->logblocks && a->log_version == b->log_version &&
	       a->log_sector_size == b->log_sector_size && a->log_stripe_unit == b->log_stripe_unit &&
	       a->block_log == b->block_log && a->agblocks == b->agblocks && a->agblock_log == b->agblock_log &&
	       a->crc == b->crc && memcmp(a->uuid, b->uuid, sizeof(a->uuid)) == 0 &&
	       memcmp(a->meta_uuid, b->meta_uuid, sizeof(a->meta_uuid)) == 0;
}

/* Tell the user if the file system can't be mounted where it is: its sectors are smaller than the device's. */
static void note_sectors(const struct repair *rc)
{
	const uint32_t sector = device_sector(rc->run->device);
	char note[400];

	if (rc->geo.sector_size >= sector)
		return;
	snprintf(
		note, sizeof(note),
		"The device has sectors of %u bytes, the file system of %u: no kernel mounts it here. A copy in a file "
		"can be mounted (losetup --sector-size %u), and its files copied to a new file system on the device.",
		sector, rc->geo.sector_size, rc->geo.sector_size);
	report_note(rc->report, note);
}

enum phase_result superblock_use(struct repair *rc)
{
	struct spot spot = spot_of(rc, OBJ_DEVICE, NO_AGNO);
	const struct check check = spot_check(&spot);
	const uint64_t bytes = rc->geo.dblocks << rc->geo.block_log;
	enum phase_result result;

	if (sb_ftype_settle(rc))
		return failed(rc, "looking at the root directory", -ENOMEM);
	report_geometry(rc->report, &rc->geo);
	note_sectors(rc);
	if (device_bytes(rc->run->device) < bytes) {
		problem(&check, F_IO_SHORT, 0, device_bytes(rc->run->device), bytes);
		leave_out_missing_groups(rc);
	}
	rc->workers = workers_for(rc);
	result = rt_device_examine(rc);
	return result == PHASE_DONE ? examine_log(rc) : result;
}

enum phase_result superblock_settle(struct repair *rc)
{
	const struct geometry before = rc->geo;
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	enum phase_result result;
	uint64_t bytes, bad;

	/* bytes that can't be read are zero, and device_unreadable() tells which */
	device_read(rc->run->device, rc->primary, 0, SB_READ_BYTES);
	result = sb_choose(rc);
	if (result != PHASE_DONE) {
		/* if a superblock was chosen, this is reported when its group is read */
		if (device_unreadable(rc->run->device, 0, sizeof(struct sb_disk), &bad, &bytes))
			problem(&check, F_IO_UNREADABLE, 0, bytes, bad);
		return result;
	}
	rc->log_sound = rc->log_sound && same_log(&before, &rc->geo);
	return superblock_use(rc);
}

/*
 * Whether the next superblock, a sound one, says something else of the log than rc->geo: then which of them is right is
 * decided before anything is replayed.
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
 * Whether the log is dirty and must be replayed before a superblock is chosen.  A dirty log may hold a newer superblock
 * than the primary, which the secondary ones have already: when a file system grows, those are written past the log.
 * So if the primary has no fault of its own, its log is examined first.
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
	if ((o->log_device && open_log_device(rc, message, sizeof(message))) || !log_has_place(rc))
		return false;
	of_log = findings_new(rc->run->max_workers);
	if (!of_log)
		return false;
	rc->findings = of_log;
	sound = find_ends(rc) == 0;
	dirty = rc->log.condition == LOG_DIRTY;
	if (dirty)
		rc->geo.head_lsn = rc->log.head;
	else
		rc->findings = before;
	/* a log that is damaged will be examined again, by the superblock that is chosen */
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
	/* one read of all that is wanted from there: later reads are served from memory */
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
