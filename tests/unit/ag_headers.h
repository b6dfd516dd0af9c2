/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of superblocks and AG headers: sectors of a sound file system, written byte by byte at the offsets of
 * ondisk 01 and 02.  It has 4 AGs of 20480 blocks of 4096 bytes and the features of a default mkfs.
 */
#ifndef XFSCK_TESTS_AG_HEADERS_H
#define XFSCK_TESTS_AG_HEADERS_H

#include "reported.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"

#define SECTOR	 512u
#define AGBLOCKS 20480u
#define AGCOUNT	 4u
#define ALL_ONES UINT64_MAX

/* superblock: ondisk 01 */
enum {
	SB_MAGICNUM = 0,
	SB_BLOCKSIZE = 4,
	SB_DBLOCKS = 8,
	SB_RBLOCKS = 16,
	SB_REXTENTS = 24,
	SB_UUID = 32,
	SB_LOGSTART = 48,
	SB_ROOTINO = 56,
	SB_RBMINO = 64,
	SB_RSUMINO = 72,
	SB_REXTSIZE = 80,
	SB_AGBLOCKS = 84,
	SB_AGCOUNT = 88,
	SB_RBMBLOCKS = 92,
	SB_LOGBLOCKS = 96,
	SB_VERSIONNUM = 100,
	SB_SECTSIZE = 102,
	SB_INODESIZE = 104,
	SB_INOPBLOCK = 106,
	SB_FNAME = 108,
	SB_BLOCKLOG = 120,
	SB_SECTLOG = 121,
	SB_INODELOG = 122,
	SB_INOPBLOG = 123,
	SB_AGBLKLOG = 124,
	SB_REXTSLOG = 125,
	SB_INPROGRESS = 126,
	SB_IMAX_PCT = 127,
	SB_ICOUNT = 128,
	SB_IFREE = 136,
	SB_FDBLOCKS = 144,
	SB_FREXTENTS = 152,
	SB_UQUOTINO = 160,
	SB_GQUOTINO = 168,
	SB_QFLAGS = 176,
	SB_FLAGS = 178,
	SB_SHARED_VN = 179,
	SB_INOALIGNMT = 180,
	SB_UNIT = 184,
	SB_WIDTH = 188,
	SB_DIRBLKLOG = 192,
	SB_LOGSECTLOG = 193,
	SB_LOGSECTSIZE = 194,
	SB_LOGSUNIT = 196,
	SB_FEATURES2 = 200,
	SB_BAD_FEATURES2 = 204,
	SB_COMPAT = 208,
	SB_RO_COMPAT = 212,
	SB_INCOMPAT = 216,
	SB_LOG_INCOMPAT = 220,
	SB_CRC = 224,
	SB_SPINO_ALIGN = 228,
	SB_PQUOTINO = 232,
	SB_LSN = 240,
	SB_META_UUID = 248,
	SB_METADIRINO = 264,
	SB_RGCOUNT = 272,
	SB_RGEXTENTS = 276,
	SB_RGBLKLOG = 280,
	SB_PAD = 281,
	SB_RTSTART = 288,
	SB_RTRESERVED = 296,
};

/* Stores a big-endian number of size bytes. */
static inline void put(uint8_t *sector, uint32_t offset, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		sector[offset + i] = (uint8_t)(value >> 8 * (size - 1 - i));
}

static inline void put_uuid(uint8_t *sector, uint32_t offset)
{
	for (unsigned i = 0; i < 16; i++)
		sector[offset + i] = (uint8_t)(0xa0 + i);
}

static inline void put_crc(uint8_t *sector, uint32_t offset)
{
	le32_t crc = le32_put(crc_block(sector, SECTOR, offset));

	memcpy(sector + offset, &crc, sizeof(crc));
}

static inline void superblock_fill(uint8_t sector[SECTOR])
{
	memset(sector, 0, SECTOR);
	put(sector, SB_MAGICNUM, 4, 0x58465342);
	put(sector, SB_BLOCKSIZE, 4, 4096);
	put(sector, SB_DBLOCKS, 8, AGCOUNT * AGBLOCKS);
	put_uuid(sector, SB_UUID);
	put(sector, SB_LOGSTART, 8, 2 << 15 | 7);
	put(sector, SB_ROOTINO, 8, 128);
	put(sector, SB_RBMINO, 8, 129);
	put(sector, SB_RSUMINO, 8, 130);
	put(sector, SB_REXTSIZE, 4, 1);
	put(sector, SB_AGBLOCKS, 4, AGBLOCKS);
	put(sector, SB_AGCOUNT, 4, AGCOUNT);
	put(sector, SB_LOGBLOCKS, 4, 16384);
	put(sector, SB_VERSIONNUM, 2, 0xb4b5);
	put(sector, SB_SECTSIZE, 2, SECTOR);
	put(sector, SB_INODESIZE, 2, 512);
	put(sector, SB_INOPBLOCK, 2, 8);
	memcpy(sector + SB_FNAME, "twelve bytes", 12);
	put(sector, SB_BLOCKLOG, 1, 12);
	put(sector, SB_SECTLOG, 1, 9);
	put(sector, SB_INODELOG, 1, 9);
	put(sector, SB_INOPBLOG, 1, 3);
	put(sector, SB_AGBLKLOG, 1, 15);
	put(sector, SB_IMAX_PCT, 1, 25);
	put(sector, SB_ICOUNT, 8, 6464);
	put(sector, SB_IFREE, 8, 159);
	put(sector, SB_FDBLOCKS, 8, 50000);
	put(sector, SB_INOALIGNMT, 4, 8);
	put(sector, SB_LOGSUNIT, 4, 1);
	put(sector, SB_FEATURES2, 4, 0x18a);
	put(sector, SB_BAD_FEATURES2, 4, 0x18a);
	put(sector, SB_RO_COMPAT, 4, 0xf);
	put(sector, SB_INCOMPAT, 4, 0xeb);
	put(sector, SB_SPINO_ALIGN, 4, 4);
	put(sector, SB_LSN, 8, 0x100000020);
	put_crc(sector, SB_CRC);
}

