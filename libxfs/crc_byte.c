/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the byte that has changed since a checksum was stored (ondisk 00).  Checksums are linear: the difference
 * between the stored and the computed one depends only on the changed bits and their distance from the end.  So the
 * difference is traced back, byte by byte from the end, until a change of a single byte explains it.
 */
#include <string.h>

#include "libxfs/crc.h"

struct steps {
	uint32_t of[256];    /* the checksum of each byte, with a seed of 0 */
	uint8_t by_top[256]; /* for each value of the highest byte, the only index in of[] with it */
};

static void steps_make(struct steps *s)
{
	for (unsigned i = 0; i < 256; i++) {
		const uint8_t byte = (uint8_t)i;

		s->of[i] = crc_add(0, &byte, 1);
		s->by_top[s->of[i] >> 24] = byte;
	}
}

/* True if one changed byte of the checksum field itself explains the difference. */
static bool is_in_field(uint32_t difference, size_t *ret_index, uint8_t *ret_change)
{
	for (size_t i = 0; i < sizeof(le32_t); i++) {
		if (difference & ~(UINT32_C(0xff) << 8 * i))
			continue;
		*ret_index = i;
		*ret_change = (uint8_t)(difference >> 8 * i);
		return true;
	}
	return false;
}

bool crc_find_change(uint32_t difference, size_t len, size_t crc_offset, size_t *ret_at, uint8_t *ret_change)
{
	struct steps steps;
	size_t found = len; /* offset of the byte; len: not found yet */

	if (!difference)
		return false;
	if (is_in_field(difference, ret_at, ret_change)) {
		*ret_at += crc_offset;
		return true;
	}
	steps_make(&steps);
	for (size_t at = len; at-- > 0;) {
		const uint8_t change = steps.by_top[difference >> 24];
		const bool in_field = at >= crc_offset && at < crc_offset + sizeof(le32_t);

		difference ^= steps.of[change];
		if (!difference && !in_field) {
			if (found != len)
				return false;
			found = at;
			*ret_change = change;
		}
		difference = difference << 8 | change;
	}
	*ret_at = found;
	return found != len;
}

bool crc_find_byte(const void *block, size_t len, size_t crc_offset, size_t *ret_at, uint8_t *ret_was)
{
	const uint32_t difference = crc_stored(block, crc_offset) ^ crc_block(block, len, crc_offset);

	if (!crc_find_change(difference, len, crc_offset, ret_at, ret_was))
		return false;
	*ret_was ^= ((const uint8_t *)block)[*ret_at];
	return true;
}
