/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The realtime section: bitmap and summary of its free extents, and the superblock on its device (ondisk 09).  It has
 * two forms: one bitmap and one summary without block headers, or, with metadata directories, realtime groups, each
 * with files of its own whose blocks have headers.  Realtime extents are numbered from the start of their group, or of
 * an undivided section.
 */
#ifndef XFSCK_LIBXFS_RT_H
#define XFSCK_LIBXFS_RT_H

#include "check.h"
#include "disk/rt.h"

/* Size of the header of a bitmap or summary block in bytes, or 0. */
static inline uint32_t rt_header_size(const struct geometry *g)
{
	return g->metadir ? (uint32_t)sizeof(struct rt_header_disk) : 0;
}

/* Number of 32-bit words in a bitmap or summary block. */
static inline uint32_t rt_block_words(const struct geometry *g)
{
	return (g->block_size - rt_header_size(g)) / (uint32_t)sizeof(be32_t);
}

/* Number of extents that a bitmap block covers. */
static inline uint32_t rt_block_extents(const struct geometry *g)
{
	return rt_block_words(g) * RT_WORD_BITS;
}

/* What is known of a block before it is read. */
struct rt_expect {
	xino_t owner;	/* inode of the file */
	xdaddr_t daddr; /* of the block on the data device */
	uint64_t block; /* its number in the file */
	uint32_t rgno;	/* group; 0 if the section is undivided */
};

/*
 * Checks one block of the bitmap, expect->block < geo->rbmblocks, and visits its runs of free extents in ascending
 * order.  A run that continues in the next block is visited in two parts.  start: extent in the group.  False, with
 * nothing visited: the magic number is wrong, or the block was written for another place and another owner (reported).
 */
bool rtbitmap_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		     void (*free)(void *ctx, uint64_t start, uint32_t len), void *ctx);

/*
 * Checks one block of the summary, and visits its counters other than 0.  A counter says that `count` runs of free
 * extents, of 2^level to 2^(level+1)-1 extents, begin in block `bitmap_block` of the bitmap.  False: as in
 * rtbitmap_decode().
 */
bool rtsummary_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		      void (*counter)(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count), void *ctx);

/* Checks the superblock at the start of the realtime device: block_size bytes.  Only if has_rtsb(). */
void rtsb_check(const struct check *c, const void *block);

#endif
