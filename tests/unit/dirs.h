/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of directory decoders: a file system, blocks written byte by byte at the offsets of ondisk 06, and
 * visitors that remember what they were given.
 */
#ifndef XFSCK_TESTS_DIRS_H
#define XFSCK_TESTS_DIRS_H

#include "bytes.h"
#include "le_bytes.h"
#include "reported.h"
#include "libxfs/crc.h"
#include "libxfs/da.h"

#define DIR_INO	   0x1083u
#define PARENT_INO 0x1080u
#define FILE_INO   0x1090u
#define DIR_DADDR  0x4560u

static inline struct geometry dirs_geometry(uint8_t block_log, uint8_t dirblk_log)
{
	struct geometry g = {
		.block_size = 1u << block_log,
		.dir_block_size = 1u << block_log << dirblk_log,
		.sector_size = 512,
		.inode_size = 512,
		.inodes_per_block = (1u << block_log) / 512,
		.block_log = block_log,
		.inode_log = 9,
		.inopb_log = (uint8_t)(block_log - 9),
		.agblock_log = 16,
		.dirblk_log = dirblk_log,
		.agblocks = 50000,
		.agcount = 4,
		.dblocks = 200000,
		.first_data_agbno = 3,
		.version = 5,
		.crc = true,
		.ftype = true,
		.rootino = { 128 * 8 },
		.rbmino = { 128 * 8 + 1 },
		.rsumino = { 128 * 8 + 2 },
		.head_lsn = { 0x200000000 },
	};

	for (unsigned i = 0; i < sizeof(g.meta_uuid); i++)
		g.meta_uuid[i] = (uint8_t)(0xa0 + i);
	return g;
}

/* A block that is built, and the results of decoding it. */
struct dirs {
	struct geometry geo;
	struct da_expect expect;
	uint8_t block[65536];
	uint32_t at; /* where the next entry goes */

	struct reported reported;
	unsigned nentries;
	unsigned ninvalid;
	struct dir_entry entries[64]; /* the first 64 */
	unsigned nleaves;
	struct {
		uint32_t hash, address;
	} leaves[64];
	unsigned nchildren;
	dablk_t children[64];
};

static inline void dirs_init(struct dirs *d, uint8_t block_log, uint8_t dirblk_log, uint32_t dablk)
{
	memset(d, 0, sizeof(*d));
	d->geo = dirs_geometry(block_log, dirblk_log);
	d->expect = (struct da_expect){ { DIR_INO }, { DIR_DADDR }, { dablk }, DATA_FORK };
	d->at = 64;
}

/* Starts a block of V4, where headers have 16 bytes. */
static inline void dirs_init_v4(struct dirs *d, uint8_t block_log, uint8_t dirblk_log, uint32_t dablk, bool ftype)
{
	dirs_init(d, block_log, dirblk_log, dablk);
	d->geo.version = 4;
	d->geo.crc = false;
	d->geo.ftype = ftype;
	d->geo.inode_size = 256;
	d->geo.inode_log = 8;
	d->geo.inopb_log = (uint8_t)(block_log - 8);
	d->geo.inodes_per_block = (1u << block_log) / 256;
	d->at = 16;
}

/* First fs block of the leaf and of the free index space. */
static inline uint32_t leaf_space(const struct dirs *d)
{
	return (uint32_t)((1ull << 35) / d->geo.block_size);
}

static inline uint32_t free_space(const struct dirs *d)
{
	return (uint32_t)((1ull << 36) / d->geo.block_size);
}

/* Header of data, block-format and free index blocks. */
static inline void put_dir_header(struct dirs *d, uint32_t magic)
{
	put32(d->block, magic);
	if (!d->geo.crc)
		return;
	put64(d->block + 8, DIR_DADDR);
	put64(d->block + 16, 0x100000008);
	memcpy(d->block + 24, d->geo.meta_uuid, 16);
	put64(d->block + 40, DIR_INO);
}

