/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the blocks of bitmap and summary have in common: rt_block.c. */
#ifndef XFSCK_LIBXFS_RT_BLOCK_H
#define XFSCK_LIBXFS_RT_BLOCK_H

#include "libxfs/rt.h"

/*
 * Check the header.  False: the magic number is wrong, or the block was written for another place and another owner.
 * Without realtime groups there is no header: true.
 */
bool rt_block_check(const struct check *c, const uint8_t *block, uint32_t magic, const struct rt_expect *expect);

/* Word i < rt_block_words().  Without a header, words are in the byte order of the machine that wrote them: ours. */
static inline uint32_t rt_block_word(const uint8_t *words, uint32_t i, bool header)
{
	uint32_t native;
	be32_t big;

	if (header) {
		memcpy(&big, words + (size_t)i * sizeof(big), sizeof(big));
		return be32_get(big);
	}
	memcpy(&native, words + (size_t)i * sizeof(native), sizeof(native));
	return native;
}

#endif
