/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSN, checksum, address and owner in a buffer of version 5, at the offsets of its kind of block.  The magic number
 * shows the kind (ondisk 11, "Recovery rules").  Buffers have at least 512 bytes.
 */
#ifndef XFSCK_LIBXFS_LOG_STAMP_H
#define XFSCK_LIBXFS_LOG_STAMP_H

#include "check.h"
#include "disk/log_item.h"

/* The log's buffer type for a header sector of an AG. */
enum log_buf_type log_stamp_type_of(enum ag_sector sector);

/* True if a buffer does not have the UUID of this file system, so that its LSN is meaningless. */
bool log_stamp_foreign(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf);

/*
 * The LSN of a buffer.  NULL_LSN: none (as in version 4), or of another file system; then the log is newer.  type: its
 * buffer type in the log.
 */
lsn_t log_stamp_lsn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf);

/*
 * The LSN of an unused block, if it is at or beyond the head of the log; else NULL_LSN, also if the head is unknown.
 * buf: its first SECTOR_SIZE bytes.
 */
lsn_t log_stamp_beyond(const struct geometry *geo, const uint8_t *buf);
/* Sets such an LSN to 0, and does not update the checksum, which is never read.  False: there is none. */
bool log_stamp_reset(const struct geometry *geo, uint8_t *buf);

/*
 * True if the buffer of len bytes is of this type and has a wrong checksum: a write of it was torn, possibly by an
 * interrupted replay, so its LSN may be newer than its other contents.
 */
bool log_stamp_torn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf, uint32_t len);

/*
 * True if a metadata block of this file system begins here that has its address, by its magic and UUID; the checksum is
 * not checked.  The address is that of a block of the file system.  buf has SECTOR_SIZE bytes.
 */
bool log_stamp_daddr(const struct geometry *geo, const uint8_t *buf, xdaddr_t *ret_daddr);

/*
 * True if the len bytes are a metadata block of a file of this file system, with the right checksum.  Then *ret_daddr
 * and *ret_owner are its address and owner as stored; the owner may be an invalid inode number.
 */
bool log_stamp_place(const struct geometry *geo, const uint8_t *buf, uint32_t len, xdaddr_t *ret_daddr,
		     xino_t *ret_owner);

/*
 * Sets LSN and checksum of a buffer of len bytes, if it is of this type; else leaves it unchanged.  Blocks of remote
 * attribute values get NULL_LSN, since they are never logged.
 */
void log_stamp_set(const struct geometry *geo, enum log_buf_type type, uint8_t *buf, uint32_t len, lsn_t lsn);

#endif
