/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums of metadata blocks: CRC32c over the block with its own field as zero (ondisk 00). */
#ifndef XFSCK_LIBXFS_CRC_H
#define XFSCK_LIBXFS_CRC_H

#include <stddef.h>

#include "be.h"
#include "check.h"

/* For checksums over several pieces: start with CRC_SEED, add each piece, invert all bits at the end. */
#define CRC_SEED UINT32_MAX
uint32_t crc_add(uint32_t crc, const void *bytes, size_t len);

/*
 * The checksum that len bytes at block should carry in the 4 bytes at offset
 * crc_offset, which count as zero.  crc_offset + 4 <= len.
 */
uint32_t crc_block(const void *block, size_t len, size_t crc_offset);

/* Store that checksum. */
void crc_store(void *block, size_t len, size_t crc_offset);

/* The checksum stored there. */
uint32_t crc_stored(const void *block, size_t crc_offset);

/* True if the checksum stored at crc_offset is right. */
bool crc_is_right(const void *block, size_t len, size_t crc_offset);

/* The same; if it is not, F_BLOCK_CRC is reported. */
bool crc_check(const struct check *c, const void *block, size_t len, size_t crc_offset);

/*
 * If the checksum is wrong, find the one byte, of the block or of the checksum, with another value of which it is
 * right: its offset, and that value.  False: the checksum is right, or there is no such byte, or more than one.
 */
bool crc_find_byte(const void *block, size_t len, size_t crc_offset, size_t *ret_at, uint8_t *ret_was);

/* The same by the difference of the stored checksum (XOR) from that of the bytes as they are; *ret_change: their XOR.
 */
bool crc_find_change(uint32_t difference, size_t len, size_t crc_offset, size_t *ret_at, uint8_t *ret_change);

/*
 * A check for blocks that have been checked before: it reports nothing, and crc_check() does not compute their
 * checksums again.
 */
struct check check_known(const struct geometry *geo);

/* Compares the CRC library with known answers: 0, or -ENOSYS if it computes wrongly. */
int crc_selftest(void);

#endif
