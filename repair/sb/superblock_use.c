/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uses a chosen superblock: opens the devices that it needs, and finds head and tail of the log (ondisk 11). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/devices.h"
#include "base/spot.h"
#include "disk/sb.h"
#include "libxfs/da.h"
#include "libxfs/dinode.h"
#include "libxfs/v5.h"
#include "log/log_source.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "superblock.h"

/*
 * In version 4 a feature bit says whether directory entries have file types (ondisk 01, 06).  Tools have removed it
 * from all superblocks at once, as xfs_db does with the second word of features when it converts a log to version 2.
 * Without it entries can't be read, and a repair would drop all of them; so the root directory is examined.
 */

/* The root directory. */
struct root_names {
	struct dinode inode;
	uint8_t inode_bytes[SB_MAX_INODE];
	xdaddr_t daddr; /* of its first block, in `block`; unused if the entries are in the inode */
	uint8_t *block;
	bool mapped;
};

static void count_name(void *ctx, const struct dir_entry *entry)
{
	*(unsigned *)ctx += entry->kind == ENTRY_NAME;
}

/* True if there are entries, and they have no faults, with or without file types. */
static bool makes_sense(const struct geometry *geo, bool ftype, const struct root_names *r)
{
	const struct dinode_fork *fork = &r->inode.fork[DATA_FORK];
	const struct da_expect expect = { r->inode.ino, r->daddr, { 0 }, DATA_FORK };
	struct geometry as = *geo;
	unsigned problems = 0, names = 0;
	const struct check check = check_counting(&as, &problems);
	struct dir_data data;
	bool ok;

	as.ftype = ftype;
	if (!r->mapped)
		ok = dir_sf_decode(&check, fork->bytes, fork->size, r->inode.size, r->inode.ino, count_name, &names);
	else if (da_identify(&check, r->block, geo->dir_block_size) == DA_DIR_BLOCK)
		ok = dir_block_decode(&check, r->block, &expect, count_name, dir_ignore_leaf, &names, &data);
	else
		ok = dir_data_decode(&check, r->block, &expect, count_name, &names, &data);
	return ok && names && !problems;
}

static void first_extent(void *ctx, const struct bmap_record *record)
{
	struct bmap_record *first = ctx;

	if (record->off.v == 0)
		*first = *record;
}

/* Reads the root inode, and its first block if that is contiguous.  True if there may be entries. */
static bool read_root(const struct repair *rc, struct root_names *r)
{
	const struct geometry *geo = &rc->geo;
	const struct check silent = check_silent(geo);
	const struct dinode_fork *fork = &r->inode.fork[DATA_FORK];
	struct bmap_record first = { 0 };

	if (!ino_valid(geo, geo->rootino) ||
	    device_read(rc->run->device, r->inode_bytes, bytes_of_ino(geo, geo->rootino), geo->inode_size) ||
	    !dinode_decode(&silent, r->inode_bytes, geo->rootino, true, &r->inode) || r->inode.ftype != FT_DIR ||
	    !fork->ok)
		return false;
	if (fork->format == FMT_LOCAL)
		return true;
	if (fork->format != FMT_EXTENTS)
		return false;
	bmap_inline_decode(&silent, fork->bytes, fork->size, fork->nextents, &fork->rules, first_extent, &first);
	r->mapped = true;
	r->daddr = daddr_of_fsbno(geo, first.start);
	return first.len >= 1ull << geo->dirblk_log &&
	       !device_read(rc->run->device, r->block, bytes_of_daddr(r->daddr), geo->dir_block_size);
}

/*
 * Reports the feature bit and sets rc->geo.ftype, if the root directory is valid only with file types, and the
 * superblock says that there are none.  Only in version 4: later ones all have file types.  Returns 0 or -ENOMEM.
 */
static int sb_ftype_settle(struct repair *rc)
{
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	const struct sb_disk *sb = (const struct sb_disk *)rc->primary;
	const uint32_t features = be32_get(sb->features2);
	struct root_names root = { 0 };

	/* without this bit, there is no second word of features */
	if (rc->geo.crc || rc->geo.ftype || !(be16_get(sb->versionnum) & SB_VERSION_MOREBITS))
		return 0;
	root.block = malloc(rc->geo.dir_block_size);
	if (!root.block)
		return -ENOMEM;
	if (read_root(rc, &root) && !makes_sense(&rc->geo, false, &root) && makes_sense(&rc->geo, true, &root)) {
		rc->geo.ftype = true;
		problem(&check, F_SB_FEATURES2, offsetof(struct sb_disk, features2), features,
			features | SB_FEATURES2_FTYPE);
	}
	free(root.block);
	return 0;
}

int superblock_open_log(struct repair *rc, char *message, size_t size)
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

/* Refuses a device that has no room for the log: it is the wrong one, or only a part of the right one. */
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

	if (rc->geo.logstart.v && rc->run->log_device) /* opened for another superblock, which was read first */
		return trouble(rc, "-l was given, but the log of this file system is on the device itself");
	if (rc->geo.logstart.v)
		return PHASE_DONE;
	if (!rc->run->options->log_device)
		return trouble(rc, "the log of this file system is on another device: name it with -l");
	if (superblock_open_log(rc, message, sizeof(message)))
		return trouble(rc, message);
	return check_log_size(rc);
}

/* Checks the superblock against the log: its LSN, features (ondisk 00 section 6; 12, F2). */
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

/* Reports a problem of the log; each unreadable range from there on is a finding, in bytes of the device. */
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
 * Marks a dirty log as damaged if it seems to end before the record with the LSN of the superblock, and has newer
 * records behind its end.  That record was in the log before the superblock was written, so the end is wrong:
 * everything before it was replayed or written back long ago, and the kernel does not replay it, either.
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

unsigned superblock_find_log_ends(struct repair *rc)
{
	struct log_spot spot = { .spot = spot_of(rc, OBJ_LOG, NO_AGNO) };
	const struct check check = { &rc->geo, log_report, &spot };
	const uint32_t bbs = log_bbs(&rc->geo);

	spot.log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	spot.end = spot.log.start + ((uint64_t)bbs << SECTOR_LOG);
	log_source_read_ahead(&spot.log); /* failure only costs time */
	if (rc->geo.sb_lsn.v)
		log_source_read_near(&spot.log, bbs, (uint32_t)rc->geo.sb_lsn.v);
	log_examine(&check, log_source_read, &spot.log, bbs, &rc->log);
	doubt_head(rc, &check, &spot, bbs);
	log_source_forget(&spot.log);
	return spot.problems;
}

enum phase_result superblock_examine_log(struct repair *rc)
{
	enum phase_result result;

	/* until it has been examined; an invalid place in the superblock has been reported */
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
		superblock_find_log_ends(rc);
	rc->geo.head_lsn = rc->log.head;
	check_against_log(rc);
	return PHASE_DONE;
}

/* Returns the number of workers: --threads, or one for each AG or processor, if more, up to max_workers. */
static unsigned workers_for(const struct repair *rc)
{
	unsigned most = rc->run->max_workers, processors = (most + 1) / 2;

	if (rc->run->options->threads || most <= rc->geo.agcount)
		return most;
	return processors > rc->geo.agcount ? processors : rc->geo.agcount;
}

#define MISSING_GROUPS_MAX 65536u /* behind the end of the device; each takes memory and time */

/* Skips AGs behind the end of the device if there are so many that the superblock must be damaged. */
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

/* Notes that the file system can't be mounted on this device, if its sectors are smaller than the device's. */
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
	return result == PHASE_DONE ? superblock_examine_log(rc) : result;
}
