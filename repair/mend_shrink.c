/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device that is shorter than the file system: the superblocks are made to say what there is (ondisk 01), and the
 * next checks find what follows: the length of the last group, files that end earlier, names of inodes that are gone.
 * Where that costs anything that was in use, the user must say so: the device may be the wrong one, or not complete.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/sb.h"
#include "libxfs/ag.h"
#include "mend.h"

/* Blocks of the file system that fit, with a last group that is large enough to be one; 0: not even the first is. */
static uint64_t blocks_left(const struct geometry *geo, uint64_t bytes)
{
	uint64_t blocks = bytes >> geo->block_log, last = blocks % geo->agblocks;

	return last < SB_MIN_AG_BLOCKS ? blocks - last : blocks;
}

/* The log has gone with what lay behind. */
static bool log_is_lost(const struct geometry *geo, uint64_t blocks)
{
	uint64_t start =
		(uint64_t)agno_of_fsbno(geo, geo->logstart).v * geo->agblocks + agbno_of_fsbno(geo, geo->logstart).v;

	return geo->logstart.v && start + geo->logblocks > blocks;
}

int mend_shrink(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t blocks = blocks_left(geo, device_bytes(m->rc->device));
	uint8_t *primary;
	struct sb_disk *sb;
	int ret;

	/* what waits for recovery may be behind the end */
	if (!count || !blocks || blocks >= geo->dblocks || log_is_lost(geo, blocks) || intents_waiting(m->rc->intents))
		return 0;
	primary = malloc(geo->sector_size);
	if (!primary)
		return -ENOMEM;
	memcpy(primary, m->now->primary, geo->sector_size);
	sb = (struct sb_disk *)primary;
	sb->dblocks = be64_put(blocks);
	sb->agcount = be32_put((uint32_t)((blocks - 1) / geo->agblocks + 1));
	sb_seal(primary, geo->sector_size);
	ret = mend_write(m, primary, 0, geo->sector_size);
	/* all at once: the old ones would outvote it */
	for (uint32_t ag = 1; ag < be32_get(sb->agcount) && !ret; ag++)
		ret = mend_sb_copy_write(m, primary, (agno_t){ ag });
	if (!ret) {
		m->shrunk = *found;
		m->has_shrunk = true;
		mend_done(m, found);
	}
	free(primary);
	return ret;
}

void mend_shrink_note(struct mend *m, uint64_t done)
{
	switch (mend_stage(m->kind)) {
	case STAGE_GEOMETRY:
	case STAGE_SPACE:
	case STAGE_COUNTERS:
		return;
	default:
		m->shrinking_costs |= m->has_shrunk && m->done > done;
	}
}

bool mend_shrink_refused(const struct mend *m)
{
	if (!m->has_shrunk || !m->shrinking_costs || m->rc->options->shrink)
		return false;
	report_note(
		m->rc->report,
		"The device ends before the file system does, and what lay behind its end was in use: the fixes above "
		"say what is lost. Is this the right device, and is it complete? If nothing more can be had, -o shrink "
		"makes the file system fit.");
	return true;
}
