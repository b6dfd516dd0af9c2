/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Secondary superblocks are written anew as copies of the primary, as the kernel does when it grows a file system
 * (ondisk 01, "Secondary superblocks").  Relies on the primary having been settled.  Fields about the current state
 * (log features, NEEDSREPAIR, LSN) are cleared in the copies.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/sb.h"
#include "libxfs/ag.h"
#include "mend/base/mend.h"
#include "mend_sb.h"
#include "repair.h"
#include "run.h"
#include "mend/base/menders.h"

/*
 * Quota inodes are settled later than copies are written (mend_quota_sb.c): one that can't be is left out.  Else the copy
 * would be wrong as soon as it is written, and again after each round.
 */
static void leave_out_wrong_quotas(const struct geometry *g, struct sb_disk *sb)
{
	be64_t *const inos[] = { &sb->uquotino, &sb->gquotino, &sb->pquotino };

	for (size_t i = 0; i < (g->crc ? 3 : 2); i++) {
		const xino_t ino = { be64_get(*inos[i]) };

		if (g->metadir || (ino.v != NULL_INO && !ino_valid(g, ino)))
			*inos[i] = be64_put(0);
	}
}

static int write_copy(const struct mend *m, const uint8_t *primary, agno_t agno)
{
	const struct geometry *g = &m->now->geo;
	uint8_t *sector = malloc(g->sector_size);
	struct sb_disk *sb = (struct sb_disk *)sector;
	int ret;

	if (!sector)
		return -ENOMEM;
	memcpy(sector, primary, g->sector_size);
	leave_out_wrong_quotas(g, sb);
	if (g->crc) {
		sb->features_log_incompat = be32_put(0);
		sb->features_incompat = be32_put(be32_get(sb->features_incompat) & ~SB_INCOMPAT_NEEDSREPAIR);
		sb->lsn = be64_put(0);
	}
	sb_seal(sector, g->sector_size);
	ret = mend_write(m, sector, ag_offset(g, agno), g->sector_size);
	free(sector);
	return ret;
}

int mend_sb_copies_write(const struct mend *m, const uint8_t *primary, uint32_t agcount)
{
	const struct geometry *g = &m->now->geo;
	int ret = 0;

	for (agno_t ag = { 1 }; ag.v < agcount && ag_offset(g, ag) < device_bytes(m->rc->run->device) && !ret; ag.v++)
		ret = write_copy(m, primary, ag);
	return ret;
}

int mend_sb_copy(struct mend *m, const struct found *found, size_t count)
{
	uint32_t done = 0; /* AG that was done last; 0, which has the primary, is never done */
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		uint32_t ag = found[i].place.agno.v;

		if (ag == done || ag == 0 || ag >= m->now->geo.agcount)
			continue;
		ret = write_copy(m, m->now->primary, found[i].place.agno);
		if (!ret)
			mend_done(m, &found[i]);
		done = ag;
	}
	return ret;
}