/* Header of nodes and leaves. */
static inline void put_da_header(struct dirs *d, uint16_t magic, uint32_t count)
{
	put16(d->block + 8, magic);
	put16(d->block + (d->geo.crc ? 56 : 12), count);
	if (!d->geo.crc)
		return;
	put64(d->block + 16, DIR_DADDR);
	put64(d->block + 24, 0x100000008);
	memcpy(d->block + 32, d->geo.meta_uuid, 16);
	put64(d->block + 48, DIR_INO);
}

/* Bytes of a used entry. */
static inline uint32_t entry_bytes(const struct dirs *d, size_t namelen)
{
	return ((uint32_t)(8 + 1 + namelen + d->geo.ftype + 2) + 7) / 8 * 8;
}

/* Adds a used entry; returns its offset. */
static inline uint32_t add_entry(struct dirs *d, const char *name, uint64_t ino, uint8_t ftype)
{
	uint32_t at = d->at;
	uint8_t *entry = d->block + at;
	size_t len = strlen(name);

	put64(entry, ino);
	entry[8] = (uint8_t)len;
	memcpy(entry + 9, name, len);
	if (d->geo.ftype)
		entry[9 + len] = ftype;
	d->at += entry_bytes(d, len);
	put16(d->block + d->at - 2, at);
	return at;
}

/* Adds a free region; returns its offset. */
static inline uint32_t add_free(struct dirs *d, uint32_t length)
{
	uint32_t at = d->at;

	put16(d->block + at, 0xffff);
	put16(d->block + at + 2, length);
	d->at += length;
	put16(d->block + d->at - 2, at);
	return at;
}

static inline void add_dots(struct dirs *d)
{
	add_entry(d, ".", DIR_INO, 2);
	add_entry(d, "..", PARENT_INO, 2);
}

static inline void put_best(struct dirs *d, unsigned slot, uint32_t offset, uint32_t length)
{
	uint8_t *best = d->block + (d->geo.crc ? 48 : 4) + slot * 4;

	put16(best, offset);
	put16(best + 2, length);
}

static inline void put_leaf(uint8_t *at, uint32_t hash, uint32_t address)
{
	put32(at, hash);
	put32(at + 4, address);
}

/* Stores the checksum of a V5 block; crc_offset: 4 in data, block and free index blocks, 12 in nodes and leaves. */
static inline void seal(struct dirs *d, uint32_t crc_offset)
{
	uint32_t crc;

	if (!d->geo.crc)
		return;
	crc = crc_block(d->block, d->geo.dir_block_size, crc_offset);

	put_le32(d->block + crc_offset, crc);
}

static inline void remember_entry(void *ctx, const struct dir_entry *entry)
{
	struct dirs *d = ctx;

	if (entry->kind == ENTRY_INVALID) {
		d->ninvalid++;
		return;
	}
	if (d->nentries < 64)
		d->entries[d->nentries] = *entry;
	d->nentries++;
}

static inline void remember_leaf(void *ctx, uint32_t hash, uint32_t address)
{
	struct dirs *d = ctx;

	if (d->nleaves < 64) {
		d->leaves[d->nleaves].hash = hash;
		d->leaves[d->nleaves].address = address;
	}
	d->nleaves++;
}

static inline void remember_child(void *ctx, dablk_t before, uint32_t hash)
{
	struct dirs *d = ctx;

	(void)hash;
	if (d->nchildren < 64)
		d->children[d->nchildren] = before;
	d->nchildren++;
}

/* Returns a check that reports to d; clears what was reported and visited before. */
static inline struct check dirs_check(struct dirs *d)
{
	memset(&d->reported, 0, sizeof(d->reported));
	d->nentries = d->nleaves = d->nchildren = 0;
	return (struct check){ &d->geo, reported_add, &d->reported };
}

/* Returns the visited entry of that name, or NULL. */
static inline const struct dir_entry *visited_name(const struct dirs *d, const char *name)
{
	for (unsigned i = 0; i < d->nentries && i < 64; i++)
		if (d->entries[i].namelen == strlen(name) && memcmp(d->entries[i].name, name, strlen(name)) == 0)
			return &d->entries[i];
	return NULL;
}

#endif
