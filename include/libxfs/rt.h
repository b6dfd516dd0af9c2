/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The realtime section: bitmap and summary of its free extents, and the superblock on its device (ondisk 09).  It has
 * two forms: one bitmap and one summary without block headers, or, with metadata directories, realtime groups, each
 * with files of its own whose blocks have headers.  Realtime extents are numbered from the start of their group, or of
 * a section that is not divided.
 */
#ifndef XFSCK_LIBXFS_RT_H
#define XFSCK_LIBXFS_RT_H

#include "check.h"
#include "disk/rt.h"

/* Bytes of the header in front of the words of a bitmap or summary block; 0: there is none. */
static inline uint32_t rt_header_size(const struct geometry *g)
{
	return g->metadir ? (uint32_t)sizeof(struct rt_header_disk) : 0;
}

/* 32-bit words of a block of the bitmap or the summary. */
static inline uint32_t rt_block_words(const struct geometry *g)
{
	return (g->block_size - rt_header_size(g)) / (uint32_t)sizeof(be32_t);
}

/* Extents that a whole block of the bitmap covers. */
static inline uint32_t rt_block_extents(const struct geometry *g)
{
	return rt_block_words(g) * RT_WORD_BITS;
}

/* What is known of a block before it is read. */
struct rt_expect {
	xino_t owner;	/* inode of the file */
	xdaddr_t daddr; /* of the block on the data device */
	uint64_t block; /* its number in the file */
	uint32_t rgno;	/* group; 0 if the section is not divided */
};

/*
 * Check one block of the bitmap, expect->block < geo->rbmblocks, and visit its runs of free extents in ascending order.
 * A run that goes on in the next block is visited in two parts.  start: extent in the group.  False, with nothing
 * visited: the magic number is wrong, or the block was written for another place and another owner (reported).
 */
bool rtbitmap_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		     void (*free)(void *ctx, uint64_t start, uint32_t len), void *ctx);

/*
 * Check one block of the summary, and visit those of its counters that are not 0.  A counter says that `count` runs of
 * free extents, of 2^level to 2^(level+1)-1 extents, begin in block `bitmap_block` of the bitmap.  False: as
 * rtbitmap_decode().
 */
bool rtsummary_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		      void (*counter)(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count), void *ctx);

/* Check the superblock at the start of the realtime device: block_size bytes.  Only if has_rtsb(). */
void rtsb_check(const struct check *c, const void *block);

#endif