/*
 * As superblock_fill(), with a metadata directory tree: inode numbers are kept there, sizes of realtime groups are
 * added.
 */
static inline void superblock_fill_metadir(uint8_t sector[SECTOR])
{
	superblock_fill(sector);
	put(sector, SB_INCOMPAT, 4, 0x1eb);
	put(sector, SB_RBMINO, 8, 0);
	put(sector, SB_RSUMINO, 8, 0);
	put(sector, SB_METADIRINO, 8, 129);
	put(sector, SB_RGEXTENTS, 4, 1 << 28);
	put(sector, SB_RGBLKLOG, 1, 28);
	put_crc(sector, SB_CRC);
}

/* Fills a superblock of version 4: inodes of 256 bytes, and no fields after the copy of the features. */
static inline void superblock_fill_v4(uint8_t sector[SECTOR])
{
	superblock_fill(sector);
	put(sector, SB_VERSIONNUM, 2, 0xb4b4);
	put(sector, SB_INODESIZE, 2, 256);
	put(sector, SB_INOPBLOCK, 2, 16);
	put(sector, SB_INODELOG, 1, 8);
	put(sector, SB_INOPBLOG, 1, 4);
	put(sector, SB_INOALIGNMT, 4, 2);
	put(sector, SB_FEATURES2, 4, 0x28a);
	put(sector, SB_BAD_FEATURES2, 4, 0x28a);
	memset(sector + SB_COMPAT, 0, SECTOR - SB_COMPAT);
}

/* A superblock, and the result of sb_decode() for it. */
struct superblock {
	uint8_t sector[SECTOR];
	struct reported reported;
	struct geometry geo;
	bool decoded;
	bool v4;
};

static inline void superblock_decode(struct superblock *sb)
{
	struct check c = { NULL, reported_add, &sb->reported };

	if (!sb->v4)
		put_crc(sb->sector, SB_CRC);
	memset(&sb->reported, 0, sizeof(sb->reported));
	sb->decoded = sb_decode(&c, sb->sector, SECTOR, &sb->geo);
}

static inline struct superblock superblock_sound(void)
{
	struct superblock sb = { 0 };

	superblock_fill(sb.sector);
	return sb;
}

static inline struct superblock superblock_metadir(void)
{
	struct superblock sb = { 0 };

	superblock_fill_metadir(sb.sector);
	return sb;
}

static inline struct superblock superblock_v4(void)
{
	struct superblock sb = { .v4 = true };

	superblock_fill_v4(sb.sector);
	return sb;
}

static inline void assert_superblock_sound(struct superblock *sb)
{
	superblock_decode(sb);
	assert_int_equal(sb->reported.count, 0);
	assert_true(sb->decoded);
}

/*
 * Stores a value in a field of a sound superblock.  Exactly this finding must be reported, at the field's offset;
 * decoded: what sb_decode() must return.  Returns the geometry.
 */
static inline struct geometry assert_superblock_field(struct superblock sb, uint32_t offset, unsigned size,
						      uint64_t value, enum finding finding, uint64_t want, bool decoded)
{
	put(sb.sector, offset, size, value);
	superblock_decode(&sb);
	assert_reported_once(&sb.reported, finding, value, want);
	assert_int_equal(sb.reported.problems[0].offset, offset);
	assert_int_equal(sb.decoded, decoded);
	return sb.geo;
}

/* The geometry of the file system of superblock_sound(); its log ends beyond all LSNs in these sectors. */
static inline struct geometry headers_geometry(void)
{
	struct superblock sb = superblock_sound();

	superblock_decode(&sb);
	sb.geo.head_lsn.v = 0x200000000;
	return sb.geo;
}

static inline struct geometry headers_geometry_v4(void)
{
	struct superblock sb = superblock_v4();

	superblock_decode(&sb);
	return sb.geo;
}

#endif
