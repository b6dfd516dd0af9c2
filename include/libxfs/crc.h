/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums of metadata blocks: CRC32c over the block, with the checksum field as zero (ondisk 00). */
#ifndef XFSCK_LIBXFS_CRC_H
#define XFSCK_LIBXFS_CRC_H

#include <stddef.h>

#include "be.h"
#include "check.h"

/* For checksums over several pieces: start with CRC_SEED, add each piece, and invert all bits at the end. */
#define CRC_SEED UINT32_MAX
uint32_t crc_add(uint32_t crc, const void *bytes, size_t len);

/* Computes the checksum of len bytes at block, with the 4 bytes at crc_offset as zero.  crc_offset + 4 <= len. */
uint32_t crc_block(const void *block, size_t len, size_t crc_offset);

/* Stores the checksum. */
void crc_store(void *block, size_t len, size_t crc_offset);

/* Returns the stored checksum. */
uint32_t crc_stored(const void *block, size_t crc_offset);

/* True if the stored checksum is right. */
bool crc_is_right(const void *block, size_t len, size_t crc_offset);

/* The same; reports F_BLOCK_CRC if not. */
bool crc_check(const struct check *c, const void *block, size_t len, size_t crc_offset);

/*
 * Finds the one byte, of the block or of the checksum, that makes a wrong checksum right if it is changed: its offset,
 * and the right value.  False: the checksum is right, or there is no such byte, or more than one.
 */
bool crc_find_byte(const void *block, size_t len, size_t crc_offset, size_t *ret_at, uint8_t *ret_was);

/* The same, from the XOR of the stored and the computed checksum; *ret_change: XOR of the byte's two values. */
bool crc_find_change(uint32_t difference, size_t len, size_t crc_offset, size_t *ret_at, uint8_t *ret_change);

/* A check for blocks that have been checked before: it reports nothing, and crc_check() does not compute checksums. */
struct check check_known(const struct geometry *geo);

/* Compares the CRC library with known answers: 0, or -ENOSYS if it computes wrong ones. */
int crc_selftest(void);

#endif
