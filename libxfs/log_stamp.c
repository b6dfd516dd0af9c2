/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where each kind of buffer of version 5 has its LSN, checksum, uuid, address and owner
 * (ondisk 00, section 6).  The block on the disk may be of another kind than the logged
 * one, since blocks are reused: so its LSN is read by its magic alone,
 * and set only where magic and logged type agree (ondisk 11, "Recovery rules").
 */
#include "libxfs/log_stamp.h"

#include <string.h>

#include "disk/agf.h"
#include "disk/agfl.h"
#include "disk/agi.h"
#include "disk/alloc.h"
#include "disk/attr.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/da.h"
#include "disk/dir.h"
#include "disk/inobt.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "disk/rt.h"
#include "disk/sb.h"
#include "disk/symlink.h"
#include "libxfs/crc.h"
#include "libxfs/v5.h"

struct stamp {
	uint32_t magic;
	enum log_buf_type type;
	bool da; /* the magic has 16 bits and lies behind the siblings */
	struct v5_header at;
};

#define STAMP(magic, type, da, disk, header)                                                                           \
	{                                                                                                              \
		magic, type, da, V5_HEADER(disk, header)                                                               \
	}
/* header sectors of an AG hold neither address nor owner */
#define STAMP_OF_GROUP(magic, type, disk)                                                                              \
	{                                                                                                              \
		magic, type, false,                                                                                    \
		{                                                                                                      \
			offsetof(struct disk, crc), offsetof(struct disk, uuid), offsetof(struct disk, lsn), 0, 0, 0   \
		}                                                                                                      \
	}

static const struct stamp stamps[] = {
	STAMP(BNOBT_MAGIC, LB_BTREE, false, btree_short_disk, ),
	STAMP(CNTBT_MAGIC, LB_BTREE, false, btree_short_disk, ),
	STAMP(INOBT_MAGIC, LB_BTREE, false, btree_short_disk, ),
	STAMP(FINOBT_MAGIC, LB_BTREE, false, btree_short_disk, ),
	STAMP(RMAPBT_MAGIC, LB_BTREE, false, btree_short_disk, ),
	STAMP(REFCOUNTBT_MAGIC, LB_BTREE, false, btree_short_disk, ),
	STAMP(BMBT_MAGIC, LB_BTREE, false, btree_long_disk, ),
	STAMP(RTRMAPBT_MAGIC, LB_BTREE, false, btree_long_disk, ),
	STAMP(RTREFCOUNTBT_MAGIC, LB_BTREE, false, btree_long_disk, ),
	STAMP_OF_GROUP(AGF_MAGIC, LB_AGF, agf_disk),
	STAMP_OF_GROUP(AGFL_MAGIC, LB_AGFL, agfl_disk),
	STAMP_OF_GROUP(AGI_MAGIC, LB_AGI, agi_disk),
	STAMP_OF_GROUP(SB_MAGIC, LB_SUPERBLOCK, sb_disk),
	STAMP(SYMLINK_MAGIC, LB_SYMLINK, false, symlink_disk, ),
	STAMP(DIR_MAGIC_BLOCK, LB_DIR_BLOCK, false, dir_blkhdr_disk, ),
	STAMP(DIR_MAGIC_DATA, LB_DIR_DATA, false, dir_blkhdr_disk, ),
	STAMP(DIR_MAGIC_FREE, LB_DIR_FREE, false, dir_blkhdr_disk, ),
	STAMP(DA_MAGIC_DIR_LEAF1, LB_DIR_LEAF1, true, dir_leaf_header_disk, info.),
	STAMP(DA_MAGIC_DIR_LEAFN, LB_DIR_LEAFN, true, dir_leaf_header_disk, info.),
	STAMP(DA_MAGIC_NODE, LB_DA_NODE, true, da_node_header_disk, info.),
	STAMP(DA_MAGIC_ATTR_LEAF, LB_ATTR_LEAF, true, attr_leaf_header_disk, info.),
	STAMP(RTBITMAP_MAGIC, LB_RTBITMAP, false, rt_header_disk, ),
	STAMP(RTSUMMARY_MAGIC, LB_RTSUMMARY, false, rt_header_disk, ),
};

/* Blocks of remote attribute values have no LSN. */
static const struct stamp value_stamp = STAMP(DA_MAGIC_ATTR_VALUE, LB_ATTR_REMOTE, false, attr_remote_disk, );

/* Whether the buffer has no header: without realtime groups, blocks of bitmap and summary are data from byte 0 on. */
static bool headerless(const struct geometry *geo, enum log_buf_type type)
{
	return !geo->metadir && (type == LB_RTBITMAP || type == LB_RTSUMMARY);
}

