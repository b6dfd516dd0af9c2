/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The date, the checksum and the place of a buffer of version 5, wherever its header has them: what its first bytes say
 * it is decides (ondisk 11, "Recovery rules"). Buffers have 512 bytes at least.
 */
#ifndef XFSCK_LIBXFS_LOG_STAMP_H
#define XFSCK_LIBXFS_LOG_STAMP_H

#include "check.h"
#include "disk/log_item.h"

/*
 * The LSN that the contents of a buffer carry. NULL_LSN: they carry none, or are not of this file system, so that
 * whatever the log holds is newer.  type: what the log says that the buffer is.
 */
lsn_t log_stamp_lsn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf);

/*
 * Whether the buffer of len bytes, being of the type that the log says, has a wrong checksum: what was writing it, a
 * replay perhaps, was cut short, and its date is that of the part which got there.
 */
bool log_stamp_torn(const struct geometry *geo, enum log_buf_type type, const uint8_t *buf, uint32_t len);

/*
 * Whether the len bytes are a block of a file as it was written: of this file system, with the right checksum.  Where
 * it says that it lies, and whose it is: an inode number that need not be one.
 */
bool log_stamp_place(const struct geometry *geo, const uint8_t *buf, uint32_t len, xdaddr_t *ret_daddr,
		     xino_t *ret_owner);

/* Date a buffer of len bytes and compute its checksum, if it is of the type that the log says; else leave it. */
void log_stamp_set(const struct geometry *geo, enum log_buf_type type, uint8_t *buf, uint32_t len, lsn_t lsn);

#endif
