/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Derives from the first inodes (ondisk 04): the inode size, the root directory, and the features in use.  Inodes that
 * mkfs made show all features that the file system was made with.
 */
#include <stdlib.h>
#include <string.h>

#include "sb_derive.h"

#include "disk/attr.h"
#include "disk/dir.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "libxfs/bmap.h"
#include "libxfs/crc.h"

#define IMAX_PCT      25	 /* of mkfs, except for very large file systems */
#define PARENT_FLAG   0x08	 /* of a parent pointer in the attribute fork */
#define RGEXTENTS     (1u << 28) /* of mkfs without a realtime section */
#define RGEXTENTS_LOG 28

struct learned {
	uint32_t incompat; /* features in use */
	bool ftype;	   /* it is known whether entries have types */
	bool dir_block;	   /* the size of directory blocks is known */
	bool block_dir;	   /* some directory has blocks */
};

/* True if two neighbours of this size have the magic number, and in version 5 their own numbers. */
static bool is_inode_size(struct sb_derive *d, uint32_t size, uint32_t first)
{
	if (!sb_derive_read(d, d->block, (uint64_t)first * size, 2 * size))
		return false;
	for (uint32_t i = 0; i < 2; i++) {
		const struct dinode_disk *inode = (const struct dinode_disk *)(d->block + (size_t)i * size);

		if (be16_get(inode->magic) != DINODE_MAGIC)
			return false;
		if (d->crc && be64_get(inode->ino) != first + i)
			return false;
	}
	return true;
}

/* Finds the inode size by any two neighbours of a chunk in the first AG: others may be lost, or in a hole. */
static bool find_inode_size(struct sb_derive *d, uint32_t first)
{
	for (uint32_t size = d->crc ? SB_MIN_INODE_V5 : SB_MIN_INODE;
	     size <= SB_MAX_INODE && size * SB_MIN_INOPBLOCK <= d->block_size; size *= 2) {
		for (uint32_t i = 0; i + 1 < INODES_PER_CHUNK; i++) {
			if (!is_inode_size(d, size, first + i))
				continue;
			d->inode_size = size;
			return true;
		}
	}
	return false;
}

/*
 * Takes the lowest inode that was found as the root, if the inobt of the first AG is lost, and the inode is the first
 * of a chunk and a directory.
 */
static bool find_lowest_inode(struct sb_derive *d, bool *ret_sparse)
{
	const struct dinode_disk *inode = (const struct dinode_disk *)d->block;

	if (!d->witnesses || !d->chunks_seen || d->lowest_inode > UINT32_MAX || d->lowest_inode % INODES_PER_CHUNK)
		return false;
	d->first_inode = (uint32_t)d->lowest_inode;
	*ret_sparse = d->sparse_seen;
	return find_inode_size(d, d->first_inode) &&
	       sb_derive_read(d, d->block, (uint64_t)d->first_inode * d->inode_size, d->inode_size) &&
	       (be16_get(inode->mode) & MODE_TYPE) == MODE_DIR;
}

/* Returns the root of an AG's inobt; 0: the AGI is lost. */
static uint32_t inobt_of(struct sb_derive *d, uint32_t agno, uint64_t start)
{
	struct agi_disk agi;

	if (agno == 0)
		return be32_get(d->agi.root);
	return sb_derive_agi(d, start, agno, &agi) ? be32_get(agi.root) : 0;
}

/* The inode chunks in the first leaf of an AG's inobt. */
struct chunks {
	uint64_t start;	 /* of the AG, in bytes */
	uint32_t *first; /* the first inode of each */
	uint32_t count;
	bool sparse; /* the records count inodes, as with sparse chunks */
};

