/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of the inode decoder: a file system, and inodes that are written byte by byte at the offsets of
 * ondisk 04.
 */
#ifndef XFSCK_TESTS_INODES_H
#define XFSCK_TESTS_INODES_H

#include "reported.h"
#include "libxfs/crc.h"
#include "libxfs/dinode.h"

enum {
	MAGIC = 0,
	MODE = 2,
	VERSION = 4,
	FORMAT = 5,
	METATYPE = 6,
	UID = 8,
	GID = 12,
	NLINK = 16,
	PROJID_LO = 20,
	PROJID_HI = 22,
	BIG_NEXTENTS = 24, /* V3_PAD without NREXT64 */
	ATIME = 32,
	MTIME = 40,
	CTIME = 48,
	SIZE = 56,
	NBLOCKS = 64,
	EXTSIZE = 72,
	NEXTENTS = 76,	/* BIG_ANEXTENTS with NREXT64 */
	ANEXTENTS = 80, /* has to be 0 with NREXT64 */
	FORKOFF = 82,
	AFORMAT = 83,
	DMEVMASK = 84,
	DMSTATE = 88,
	FLAGS = 90,
	GEN = 92,
	NEXT_UNLINKED = 96,
	CRC = 100,
	LSN = 112,
	FLAGS2 = 120,
	COWEXTSIZE = 128,
	PAD2 = 132,
	CRTIME = 144,
	INO = 152,
	UUID = 160,
	LITERAL = 176,
};

#define INODE_SIZE 512u
#define LITINO	   (INODE_SIZE - LITERAL)
#define NUMBER	   0x40085ull /* of the inode: in AG 1, of 0x40000 inodes each */
#define ROOT	   128u
#define RBM	   129u
#define METAROOT   130u

#define BIGTIME	 0x08u
#define NREXT64	 0x10u
#define METADATA 0x20u

struct fixture {
	struct geometry geo;
	uint8_t bytes[INODE_SIZE];
	uint64_t ino;
	bool in_use;   /* by the inobt */
	bool keep_crc; /* decode() leaves the checksum as it is; else it makes it right */
	struct reported reported;
	struct dinode inode;
	bool decoded;
};

static inline void put16(struct fixture *f, uint32_t offset, uint32_t value)
{
	f->bytes[offset] = (uint8_t)(value >> 8);
	f->bytes[offset + 1] = (uint8_t)value;
}

static inline void put32(struct fixture *f, uint32_t offset, uint32_t value)
{
	put16(f, offset, value >> 16);
	put16(f, offset + 2, value);
}

static inline void put64(struct fixture *f, uint32_t offset, uint64_t value)
{
	put32(f, offset, (uint32_t)(value >> 32));
	put32(f, offset + 4, (uint32_t)value);
}

static inline struct geometry inodes_geometry(void)
{
	struct geometry g = {
		.block_size = 4096,
		.sector_size = 512,
		.inode_size = INODE_SIZE,
		.dir_block_size = 4096,
		.inodes_per_block = 8,
		.block_log = 12,
		.inode_log = 9,
		.inopb_log = 3,
		.agblock_log = 15,
		.dblocks = 81920,
		.agblocks = 20480,
		.agcount = 4,
		.first_data_agbno = 1,
		.version = 5,
		.crc = true,
		.unwritten = true,
		.reflink = true,
		.bigtime = true,
		.nrext64 = true,
		.rootino = { ROOT },
		.rbmino = { RBM },
		.head_lsn = { 0x500000100 },
	};

	memset(g.meta_uuid, 0xa5, sizeof(g.meta_uuid));
	return g;
}

/* A free inode: the fields that are set whether an inode is in use or not. */
static inline struct fixture free_inode(void)
{
	struct fixture f = { .geo = inodes_geometry(), .ino = NUMBER };

	put16(&f, MAGIC, 0x494e);
	f.bytes[VERSION] = 3;
	put32(&f, NEXT_UNLINKED, UINT32_MAX);
	put32(&f, GEN, 0x12345678);
	memset(f.bytes + UUID, 0xa5, 16);
	return f;
}

/* An empty file, as the kernel makes it. */
static inline struct fixture inode_of_mode(uint16_t mode)
{
	struct fixture f = free_inode();

	f.in_use = true;
	put16(&f, MODE, mode);
	f.bytes[FORMAT] = 2;
	f.bytes[AFORMAT] = 2;
	put32(&f, NLINK, 1);
	for (uint32_t at = ATIME; at <= CTIME; at += 8)
		put64(&f, at, 0x36b74ee369a20e63);
	put64(&f, CRTIME, 0x36b74ee369a20e63);
	put64(&f, LSN, 0x500000001);
	put64(&f, FLAGS2, BIGTIME | NREXT64);
	return f;
}

