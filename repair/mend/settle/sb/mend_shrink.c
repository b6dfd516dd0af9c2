/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles a device that is shorter than the file system: superblocks are made to end where it does (ondisk 01), and the
 * next checks find the consequences, like the length of the last AG, truncated files and dangling entries.  If that
 * loses anything in use, the user must allow it: it may be the wrong device, a missing part of a volume may come back,
 * or an image file may be an unfinished copy.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend/base/mend_table.h"
#include "mend_sb.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "mend/base/menders.h"

/* Returns how many blocks fit, without a last AG that is too small; 0: not even the first AG fits. */
static uint64_t blocks_left(const struct geometry *geo, uint64_t bytes)
{
	uint64_t blocks = bytes >> geo->block_log, last = blocks % geo->agblocks;

	return last < SB_MIN_AG_BLOCKS ? blocks - last : blocks;
}

/* True if any of the log is beyond the end. */
static bool log_is_lost(const struct geometry *geo, uint64_t blocks)
{
	uint64_t start =
		(uint64_t)agno_of_fsbno(geo, geo->logstart).v * geo->agblocks + agbno_of_fsbno(geo, geo->logstart).v;

	return geo->logstart.v && start + geo->logblocks > blocks;
}

static const char *kind_of(const struct mend *m)
{
	return device_is_file(m->rc->run->device) ? "file" : "device";
}

static void say_once(struct mend *m, const char *note)
{
	if (!m->shrunk.log_reported)
		report_note(m->rc->report, note);
	m->shrunk.log_reported = true;
}

/* Reports what the user must decide: what was beyond the end, and what shrinking involves. */
static void say_consent(struct mend *m, const char *behind, const char *with)
{
	struct words note = { 0 };

	words_add(&note,
		  "The %s ends before the file system does, %s. Check that it is the right one and complete: an "
		  "unfinished copy ends like this. If the rest is gone, -o shrink shrinks the file system to fit%s.",
		  kind_of(m), behind, with);
	say_once(m, note.text);
}

/* Reports that no free blocks are known for a new log; headers that list some may be beyond the end, too. */
static void say_no_room(struct mend *m)
{
	struct words note = { 0 };

	words_add(&note,
		  "The %s ends before the file system does, the log lay behind its end, and no free blocks are known "
		  "that have room for another. If nothing more can be had, ",
		  kind_of(m));
	words_add(&note,
		  device_is_file(m->rc->run->device) ? "make it longer (truncate -s %" PRIu64 ")"
						     : "copy it to a device of %" PRIu64 " bytes",
		  m->now->geo.dblocks << m->now->geo.block_log);
	words_add(&note, ": what is there can be repaired then.");
	say_once(m, note.text);
}

/*
 * Shortens the only AG in its headers at once: no backup superblock confirms the primary, only these headers do.  0 or
 * negative errno.
 */
static int shorten_only_group(struct mend *m, uint64_t blocks)
{
	const struct geometry *geo = &m->now->geo;
	const struct {
		enum object object;
		uint32_t length; /* offset */
	} headers[] = {
		{ OBJ_AGF, offsetof(struct agf_disk, length) },
		{ OBJ_AGI, offsetof(struct agi_disk, length) },
	};
	uint8_t *sector = malloc(geo->sector_size);
	int ret = sector ? 0 : -ENOMEM;

	for (unsigned i = 0; i < sizeof(headers) / sizeof(headers[0]) && !ret; i++) {
		const struct object_kind *kind = object_kind(headers[i].object);
		const uint64_t at = ag_sector_offset(geo, (agno_t){ 0 }, kind->sector);
		const be32_t length = be32_put((uint32_t)blocks);

		if (mend_read(m, sector, at, geo->sector_size) || !object_has_magic(geo, kind, sector))
			continue;
		memcpy(sector + headers[i].length, &length, sizeof(length));
		if (geo->crc)
			crc_store(sector, geo->sector_size, kind->at.crc);
		ret = mend_write(m, sector, at, geo->sector_size);
	}
	free(sector);
	return ret;
}

int mend_shrink(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t blocks = blocks_left(geo, device_bytes(m->rc->run->device));
	bool log_lost;
	uint8_t *primary;
	struct sb_disk *sb;
	int ret;

	/* pending operations may be beyond the end; so may a log whose location is unknown */
	if (!count || !blocks || blocks >= geo->dblocks || intents_waiting(m->rc->run->intents) || !geo->logblocks)
		return 0;
	log_lost = log_is_lost(geo, blocks);
	if (log_lost && !m->rc->run->options->shrink) {
		say_consent(m, "and the log lay behind its end", ", with a new log");
		return 0;
	}
	primary = malloc(geo->sector_size);
	if (!primary)
		return -ENOMEM;
	memcpy(primary, m->now->primary, geo->sector_size);
	sb = (struct sb_disk *)primary;
	sb->dblocks = be64_put(blocks);
	sb->agcount = be32_put((uint32_t)((blocks - 1) / geo->agblocks + 1));
	ret = log_lost ? mend_log_move(m, sb, blocks, geo->logblocks) : 0;
	sb_seal(primary, geo->sector_size);
	if (!ret)
		ret = mend_write(m, primary, 0, geo->sector_size);
	/* all superblocks at once, since the old backups would outvote the primary */
	if (!ret)
		ret = mend_sb_copies_write(m, primary, be32_get(sb->agcount));
	if (!ret && be32_get(sb->agcount) == 1 && blocks < geo->agblocks)
		ret = shorten_only_group(m, blocks);
	if (!ret) {
		m->shrunk.found = *found;
		m->shrunk.done = true;
		m->rc->run->shrunk = true;
		mend_done(m, found);
	}
	free(primary);
	if (ret != -ENOSPC)
		return ret;
	say_no_room(m);
	return 0;
}

void mend_shrink_note(struct mend *m, uint64_t done)
{
	switch (mend_stage(m->kind)) {
	case STAGE_LOG:
	case STAGE_HEADERS:
	case STAGE_GEOMETRY:
	case STAGE_SPACE:
	case STAGE_COUNTERS:
		return;
	default:
		m->shrunk.costs |= m->shrunk.done && m->done > done;
	}
}

bool mend_shrink_refused(struct mend *m)
{
	if (!m->shrunk.done || !m->shrunk.costs || m->rc->run->options->shrink)
		return false;
	say_consent(m, "and what lay behind its end was in use", "; with -n it shows what would be lost");
	return true;
}