static const struct stamp *stamp_of(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf)
{
	uint32_t magic = be32_get(*(const be32_t *)buf);
	uint16_t da_magic = be16_get(((const struct da_blkinfo_disk *)buf)->magic);

	if (!geo->crc || headerless(geo, type))
		return NULL;
	for (size_t i = 0; i < sizeof(stamps) / sizeof(stamps[0]); i++)
		if (stamps[i].magic == (stamps[i].da ? da_magic : magic))
			return &stamps[i];
	return NULL;
}

/* The uuid of the metadata in the buffer: in a superblock, meta_uuid if the user has changed the uuid (ondisk 01). */
static const uint8_t *uuid_in(const struct geometry *geo, const struct stamp *stamp, const uint8_t *buf)
{
	if (stamp->type == LB_SUPERBLOCK && memcmp(geo->uuid, geo->meta_uuid, sizeof(geo->uuid)) != 0)
		return ((const struct sb_disk *)buf)->meta_uuid;
	return buf + stamp->at.uuid;
}

enum log_buf_type log_stamp_type_of(enum ag_sector sector)
{
	static const enum log_buf_type types[AG_SECTORS] = {
		[SB_SECTOR] = LB_SUPERBLOCK,
		[AGF_SECTOR] = LB_AGF,
		[AGI_SECTOR] = LB_AGI,
		[AGFL_SECTOR] = LB_AGFL,
	};

	return types[sector];
}

bool log_stamp_foreign(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf)
{
	const struct stamp *stamp = stamp_of(geo, type, buf);

	return !stamp || memcmp(uuid_in(geo, stamp, buf), geo->meta_uuid, sizeof(geo->meta_uuid)) != 0;
}

lsn_t log_stamp_lsn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf)
{
	const struct stamp *stamp = stamp_of(geo, type, buf);
	uint64_t lsn;

	if (log_stamp_foreign(geo, type, buf))
		return (lsn_t){ NULL_LSN };
	lsn = be64_get(*(const be64_t *)(buf + stamp->at.lsn));
	return (lsn_t){ lsn ? lsn : NULL_LSN };
}

bool log_stamp_torn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf, uint32_t len)
{
	const struct stamp *stamp = stamp_of(geo, type, buf);

	return stamp && stamp->type == type && !crc_is_right(buf, len, stamp->at.crc);
}

/* Set the checksums of a remote attribute value, which has a header without an LSN in each block. */
static void set_attr_remote(const struct geometry *geo, uint8_t *buf, uint32_t len)
{
	for (uint32_t at = 0; at + geo->block_size <= len; at += geo->block_size) {
		struct attr_remote_disk *header = (struct attr_remote_disk *)(buf + at);

		if (be32_get(header->magic) != DA_MAGIC_ATTR_VALUE)
			continue;
		header->lsn = be64_put(NULL_LSN);
		crc_store(header, geo->block_size, offsetof(struct attr_remote_disk, crc));
	}
}

bool log_stamp_daddr(const struct geometry *geo, const uint8_t *buf, xdaddr_t *ret_daddr)
{
	const struct stamp *stamp = stamp_of(geo, LB_UNKNOWN, buf);

	if (!stamp || !stamp->at.blkno || memcmp(buf + stamp->at.uuid, geo->meta_uuid, sizeof(geo->meta_uuid)) != 0)
		return false;
	ret_daddr->v = v5_blkno(buf, &stamp->at);
	return ret_daddr->v <= UINT64_MAX >> SECTOR_LOG;
}

bool log_stamp_place(const struct geometry *geo, const uint8_t *buf, uint32_t len, xdaddr_t *ret_daddr,
		     xino_t *ret_owner)
{
	const struct stamp *stamp = stamp_of(geo, LB_UNKNOWN, buf);

	if (!stamp && geo->crc && be32_get(*(const be32_t *)buf) == value_stamp.magic)
		stamp = &value_stamp;
	if (!stamp || stamp->at.owner_bytes != sizeof(be64_t) ||
	    memcmp(buf + stamp->at.uuid, geo->meta_uuid, sizeof(geo->meta_uuid)) != 0 ||
	    !crc_is_right(buf, len, stamp->at.crc))
		return false;
	ret_daddr->v = v5_blkno(buf, &stamp->at);
	ret_owner->v = v5_owner(buf, &stamp->at);
	return true;
}

void log_stamp_set(const struct geometry *geo, enum log_buf_type type, uint8_t *buf, uint32_t len, lsn_t lsn)
{
	const struct stamp *stamp = stamp_of(geo, type, buf);
	be64_t date = be64_put(lsn.v);

	if (geo->crc && type == LB_ATTR_REMOTE) {
		set_attr_remote(geo, buf, len);
	} else if (stamp && stamp->type == type) {
		memcpy(buf + stamp->at.lsn, &date, sizeof(date));
		crc_store(buf, len, stamp->at.crc);
	}
}
