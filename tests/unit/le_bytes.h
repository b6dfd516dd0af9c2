/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums as they are on the disk, written without the program's own functions: the only little-endian numbers. */
#ifndef XFSCK_TESTS_LE_BYTES_H
#define XFSCK_TESTS_LE_BYTES_H

#include <stdint.h>

static inline void put_le32(uint8_t *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static inline uint32_t get_le32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#endif
