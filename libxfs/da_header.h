/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of directory and attribute blocks, shared by the decoders in this folder. */
#ifndef XFSCK_DA_HEADER_H
#define XFSCK_DA_HEADER_H

#include "disk/dir.h"
#include "libxfs/da.h"

/* Size of the common header of nodes and leaves in bytes, without their counts. */
static inline uint32_t da_blkinfo_size(const struct geometry *g)
{
	return g->crc ? (uint32_t)sizeof(struct da_blkinfo_disk) : DA_BLKINFO_SIZE_V4;
}

/* Size of the common header of data, block-format and free index blocks in bytes, without their own fields. */
static inline uint32_t dir_blkhdr_size(const struct geometry *g)
{
	return g->crc ? (uint32_t)sizeof(struct dir_blkhdr_disk) : DIR_BLKHDR_SIZE_V4;
}

/* Size of the whole header of da nodes and directory blocks in bytes. */
static inline uint32_t da_header_size(const struct geometry *g)
{
	return g->crc ? DA_HEADER_SIZE : DA_HEADER_SIZE_V4;
}

/* The magic number of a kind of block in this version of the format. */
uint32_t da_magic_of(const struct geometry *g, enum da_magic kind);

/*
 * Checks the header of a da node, directory leaf or attribute leaf: magic, that the siblings are valid blocks of the
 * tree, and in version 5 the checksum over len bytes, address, LSN, uuid and owner.  False: the magic number is not
 * that of `kind`, or the block was written for another place and another owner (v5_check_header()).  Other faults are
 * only reported.  *ret_siblings is as stored.  len >= DA_HEADER_SIZE.
 */
bool da_header_check(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		     enum da_magic kind, struct da_siblings *ret_siblings);

/*
 * True if a block of the tree, expect, may point to dablk: it is in the range of the tree's blocks, and neither the
 * root nor the block itself (ondisk 06, 07).
 */
bool da_dablk_possible(const struct geometry *g, const struct da_expect *expect, dablk_t dablk);

/* Block size of the tree in bytes. */
static inline uint32_t da_block_size(const struct geometry *g, enum fork fork)
{
	return fork == DATA_FORK ? g->dir_block_size : g->block_size;
}

/* Makes a block an empty da node or leaf: its header, with LSN 0 and without a checksum, and zeroes (da_build.c). */
void da_put_header(const struct geometry *g, uint8_t *block, const struct da_expect *place, enum da_magic kind,
		   struct da_siblings siblings);
/* Sets the checksum, as the last step (da_build.c). */
void da_seal(const struct geometry *g, uint8_t *block, enum fork fork);

/* Like da_header_check(), for data, block-format and free index blocks of directories, which have no siblings. */
bool dir_header_check(const struct check *c, const void *block, const struct da_expect *expect, enum da_magic kind);

#endif