/* Reads the chunks; the caller frees ret->first.  False: the inobt is lost, or memory is out. */
static bool chunks_of(struct sb_derive *d, uint32_t agno, struct chunks *ret)
{
	const uint64_t start = (uint64_t)agno * be32_get(d->agi.length) * d->block_size;
	const uint32_t magic = d->crc ? INOBT_MAGIC : INOBT_MAGIC_V4;
	uint32_t numrecs = 0;
	const struct inobt_rec_disk *in_block = (const struct inobt_rec_disk *)sb_derive_first_leaf(
		d, start, inobt_of(d, agno, start), magic, sizeof(struct inobt_key_disk), &numrecs);
	const size_t room = in_block ? (size_t)(d->block + d->block_size - (const uint8_t *)in_block) : 0;

	if (numrecs > room / sizeof(*in_block))
		numrecs = (uint32_t)(room / sizeof(*in_block));
	*ret = (struct chunks){ .start = start, .first = in_block ? malloc(numrecs * sizeof(*ret->first)) : NULL };
	d->no_memory |= in_block && numrecs && !ret->first;
	if (!ret->first)
		return false;
	ret->count = numrecs;
	ret->sparse = d->crc && in_block->sparse.count != 0;
	for (uint32_t i = 0; i < numrecs; i++)
		ret->first[i] = be32_get(in_block[i].startino);
	return true;
}

/*
 * Finds the root, which is the first inode of the first chunk, and the inode size.  If the inodes of that chunk are
 * lost, others determine the size, and a repair will recreate the root in its place.
 */
static bool find_first_inode(struct sb_derive *d, bool *ret_sparse)
{
	struct chunks chunks;
	bool found = false;

	if (!chunks_of(d, 0, &chunks))
		return find_lowest_inode(d, ret_sparse);
	d->first_inode = chunks.first[0];
	*ret_sparse = chunks.sparse;
	for (uint32_t i = 0; i < chunks.count && !found; i++)
		found = find_inode_size(d, chunks.first[i]);
	free(chunks.first);
	return found;
}

/* Sets the fields that mkfs derives from the inode size (ondisk 00, section 3). */
static void set_inode_sizes(struct sb_derive *d, bool sparse)
{
	struct sb_disk *sb = d->sb;
	uint32_t cluster = d->crc ? SB_CLUSTER_SIZE * (d->inode_size / SB_CLUSTER_INODE_SIZE) : SB_CLUSTER_SIZE;
	uint32_t align = sparse ? INODES_PER_CHUNK * d->inode_size : cluster;
	uint32_t per_block = d->block_size / d->inode_size;

	sb->inodesize = be16_put((uint16_t)d->inode_size);
	sb->inodelog = (uint8_t)__builtin_ctz(d->inode_size);
	sb->inopblock = be16_put((uint16_t)per_block);
	sb->inopblog = (uint8_t)__builtin_ctz(per_block);
	sb->inoalignmt = be32_put(align / d->block_size);
	if (sparse)
		sb->spino_align = be32_put(cluster / d->block_size);
	sb->imax_pct = IMAX_PCT;
}

/* True if an inode has a parent pointer, which is its first attribute. */
static bool has_parent_pointer(const struct sb_derive *d, const struct dinode_disk *inode)
{
	uint32_t start = (uint32_t)sizeof(*inode) + inode->forkoff * 8u;
	const struct attr_sf_header_disk *header = (const void *)((const uint8_t *)inode + start);
	const struct attr_sf_entry_disk *entry = (const void *)(header + 1);

	if (inode->forkoff == 0 || inode->aformat != DINODE_FMT_LOCAL ||
	    start + sizeof(*header) + sizeof(*entry) > d->inode_size)
		return false;
	return header->count != 0 && entry->flags & PARENT_FLAG;
}

static uint32_t features_of_inode(const struct sb_derive *d, const struct dinode_disk *inode)
{
	uint64_t flags2 = be64_get(inode->flags2);
	uint32_t features = 0;

	if (flags2 & DIFLAG2_BIGTIME)
		features |= SB_INCOMPAT_BIGTIME;
	if (flags2 & DIFLAG2_NREXT64)
		features |= SB_INCOMPAT_NREXT64;
	if (flags2 & DIFLAG2_METADATA)
		features |= SB_INCOMPAT_METADIR | SB_INCOMPAT_EXCHRANGE;
	if (has_parent_pointer(d, inode))
		features |= SB_INCOMPAT_PARENT;
	return features;
}

