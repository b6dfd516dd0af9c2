/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of directory and attribute blocks, which the decoders in this folder share. */
#ifndef XFSCK_DA_HEADER_H
#define XFSCK_DA_HEADER_H

#include "disk/dir.h"
#include "libxfs/da.h"

/* Bytes of the common headers of nodes and leaves, and of data, block-format and free index blocks. */
static inline uint32_t da_blkinfo_size(const struct geometry *g)
{
	return g->crc ? (uint32_t)sizeof(struct da_blkinfo_disk) : DA_BLKINFO_SIZE_V4;
}

static inline uint32_t dir_blkhdr_size(const struct geometry *g)
{
	return g->crc ? (uint32_t)sizeof(struct dir_blkhdr_disk) : DIR_BLKHDR_SIZE_V4;
}

/* Bytes of the whole header of da nodes and directory blocks. */
static inline uint32_t da_header_size(const struct geometry *g)
{
	return g->crc ? DA_HEADER_SIZE : DA_HEADER_SIZE_V4;
}

/* The magic number of a kind of block in this version of the format. */
uint32_t da_magic_of(const struct geometry *g, enum da_magic kind);

/*
 * Check the header of a da node, directory leaf or attribute leaf: magic, that the siblings are places where
 * the tree can have blocks, and on V5 the checksum over len bytes, address, LSN, uuid and owner.
 * False, with only that reported, if the magic is not that of `kind`; what else is wrong is reported, and
 * *ret_siblings is set as the block has it.  len >= DA_HEADER_SIZE.
 */
bool da_header_check(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		     enum da_magic kind, struct da_siblings *ret_siblings);

/* True if the tree that a block belongs to can have a block other than its root at dablk (ondisk 06, 07). */
bool da_dablk_possible(const struct geometry *g, const struct da_expect *expect, dablk_t dablk);

/* Bytes of a block of the tree. */
static inline uint32_t da_block_size(const struct geometry *g, enum fork fork)
{
	return fork == DATA_FORK ? g->dir_block_size : g->block_size;
}

/* da_build.c: an empty block with the header of a da node or leaf, dated with no LSN; and its checksum, at the end. */
void da_put_header(const struct geometry *g, uint8_t *block, const struct da_expect *place, enum da_magic kind,
		   struct da_siblings siblings);
void da_seal(const struct geometry *g, uint8_t *block, enum fork fork);

/* The same as da_header_check() for data, block-format and free index blocks of directories. */
bool dir_header_check(const struct check *c, const void *block, const struct da_expect *expect, enum da_magic kind);

#endif
