/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mark in a superblock that keeps the kernel from mounting. */
#include "disk/sb.h"
#include "libxfs/crc.h"
#include "libxfs/sb_feature.h"

#define CRC_AT offsetof(struct sb_disk, crc)

bool sb_mark_needsrepair(uint8_t *sector, size_t size, bool on)
{
	struct sb_disk *sb = (struct sb_disk *)sector;
	uint32_t incompat = be32_get(sb->features_incompat), version = be16_get(sb->versionnum) & SB_VERSION_NUMBER;

	if (be32_get(sb->magicnum) != SB_MAGIC)
		return false;
	if (version == SB_VERSION_4) {
		sb->inprogress = on;
		return true;
	}
	if (version != SB_VERSION_5 || !crc_is_right(sector, size, CRC_AT))
		return false;
	incompat = on ? incompat | SB_INCOMPAT_NEEDSREPAIR : incompat & ~SB_INCOMPAT_NEEDSREPAIR;
	sb->features_incompat = be32_put(incompat);
	crc_store(sector, size, CRC_AT);
	return true;
}
