/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The realtime section: bitmap and summary of its free extents, in both forms,
 * and the superblock on its device (ondisk 09).  Realtime extents are
 * numbered from the start of their group, or of the section where it isn't divided.
 */
#ifndef XFSCK_LIBXFS_RT_H
#define XFSCK_LIBXFS_RT_H

#include "check.h"
#include "disk/rt.h"

/* Bytes in front of the words of a block. */
static inline uint32_t rt_header_size(const struct geometry *g)
{
	return g->metadir ? (uint32_t)sizeof(struct rt_header_disk) : 0;
}

/* 32-bit words of a block of the bitmap or the summary. */
static inline uint32_t rt_block_words(const struct geometry *g)
{
	return (g->block_size - rt_header_size(g)) / (uint32_t)sizeof(be32_t);
}

/* Extents that a whole block of the bitmap is about. */
static inline uint32_t rt_block_extents(const struct geometry *g)
{
	return rt_block_words(g) * RT_WORD_BITS;
}

/* What is known of a block before it is read. */
struct rt_expect {
	xino_t owner;	/* the file */
	xdaddr_t daddr; /* of the block on the data device */
	uint64_t block; /* of the file */
	uint32_t rgno;
};

/*
 * Check one block of the bitmap and visit its free extents in ascending order, as long as they are within the block.
 * start is counted from the beginning of the group.  expect->block is below geo->rbmblocks.  False, with nothing
 * visited: the block is no such block.
 */
bool rtbitmap_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		     void (*free)(void *ctx, uint64_t start, uint32_t len), void *ctx);

/*
 * Check one block of the summary and visit its counters that are not 0: so many runs of free extents, whose length
 * has the logarithm `level`, begin in block `bitmap_block` of the bitmap.  False, with nothing visited: no such block.
 */
bool rtsummary_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		      void (*counter)(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count), void *ctx);

/* Check the block_size bytes at the start of the realtime device of a file system that has_rtsb(). */
void rtsb_check(const struct check *c, const void *block);

#endif
