/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSN, checksum, address and owner in a buffer of version 5, wherever its kind of block has them.  The kind is told by
 * the magic number (ondisk 11, "Recovery rules").  Buffers have at least 512 bytes.
 */
#ifndef XFSCK_LIBXFS_LOG_STAMP_H
#define XFSCK_LIBXFS_LOG_STAMP_H

#include "check.h"
#include "disk/log_item.h"

/* What the log has a header sector of an AG as. */
enum log_buf_type log_stamp_type_of(enum ag_sector sector);

/* Whether a buffer does not have the uuid of this file system, so that the LSN in it means nothing. */
bool log_stamp_foreign(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf);

/*
 * The LSN of a buffer.  NULL_LSN: it has none (so in version 4) or belongs to another file system; then what the log
 * holds is newer.  type: as the log has it.
 */
lsn_t log_stamp_lsn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf);

/*
 * The LSN of a block that nobody uses, if it is at the head of the log or beyond; else NULL_LSN, also if the head is
 * not known.  buf: its first SECTOR_SIZE bytes.
 */
lsn_t log_stamp_beyond(const struct geometry *geo, const uint8_t *buf);
/* Set such an LSN to 0; the checksum, which nobody reads, stays.  False: it has none. */
bool log_stamp_reset(const struct geometry *geo, uint8_t *buf);

/*
 * Whether the buffer of len bytes, if it is of this type, has a wrong checksum: a write of it was torn, by a replay
 * that was cut short perhaps, so its LSN may be newer than its other contents.
 */
bool log_stamp_torn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf, uint32_t len);

/*
 * True if a metadata block of this file system begins here that names its address, by its magic and uuid; its checksum
 * is not looked at.  The address is that of a block of the file system.  buf has SECTOR_SIZE bytes.
 */
bool log_stamp_daddr(const struct geometry *geo, const uint8_t *buf, xdaddr_t *ret_daddr);

/*
 * Whether the len bytes are a metadata block that belongs to a file of this file system, with the right checksum.  If
 * so, *ret_daddr and *ret_owner are the address and the owner that it names, which may be no valid inode number.
 */
bool log_stamp_place(const struct geometry *geo, const uint8_t *buf, uint32_t len, xdaddr_t *ret_daddr,
		     xino_t *ret_owner);

/*
 * Set LSN and checksum of a buffer of len bytes, if it is of this type; else it stays as it is.  Blocks of remote
 * attribute values get NULL_LSN, since they are never logged.
 */
void log_stamp_set(const struct geometry *geo, enum log_buf_type type, uint8_t *buf, uint32_t len, lsn_t lsn);

#endif
