/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in groups of seven bits, the lowest first: small ones take few bytes. */
#ifndef XFSCK_REPAIR_PACKED_H
#define XFSCK_REPAIR_PACKED_H

#include <stdint.h>

#define PACKED_MOST 10u /* bytes of a number */

/* Writes a number; returns the place for the next one. */
static inline uint8_t *packed_put(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

/* Reads a number; returns the place of the next one.  Reads PACKED_MOST bytes at most, whatever their values. */
static inline const uint8_t *packed_get(const uint8_t *at, uint64_t *ret)
{
	uint64_t number = *at & 0x7f;

	for (unsigned shift = 7; *at++ & 0x80 && shift < 64; shift += 7)
		number |= (uint64_t)(*at & 0x7f) << shift;
	*ret = number;
	return at;
}

/* Turns a small difference of two numbers, of either sign, into a small number; and back. */
static inline uint64_t packed_fold(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t packed_unfold(uint64_t folded)
{
	return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

#endif
