/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The primary superblock: as the check has settled it (sb_choose.c), with the fields that follow from others, and with
 * counters that can be if they can't (ondisk 01); whether these are right shows the next check.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/sb.h"
#include "libxfs/ag.h"
#include "mend.h"

/* What was counted in the AGs, as far as they could be walked. */
static void put_counters(const struct mend *m, struct sb_disk *sb)
{
	const struct traverse *t = m->now->traverse;
	uint64_t icount = 0, ifree = 0, fdblocks = 0;

	for (uint32_t ag = 0; t && ag < m->now->geo.agcount; ag++) {
		icount += t->ags[ag].inodes;
		ifree += t->ags[ag].free_inodes;
		fdblocks += t->ags[ag].free_blocks;
	}
	sb->icount = be64_put(icount);
	sb->ifree = be64_put(ifree);
	sb->fdblocks = be64_put(fdblocks);
}

static void settle(const struct mend *m, uint8_t *sector, const struct found *found)
{
	struct sb_disk *sb = (struct sb_disk *)sector;

	switch (found->problem.finding) {
	case F_SB_LOST:
	case F_SB_DERIVED:
	case F_SB_ICOUNT:
	case F_SB_IFREE:
	case F_SB_FDBLOCKS:
		put_counters(m, sb);
		break;
	case F_SB_LOG_XATTRS:
		sb->features_log_incompat = be32_put(0);
		break;
	case F_BLOCK_LSN:
		sb->lsn = be64_put(0);
		break;
	case F_SB_TAIL:
		memset(sector + found->problem.offset, 0, m->now->geo.sector_size - found->problem.offset);
		break;
	default:
		mend_field_put(found, sector);
		break;
	}
}

int mend_sb(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *sector = malloc(geo->sector_size);
	const struct found *first = NULL;
	int ret = 0;

	if (!sector)
		return -ENOMEM;
	memcpy(sector, m->now->primary, geo->sector_size);
	for (size_t i = 0; i < count; i++) {
		if ((found[i].place.agno.v != 0 && found[i].place.agno.v != NO_AGNO) ||
		    found[i].problem.finding == F_SPACE_LOST)
			continue;
		settle(m, sector, &found[i]);
		first = first ? first : &found[i];
	}
	if (first)
		ret = mend_sb_log(m, (struct sb_disk *)sector, found, count);
	if (first && !ret) {
		sb_seal(sector, geo->sector_size);
		ret = mend_write(m, sector, 0, geo->sector_size);
		if (!ret) {
			memcpy(m->now->primary, sector, geo->sector_size); /* for the copies */
			mend_done(m, first);
		}
	}
	free(sector);
	return ret;
}
