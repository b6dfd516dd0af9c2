/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "belongs.h"

#include <errno.h>
#include <string.h>

#include "cache.h"
#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/inode.h"
#include "disk/log.h"
#include "libxfs/ag.h"
#include "libxfs/log_stamp.h"
#include "repair.h"
#include "run.h"

/* The byte at which an inode of version 5 belongs. False: it is none of this file system. */
static bool inode_belongs(const struct geometry *geo, const uint8_t *bytes, uint64_t *ret_at)
{
	const struct dinode_disk *disk = (const struct dinode_disk *)bytes;
	const xino_t ino = { be64_get(disk->ino) };

	if (!geo->crc || be16_get(disk->magic) != DINODE_MAGIC ||
	    memcmp(disk->uuid, geo->meta_uuid, sizeof(disk->uuid)) != 0 || !ino_valid(geo, ino))
		return false;
	*ret_at = bytes_of_ino(geo, ino);
	return true;
}

bool belongs_header(const struct geometry *geo, const uint8_t *sector, uint64_t *ret_at)
{
	const struct agf_disk *agf = (const struct agf_disk *)sector;
	const struct agi_disk *agi = (const struct agi_disk *)sector;
	const bool is_agf = be32_get(agf->magicnum) == AGF_MAGIC;
	const agno_t agno = { be32_get(is_agf ? agf->seqno : agi->seqno) };

	if ((!is_agf && be32_get(agi->magicnum) != AGI_MAGIC) || agno.v >= geo->agcount ||
	    (geo->crc && log_stamp_foreign(geo, is_agf ? LB_AGF : LB_AGI, sector)))
		return false;
	*ret_at = ag_sector_offset(geo, agno, is_agf ? AGF_SECTOR : AGI_SECTOR);
	return true;
}

/* The same of a record of a log on the data device, of any version: its LSN has the block of the log. */
static bool record_belongs(const struct geometry *geo, const uint8_t *sector, uint64_t *ret_at)
{
	const struct log_header_disk *head = (const struct log_header_disk *)sector;
	const uint32_t block = (uint32_t)be64_get(head->lsn);

	if (!geo->logstart.v || be32_get(head->magic) != LOG_MAGIC || block >= log_bbs(geo) ||
	    memcmp(head->fs_uuid, geo->uuid, sizeof(head->fs_uuid)) != 0)
		return false;
	*ret_at = bytes_of_daddr(daddr_of_fsbno(geo, geo->logstart)) + (uint64_t)block * LOG_BLOCK;
	return true;
}

bool belongs_sector(const struct geometry *geo, const uint8_t *sector, uint64_t *ret_at)
{
	xdaddr_t daddr;

	if (belongs_header(geo, sector, ret_at) || inode_belongs(geo, sector, ret_at) ||
	    record_belongs(geo, sector, ret_at))
		return true;
	if (!log_stamp_daddr(geo, sector, &daddr))
		return false;
	*ret_at = bytes_of_daddr(daddr);
	return true;
}

bool belongs_has_header(const struct repair *rc, agno_t agno)
{
	uint8_t sector[SECTOR_SIZE];
	uint64_t where, at;

	for (enum ag_sector i = AGF_SECTOR; i <= AGI_SECTOR; i++) {
		at = ag_sector_offset(&rc->geo, agno, i);
		if (device_read(rc->run->device, sector, at, sizeof(sector)) == 0 &&
		    belongs_header(&rc->geo, sector, &where) && where == at)
			return true;
	}
	return false;
}

void belongs_each(const struct repair *rc, uint8_t *buf, uint64_t start, uint64_t end, belongs_fn *fn, void *ctx)
{
	struct device *device = rc->run->device;
	uint64_t where;

	end = end < device_bytes(device) ? end : device_bytes(device);
	while ((start = device_next_data(device, start, SECTOR_SIZE)) < end) {
		const size_t len = end - start < BELONGS_PIECE ? end - start : BELONGS_PIECE;

		if (device_read_once(device, buf, start, len) == -ENOMEM)
			return;
		for (size_t at = 0; at + SECTOR_SIZE <= len; at += SECTOR_SIZE)
			if (belongs_sector(&rc->geo, buf + at, &where))
				fn(ctx, where, start + at);
		start += len;
	}
}
