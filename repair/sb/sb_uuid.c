/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the metadata's uuid from AGFs if the superblock has the feature meta_uuid, but no such uuid (ondisk 01).  Only
 * the geometry is set, so that blocks can be judged; mend_sb.c corrects the superblocks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sb_choose.h"

#include "disk/agf.h"
#include "disk/sb.h"
#include "libxfs/crc.h"
#include "repair.h"
#include "run.h"

#define GROUPS_ASKED 8u

static bool is_unknown(const struct repair *rc)
{
	static const uint8_t none[sizeof(rc->geo.meta_uuid)];
	const struct sb_disk *sb = (const struct sb_disk *)rc->primary;

	return rc->geo.crc && be32_get(sb->features_incompat) & SB_INCOMPAT_META_UUID &&
	       memcmp(sb->meta_uuid, none, sizeof(none)) == 0;
}

int sb_uuid_learn(struct repair *rc)
{
	struct geometry *geo = &rc->geo;
	const struct agf_disk *agf;
	uint8_t *sector;

	if (!is_unknown(rc))
		return 0;
	sector = malloc(geo->sector_size);
	if (!sector)
		return -ENOMEM;
	agf = (const struct agf_disk *)sector;
	for (uint32_t ag = 0; ag < geo->agcount && ag < GROUPS_ASKED; ag++) {
		if (device_read(rc->run->device, sector, ag_sector_offset(geo, (agno_t){ ag }, AGF_SECTOR),
				geo->sector_size) ||
		    be32_get(agf->magicnum) != AGF_MAGIC ||
		    !crc_is_right(sector, geo->sector_size, offsetof(struct agf_disk, crc)))
			continue;
		memcpy(geo->meta_uuid, agf->uuid, sizeof(geo->meta_uuid));
		break;
	}
	free(sector);
	return 0;
}
