/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and sets the header fields of buffers of version 5, at the offsets of their kind of block (object.c).  The
 * block on the disk may be of another kind than the logged one, since blocks are reused: so its LSN is read by its
 * magic alone, and set only if magic and logged type agree (ondisk 11, "Recovery rules").
 */
#include "libxfs/log_stamp.h"

#include <string.h>

#include "disk/attr.h"
#include "disk/da.h"
#include "disk/sb.h"
#include "libxfs/crc.h"
#include "libxfs/object.h"

/* True if the buffer has no header: without realtime groups, blocks of bitmap and summary are data from byte 0 on. */
static bool headerless(const struct geometry *geo, enum log_buf_type type)
{
	return !geo->metadir && (type == LB_RTBITMAP || type == LB_RTSUMMARY);
}

/* The kind of a buffer by its magic; NULL: none that is logged in buffers with an LSN. */
static const struct object_kind *kind_of(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf)
{
	return !geo->crc || headerless(geo, type) ? NULL : object_logged_as(geo, buf);
}

/* Like kind_of(), without blocks of remote attribute values, which have no LSN. */
static const struct object_kind *dated_kind_of(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf)
{
	const struct object_kind *kind = kind_of(geo, type, buf);

	return kind && kind->logged != LB_ATTR_REMOTE ? kind : NULL;
}

/* The metadata uuid in the buffer: in a superblock, meta_uuid if the user has changed the uuid (ondisk 01). */
static const uint8_t *uuid_in(const struct geometry *geo, const struct object_kind *kind, const uint8_t *buf)
{
	if (kind->object == OBJ_SUPERBLOCK && memcmp(geo->uuid, geo->meta_uuid, sizeof(geo->uuid)) != 0)
		return ((const struct sb_disk *)buf)->meta_uuid;
	return buf + kind->at.uuid;
}

enum log_buf_type log_stamp_type_of(enum ag_sector sector)
{
	return object_of_sector(sector)->logged;
}

bool log_stamp_foreign(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf)
{
	const struct object_kind *kind = dated_kind_of(geo, type, buf);

	return !kind || memcmp(uuid_in(geo, kind, buf), geo->meta_uuid, sizeof(geo->meta_uuid)) != 0;
}

lsn_t log_stamp_lsn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf)
{
	const struct object_kind *kind = dated_kind_of(geo, type, buf);
	uint64_t lsn;

	if (log_stamp_foreign(geo, type, buf))
		return (lsn_t){ NULL_LSN };
	lsn = be64_get(*(const be64_t *)(buf + kind->at.lsn));
	return (lsn_t){ lsn ? lsn : NULL_LSN };
}

lsn_t log_stamp_beyond(const struct geometry *geo, const uint8_t *buf)
{
	const lsn_t lsn = log_stamp_lsn(geo, LB_UNKNOWN, buf);

	return geo->head_lsn.v && lsn.v >= geo->head_lsn.v ? lsn : (lsn_t){ NULL_LSN };
}

bool log_stamp_reset(const struct geometry *geo, uint8_t *buf)
{
	if (log_stamp_beyond(geo, buf).v == NULL_LSN)
		return false;
	memset(buf + kind_of(geo, LB_UNKNOWN, buf)->at.lsn, 0, sizeof(be64_t));
	return true;
}

bool log_stamp_torn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf, uint32_t len)
{
	const struct object_kind *kind = dated_kind_of(geo, type, buf);

	return kind && kind->logged == type && !crc_is_right(buf, len, kind->at.crc);
}

/* Sets the checksums of a remote attribute value, which has a header without an LSN in each block. */
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
	const struct object_kind *kind = dated_kind_of(geo, LB_UNKNOWN, buf);
	const unsigned log = geo->block_log - SECTOR_LOG;

	if (!kind || !kind->at.blkno || memcmp(buf + kind->at.uuid, geo->meta_uuid, sizeof(geo->meta_uuid)) != 0)
		return false;
	ret_daddr->v = v5_blkno(buf, &kind->at);
	return ret_daddr->v < geo->dblocks << log && ret_daddr->v % (1u << log) == 0;
}

bool log_stamp_place(const struct geometry *geo, const uint8_t *buf, uint32_t len, xdaddr_t *ret_daddr,
		     xino_t *ret_owner)
{
	const struct object_kind *kind = kind_of(geo, LB_UNKNOWN, buf);

	if (!kind || kind->at.owner_bytes != sizeof(be64_t) ||
	    memcmp(buf + kind->at.uuid, geo->meta_uuid, sizeof(geo->meta_uuid)) != 0 ||
	    !crc_is_right(buf, len, kind->at.crc))
		return false;
	ret_daddr->v = v5_blkno(buf, &kind->at);
	ret_owner->v = v5_owner(buf, &kind->at);
	return true;
}

void log_stamp_set(const struct geometry *geo, enum log_buf_type type, uint8_t *buf, uint32_t len, lsn_t lsn)
{
	const struct object_kind *kind = dated_kind_of(geo, type, buf);
	be64_t date = be64_put(lsn.v);

	if (geo->crc && type == LB_ATTR_REMOTE) {
		set_attr_remote(geo, buf, len);
	} else if (kind && kind->logged == type) {
		memcpy(buf + kind->at.lsn, &date, sizeof(date));
		crc_store(buf, len, kind->at.crc);
	}
}