/*
 * Returns the size of a shortform directory in bytes, with or without a byte for the type (ftype) in each entry; 0:
 * there are no entries, or they don't fit into the fork.
 */
static uint32_t sf_dir_size(const uint8_t *fork, uint32_t room, bool ftype)
{
	const struct dir_sf_header_disk *header = (const void *)fork;
	uint32_t ino_bytes = header->i8count ? 8 : 4;
	uint32_t at = sizeof(*header) + ino_bytes;

	for (uint32_t i = 0; i < header->count; i++) {
		if (at >= room)
			return 0;
		at += 3u + fork[at] + ftype + ino_bytes;
	}
	return at <= room && header->count ? at : 0;
}

/* Version 4: finds out by the size of a shortform directory whether entries have types.  False: it is unclear. */
static bool learn_ftype(struct sb_derive *d, const struct dinode_disk *inode)
{
	const uint8_t *fork = (const uint8_t *)inode + DINODE_SIZE_V4;
	const uint32_t room = d->inode_size - DINODE_SIZE_V4;
	const uint64_t size = be64_get(inode->size);

	if (inode->format != DINODE_FMT_LOCAL || !size)
		return false;
	if (sf_dir_size(fork, room, true) == size) {
		d->sb->features2 = be32_put(be32_get(d->sb->features2) | SB_FEATURES2_FTYPE);
		d->sb->bad_features2 = d->sb->features2;
		return true;
	}
	return sf_dir_size(fork, room, false) == size;
}

static bool is_dir_data(uint32_t magic)
{
	return magic == DIR_MAGIC_BLOCK || magic == DIR_MAGIC_BLOCK_V4 || magic == DIR_MAGIC_DATA ||
	       magic == DIR_MAGIC_DATA_V4;
}

/*
 * True if a directory block, which is at byte `at` and in d->block, can have so many bytes.  In version 5 the checksum
 * decides.  In version 4, a directory in block format has the size of its block; otherwise the next block of the same
 * extent must begin right behind this one.
 */
static bool is_whole(struct sb_derive *d, uint64_t at, uint32_t bytes, uint64_t dir_size, uint64_t extent_bytes)
{
	const struct dir_blkhdr_disk *header = (const void *)d->block;
	be32_t next;

	if (d->crc)
		return crc_is_right(d->block, bytes, offsetof(struct dir_blkhdr_disk, crc));
	if (be32_get(header->magic) == DIR_MAGIC_BLOCK_V4)
		return dir_size == bytes;
	return dir_size > bytes && extent_bytes > bytes && sb_derive_read(d, &next, at + bytes, sizeof(next)) &&
	       be32_get(next) == DIR_MAGIC_DATA_V4;
}

/* Finds the size of directory blocks from the first one of a directory.  Overwrites d->block. */
static bool learn_dir_block(struct sb_derive *d, const struct dinode_disk *inode)
{
	const size_t core = d->crc ? sizeof(*inode) : DINODE_SIZE_V4;
	const struct bmap_record first = bmap_record_get((const uint8_t *)inode + core);
	uint64_t dir_size = be64_get(inode->size);
	uint64_t agno = first.start.v >> d->sb->agblklog;
	uint64_t block = agno * be32_get(d->sb->agblocks) + (first.start.v & ((1ull << d->sb->agblklog) - 1));

	if (inode->format != DINODE_FMT_EXTENTS || first.off.v != 0)
		return false;
	for (unsigned log = 0; (d->block_size << log) <= SB_MAX_BLOCK && 1u << log <= first.len; log++) {
		if (!sb_derive_read(d, d->block, block * d->block_size, d->block_size << log) ||
		    !is_dir_data(be32_get(*(const be32_t *)d->block)))
			return false;
		if (is_whole(d, block * d->block_size, d->block_size << log, dir_size,
			     (uint64_t)first.len * d->block_size)) {
			d->sb->dirblklog = (uint8_t)log;
			return true;
		}
	}
	return false;
}

