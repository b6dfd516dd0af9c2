/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "belongs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/alloc.h"
#include "disk/btree.h"
#include "disk/dir.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/log.h"
#include "libxfs/ag.h"
#include "libxfs/bmap.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "report/finding.h"
#include "zeroes.h"

#define GROUPS 64u	   /* maximum of AGs for belongs_sample() */
#define STEP   (1u << 20)  /* bytes to read at once */
#define HOLE   (64u << 10) /* bytes of a hole that are not read; shorter ones are cheaper to read than to go around */

/* Finds the byte where an inode of version 5 belongs.  False: it is none of this file system. */
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

/* Does the same for a record of a log on the data device, of any version: its LSN has the block of the log. */
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

/* Finds the directory of version 4 whose first block begins with this sector, by its entry ".".  False: it is none. */
static bool directory_v4(const struct geometry *geo, const uint8_t *sector, xino_t *ret_ino)
{
	const uint32_t magic = be32_get(*(const be32_t *)sector);
	const struct dir_entry_disk *dot = (const void *)(sector + DA_HEADER_SIZE_V4);
	const struct dir_entry_disk *dotdot = (const void *)(sector + DA_HEADER_SIZE_V4 + DIR_ENTRY_MIN);

	if (geo->crc || (magic != DIR_MAGIC_BLOCK_V4 && magic != DIR_MAGIC_DATA_V4) || dot->namelen != 1 ||
	    dot->name[0] != '.' || dotdot->namelen != 2 || memcmp(dotdot->name, "..", 2) != 0)
		return false;
	ret_ino->v = be64_get(dot->inumber);
	return ino_valid(geo, *ret_ino);
}

/* Finds the byte where such a block belongs, by the first extent of the directory's inode, if that is in its place. */
static bool directory_belongs(struct device *device, const struct geometry *geo, const uint8_t *sector,
			      uint64_t *ret_at)
{
	uint8_t bytes[sizeof(struct dinode_disk)]; /* its core, and the first extent */
	const struct dinode_disk *disk = (const struct dinode_disk *)bytes;
	struct bmap_record first;
	xino_t ino;

	if (!directory_v4(geo, sector, &ino) || device_read(device, bytes, bytes_of_ino(geo, ino), sizeof(bytes)) ||
	    be16_get(disk->magic) != DINODE_MAGIC || (be16_get(disk->mode) & MODE_TYPE) != MODE_DIR ||
	    disk->format != DINODE_FMT_EXTENTS || !be32_get(disk->nextents))
		return false;
	_Static_assert(sizeof(bytes) >= DINODE_SIZE_V4 + 16, "first extent");
	first = bmap_record_get(bytes + DINODE_SIZE_V4);
	if (first.off.v || !fsb_range_valid(geo, first.start, 1))
		return false;
	*ret_at = bytes_of_daddr(daddr_of_fsbno(geo, first.start));
	return true;
}

/* The place of a version 4 btree's root, and of its height, in an AG header. */
static const struct tree_v4 {
	uint32_t magic, header_magic;
	enum ag_sector header;
	size_t root, level;
} trees_v4[] = {
	{ BNOBT_MAGIC_V4, AGF_MAGIC, AGF_SECTOR, offsetof(struct agf_disk, bno_root),
	  offsetof(struct agf_disk, bno_level) },
	{ CNTBT_MAGIC_V4, AGF_MAGIC, AGF_SECTOR, offsetof(struct agf_disk, cnt_root),
	  offsetof(struct agf_disk, cnt_level) },
	{ INOBT_MAGIC_V4, AGI_MAGIC, AGI_SECTOR, offsetof(struct agi_disk, root), offsetof(struct agi_disk, level) },
};

/* Returns the btree whose root a block may be, by its magic number and having no siblings.  NULL: none. */
static const struct tree_v4 *tree_v4_of(const struct btree_short_disk *root)
{
	for (size_t i = 0; i < sizeof(trees_v4) / sizeof(trees_v4[0]); i++)
		if (be32_get(root->magic) == trees_v4[i].magic && be32_get(root->leftsib) == NULL_AGBNO &&
		    be32_get(root->rightsib) == NULL_AGBNO)
			return &trees_v4[i];
	return NULL;
}

/* Finds the byte where such a block, found at byte `at`, belongs by the AG header there, if the levels agree. */
static bool root_belongs(struct device *device, const struct geometry *geo, const uint8_t *sector, uint64_t at,
			 uint64_t *ret_at)
{
	const struct btree_short_disk *root = (const struct btree_short_disk *)sector;
	const struct tree_v4 *tree = geo->crc ? NULL : tree_v4_of(root);
	const agno_t agno = { (uint32_t)(at / bytes_of_ag(geo)) };
	uint8_t header[SECTOR_SIZE];
	agbno_t agbno;

	if (!tree || agno.v >= geo->agcount ||
	    device_read(device, header, ag_sector_offset(geo, agno, tree->header), sizeof(header)) ||
	    be32_get(*(const be32_t *)header) != tree->header_magic ||
	    be32_get(*(const be32_t *)(header + tree->level)) != be16_get(root->level) + 1u)
		return false;
	agbno.v = be32_get(*(const be32_t *)(header + tree->root));
	*ret_at = bytes_of_daddr(daddr_of(geo, agno, agbno));
	return agbno_valid(geo, agno, agbno);
}

