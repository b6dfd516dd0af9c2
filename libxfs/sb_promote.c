/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a secondary superblock into the primary, if that one is lost (ondisk 01,
 * "Secondary superblocks").  Fields that secondaries lack are filled in if they
 * follow from the rest, and are left empty if only the primary had them.
 */
#include "sb.h"

#include "libxfs/ag.h"
#include "libxfs/crc.h"

void sb_set_first_inodes(void *sector, xino_t rootino)
{
	struct sb_disk *sb = sector;
	bool metadir = sb_version(sb) == SB_VERSION_5 && (be32_get(sb->features_incompat) & SB_INCOMPAT_METADIR);

	sb->rootino = be64_put(rootino.v);
	sb->rbmino = be64_put(metadir ? 0 : rootino.v + 1);
	sb->rsumino = be64_put(metadir ? 0 : rootino.v + 2);
	if (metadir)
		sb->metadirino = be64_put(rootino.v + 1);
}

void sb_promote(void *sector, xino_t rootino)
{
	struct sb_disk *sb = sector;

	sb->inprogress = 0;
	sb_set_first_inodes(sb, rootino);
	sb->icount = be64_put(0);
	sb->ifree = be64_put(0);
	sb->fdblocks = be64_put(0);
	sb->frextents = be64_put(0);
	if (sb_version(sb) == SB_VERSION_5) {
		/* these describe the log at one moment; in a secondary superblock they are out of date */
		sb->features_log_incompat = be32_put(0);
		sb->lsn = be64_put(0);
	}
}

void sb_seal(void *sector, uint32_t sector_size)
{
	struct sb_disk *sb = sector;

	if (sb_version(sb) == SB_VERSION_5)
		crc_store(sector, sector_size, SB_OFFSET(crc));
}