static inline struct fixture regular_file(void)
{
	return inode_of_mode(0100644);
}

/* A file with so many extents, of one block each. */
static inline struct fixture file_of(uint64_t nextents)
{
	struct fixture f = regular_file();

	put64(&f, BIG_NEXTENTS, nextents);
	put64(&f, NBLOCKS, nextents);
	put64(&f, SIZE, nextents * 4096);
	return f;
}

static inline struct fixture directory(void)
{
	struct fixture f = inode_of_mode(040755);

	f.bytes[FORMAT] = 1;
	put32(&f, NLINK, 2);
	put64(&f, SIZE, 29);
	return f;
}

/* A directory of so many blocks, too large for the inode. */
static inline struct fixture large_directory(uint64_t blocks)
{
	struct fixture f = directory();

	f.bytes[FORMAT] = 2;
	put64(&f, SIZE, blocks * 4096);
	put64(&f, BIG_NEXTENTS, 1);
	put64(&f, NBLOCKS, blocks);
	return f;
}

static inline struct fixture symlink_of(uint64_t size)
{
	struct fixture f = inode_of_mode(0120777);

	f.bytes[FORMAT] = 1;
	put64(&f, SIZE, size);
	return f;
}

/* Makes the attribute fork a local one that begins `forkoff` * 8 bytes after the core. */
static inline void put_attr_fork(struct fixture *f, uint8_t forkoff)
{
	f->bytes[FORKOFF] = forkoff;
	f->bytes[AFORMAT] = 1;
}

static inline struct fixture metadata_file(void)
{
	struct fixture f = inode_of_mode(0100000);

	f.geo.metadir = true;
	f.geo.metadirino.v = METAROOT;
	f.geo.rgcount = 2;
	put16(&f, METATYPE, 2);
	put16(&f, FLAGS, 0x20e8);
	put64(&f, FLAGS2, BIGTIME | NREXT64 | METADATA);
	return f;
}

enum {
	ONLINK = 6,
	PAD_V2 = 24,
	FLUSHITER = 30,
	LITERAL_V4 = 100,
};

/* Makes it an inode of version 2 on a file system of version 4; its forks are empty. */
static inline struct fixture as_v4(struct fixture f)
{
	f.geo.version = 4;
	f.geo.crc = f.geo.reflink = f.geo.bigtime = f.geo.nrext64 = false;
	f.geo.projid32 = true;
	f.bytes[VERSION] = 2;
	put16(&f, FLUSHITER, 77);
	for (uint32_t at = ATIME; f.in_use && at <= CTIME; at += 8)
		put64(&f, at, 0x69a20e6300000000 + 999999999);
	memset(f.bytes + LITERAL_V4, 0, INODE_SIZE - LITERAL_V4);
	return f;
}

/* Makes it an inode of version 1: the link count is in another place, and a copy of it where version 2 has it. */
static inline struct fixture as_v1(struct fixture f)
{
	f = as_v4(f);
	f.bytes[VERSION] = 1;
	put16(&f, ONLINK, 1);
	return f;
}

static inline void decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };
	le32_t crc;

	if (!f->geo.crc)
		f->keep_crc = true;
	else
		put64(f, INO, f->ino);
	crc = le32_put(crc_block(f->bytes, INODE_SIZE, CRC));
	if (!f->keep_crc)
		memcpy(f->bytes + CRC, &crc, sizeof(crc));
	memset(&f->reported, 0, sizeof(f->reported));
	f->decoded = dinode_decode(&c, f->bytes, (xino_t){ f->ino }, f->in_use, &f->inode);
}

static inline void assert_sound(struct fixture *f)
{
	decode(f);
	assert_int_equal(f->reported.count, 0);
	assert_int_equal(f->decoded, f->in_use);
}

/* Fails unless decoding reports exactly this finding, at this offset, with these values found and expected. */
static inline void assert_finds(struct fixture *f, enum finding finding, uint32_t offset, uint64_t got, uint64_t want)
{
	decode(f);
	assert_reported_once(&f->reported, finding, got, want);
	assert_int_equal(f->reported.problems[0].offset, offset);
}

#endif
