/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the metadata of the realtime section, in both forms (ondisk 09): bitmap, summary, and the superblock. */
#ifndef XFSCK_LIBXFS_RT_BUILD_H
#define XFSCK_LIBXFS_RT_BUILD_H

#include "libxfs/rt.h"

/*
 * Builds a block of bitmap or summary with rt_block_words() words.  Sets all block_size bytes, in groups with a header
 * with checksum and LSN 0.  magic: RTBITMAP_MAGIC or RTSUMMARY_MAGIC.
 */
void rt_build_block(const struct geometry *g, uint8_t *block, uint32_t magic, const struct rt_expect *place,
		    const uint32_t *words);

/* Builds the realtime superblock, block_size bytes, of a file system that has_rtsb(). */
void rt_build_sb(const struct geometry *g, uint8_t *block);

#endif
