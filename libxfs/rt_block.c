/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of the bitmap and summary blocks of realtime groups (ondisk 09; 00, invariant 4). */
#include "rt_block.h"

#include "libxfs/crc.h"
#include "libxfs/v5.h"

#define HEADER(field) ((uint32_t)offsetof(struct rt_header_disk, field))

bool rt_block_check(const struct check *c, const uint8_t *block, uint32_t magic, const struct rt_expect *expect)
{
	const struct rt_header_disk *disk = (const struct rt_header_disk *)block;

	bool here, ours;

	if (!rt_header_size(c->geo))
		return true;
	if (!check_eq(c, F_BLOCK_MAGIC, HEADER(magic), be32_get(disk->magic), magic))
		return false;
	crc_check(c, block, c->geo->block_size, HEADER(crc));
	ours = check_eq(c, F_BLOCK_OWNER, HEADER(owner), be64_get(disk->owner), expect->owner.v);
	here = check_eq(c, F_BLOCK_BLKNO, HEADER(blkno), be64_get(disk->blkno), expect->daddr.v);
	v5_check_lsn(c, be64_get(disk->lsn), HEADER(lsn));
	v5_check_uuid(c, disk->uuid, HEADER(uuid));
	return !v5_of_another(block, c->geo->block_size, HEADER(crc), here, ours);
}
