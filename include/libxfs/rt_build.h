/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing the realtime section's own blocks anew, in both forms (ondisk 09): bitmap, summary, and the superblock on the
 * device.  Bytes out; nothing is read.
 */
#ifndef XFSCK_LIBXFS_RT_BUILD_H
#define XFSCK_LIBXFS_RT_BUILD_H

#include "libxfs/rt.h"

/*
 * A block of block_size bytes, all of which are set: header, where there is one, dated with no LSN, and
 * rt_block_words() words.  magic: RTBITMAP_MAGIC or RTSUMMARY_MAGIC.
 */
void rt_build_block(const struct geometry *g, uint8_t *block, uint32_t magic, const struct rt_expect *place,
		    const uint32_t *words);

/* The superblock of a file system that has_rtsb(): block_size bytes. */
void rt_build_sb(const struct geometry *g, uint8_t *block);

#endif