/* Collects features from an inode in use.  It may be in d->block, which is overwritten in the end. */
static void learn(struct sb_derive *d, const struct dinode_disk *inode, struct learned *learned)
{
	if (d->crc)
		learned->incompat |= features_of_inode(d, inode);
	if ((be16_get(inode->mode) & MODE_TYPE) != MODE_DIR)
		return;
	learned->ftype = learned->ftype || d->crc || learn_ftype(d, inode);
	learned->block_dir |= inode->format != DINODE_FMT_LOCAL;
	learned->dir_block = learned->dir_block || learn_dir_block(d, inode);
}

/* Collects features from the readable inodes of a chunk. */
static void learn_from_chunk(struct sb_derive *d, uint64_t ag_start, uint32_t first, struct learned *learned)
{
	for (uint32_t i = 0; i < INODES_PER_CHUNK; i++) {
		const struct dinode_disk *inode = (const struct dinode_disk *)d->block;
		const uint64_t at = ag_start + (uint64_t)(first + i) * d->inode_size;

		if (sb_derive_read(d, d->block, at, d->inode_size) && be16_get(inode->magic) == DINODE_MAGIC &&
		    be16_get(inode->mode) != 0)
			learn(d, inode, learned);
	}
}

static bool all_learned(const struct learned *learned)
{
	return learned->ftype && learned->dir_block;
}

static void learn_from_group(struct sb_derive *d, uint32_t agno, struct learned *learned)
{
	struct chunks chunks;

	if (!chunks_of(d, agno, &chunks))
		return;
	for (uint32_t i = 0; i < chunks.count && !all_learned(learned); i++)
		learn_from_chunk(d, chunks.start, chunks.first[i], learned);
	free(chunks.first);
}

struct any_dir {
	struct sb_derive *d;
	struct learned *learned;
};

/* A sb_derive_visit: collects features from any directory of version 5 with the right uuid and checksum. */
static bool learn_from_any(void *ctx, const uint8_t *bytes, uint32_t room, uint64_t at)
{
	const struct dinode_disk *inode = (const struct dinode_disk *)bytes;
	struct any_dir *any = ctx;

	(void)at;
	if (room < any->d->inode_size || be16_get(inode->magic) != DINODE_MAGIC ||
	    (be16_get(inode->mode) & MODE_TYPE) != MODE_DIR ||
	    memcmp(inode->uuid, any->d->sb->uuid, sizeof(inode->uuid)) != 0 ||
	    !crc_is_right(bytes, any->d->inode_size, offsetof(struct dinode_disk, crc)))
		return true;
	learn(any->d, inode, any->learned);
	return !any->learned->dir_block;
}

bool sb_derive_inodes(struct sb_derive *d)
{
	struct learned learned = { .incompat = be32_get(d->sb->features_incompat) };
	struct any_dir any = { d, &learned };
	bool sparse;

	if (!find_first_inode(d, &sparse))
		return false;
	set_inode_sizes(d, sparse);
	learn_from_chunk(d, 0, d->first_inode, &learned);
	/* the first inodes may be lost, or not show everything */
	for (uint32_t agno = 0; agno < be32_get(d->sb->agcount) && !all_learned(&learned); agno++)
		learn_from_group(d, agno, &learned);
	if (d->crc && !learned.dir_block)
		sb_derive_scan(d, device_bytes(d->device), d->inode_size, learn_from_any, &any);
	if (learned.block_dir && !learned.dir_block)
		return false;
	if (sparse)
		learned.incompat |= SB_INCOMPAT_SPINODES;
	if (d->crc)
		d->sb->features_incompat = be32_put(learned.incompat);
	if (learned.incompat & SB_INCOMPAT_METADIR) {
		d->sb->rgextents = be32_put(RGEXTENTS);
		d->sb->rgblklog = (uint8_t)(RGEXTENTS_LOG + __builtin_ctz(be32_get(d->sb->rextsize)));
	}
	return true;
}