bool belongs_sector(struct device *device, const struct geometry *geo, const uint8_t *sector, uint64_t at,
		    uint64_t *ret_at)
{
	xdaddr_t daddr;

	if (belongs_header(geo, sector, ret_at) || inode_belongs(geo, sector, ret_at) ||
	    record_belongs(geo, sector, ret_at) || directory_belongs(device, geo, sector, ret_at) ||
	    root_belongs(device, geo, sector, at, ret_at))
		return true;
	if (!log_stamp_daddr(geo, sector, &daddr))
		return false;
	*ret_at = bytes_of_daddr(daddr);
	return true;
}

bool belongs_here(struct device *device, const struct geometry *geo, const uint8_t *sector, uint64_t at)
{
	uint64_t where;

	return belongs_sector(device, geo, sector, at, &where) && where == at;
}

bool belongs_has_header(struct device *device, const struct geometry *geo, agno_t agno)
{
	uint8_t sector[SECTOR_SIZE];
	uint64_t where, at;

	for (enum ag_sector i = AGF_SECTOR; i <= AGI_SECTOR; i++) {
		at = ag_sector_offset(geo, agno, i);
		if (device_read(device, sector, at, sizeof(sector)) == 0 && belongs_header(geo, sector, &where) &&
		    where == at)
			return true;
	}
	return false;
}

/*
 * Finds the bytes to read next, from `from` on: at most STEP, and none of the holes of an image file that are worth
 * another request.  *hole: where the data ends, if that is behind `from`.  False: there are none before `end`.
 */
static bool next_step(const struct device *device, uint64_t from, uint64_t end, uint64_t *hole, uint64_t *ret_start,
		      size_t *ret_len)
{
	const uint64_t data = from < *hole ? from : device_data_below(device, from, hole);
	const uint64_t start = data - data % SECTOR_SIZE;
	uint64_t behind, next;

	while (*hole < end && *hole < start + STEP) {
		next = device_data_below(device, *hole, &behind);
		if (next >= end || next - *hole >= HOLE)
			break;
		*hole = behind;
	}
	next = *hole + (SECTOR_SIZE - *hole % SECTOR_SIZE) % SECTOR_SIZE;
	next = next < end ? next : end;
	*ret_start = start;
	*ret_len = start >= end ? 0 : next - start < STEP ? next - start : STEP;
	return start < end;
}

void belongs_each(struct device *device, const struct geometry *geo, uint8_t *buf, uint64_t start, uint64_t end,
		  belongs_fn *fn, void *ctx)
{
	uint64_t where, hole = 0;
	size_t len;

	end = end < device_bytes(device) ? end : device_bytes(device);
	end -= end % SECTOR_SIZE; /* or the last step would be empty */
	for (; next_step(device, start, end, &hole, &start, &len); start += len) {
		/* without the replay, which may have written to the wrong places */
		if (device_read_below(device, buf, start, len, 0) == -ENOMEM)
			return;
		/* magic numbers are in the first 16 bytes */
		for (size_t at = 0; at + SECTOR_SIZE <= len; at += SECTOR_SIZE)
			if (!all_zero(buf + at, 16) && belongs_sector(device, geo, buf + at, start + at, &where))
				fn(ctx, buf + at, where, start + at);
	}
}

void belongs_sample(struct device *device, const struct geometry *geo, uint64_t bytes, belongs_fn *fn, void *ctx)
{
	const uint32_t groups = geo->agcount < GROUPS ? geo->agcount : GROUPS;
	const uint64_t ag_bytes = bytes_of_ag(geo), most = bytes / groups;
	uint8_t *buf = malloc(BELONGS_BUFFER);

	for (uint32_t i = 0; i < groups && buf; i++) {
		uint64_t start = (uint64_t)i * geo->agcount / groups * ag_bytes;

		/* the blocks of the start may be before it */
		start -= start < BELONGS_BUFFER ? start : BELONGS_BUFFER;
		belongs_each(device, geo, buf, start, start + (ag_bytes < most ? ag_bytes : most), fn, ctx);
	}
	free(buf);
}

bool belongs_found(const struct geometry *geo, const struct found *found, uint64_t *ret_at)
{
	const struct place *place = &found->place;
	const struct object_kind *kind = object_kind(place->object);

	if (kind) {
		if (!object_offset(geo, kind, place, ret_at))
			return false;
	} else {
		if (!agbno_valid(geo, place->agno, place->agbno))
			return false;
		*ret_at = bytes_of_daddr(daddr_of(geo, place->agno, place->agbno));
	}
	*ret_at -= *ret_at % SECTOR_SIZE;
	return true;
}
