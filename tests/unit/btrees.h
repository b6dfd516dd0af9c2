/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of btree decoders: a file system, blocks written byte by byte at the offsets of ondisk 03 and 05, and
 * visitors that remember what they get.
 */
#ifndef XFSCK_TESTS_BTREES_H
#define XFSCK_TESTS_BTREES_H

#include "bytes.h"
#include "reported.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"

#define AGNO   1u
#define AGBNO  100u
#define INO    0x80123u
#define AG_LEN 20480u

/* blocks of 4096 and inodes of 512 bytes, 4 AGs of 20480 blocks; limits of btrees as ondisk 03 gives them */
static inline struct geometry btrees_geometry(void)
{
	struct geometry g = {
		.block_size = 4096,
		.sector_size = 512,
		.inode_size = 512,
		.inodes_per_block = 8,
		.block_log = 12,
		.inode_log = 9,
		.inopb_log = 3,
		.agblock_log = 15,
		.dblocks = 4 * AG_LEN,
		.agblocks = AG_LEN,
		.agcount = 4,
		.first_data_agbno = 1,
		.chunk_blocks = 8,
		.cluster_blocks = 4,
		.cluster_align = 8,
		.sparse_align = 4,
		.version = 5,
		.crc = true,
		.finobt = true,
		.rmapbt = true,
		.reflink = true,
		.sparse = true,
		.metadir = true,
		.rextsize = 4,
		.rblocks = 24576,
		.rgcount = 2, /* the second one half as large */
		.rgblocks = 16384,
		.rgblklog = 14,
		.head_lsn = { 0x500000100 },
		.btree = {
			[BT_BNO] = { 505, 336, 2 },
			[BT_CNT] = { 505, 336, 2 },
			[BT_INO] = { 252, 505, 2 },
			[BT_FINO] = { 252, 505, 2 },
			[BT_RMAP] = { 168, 91, 4 },
			[BT_REFC] = { 336, 505, 2 },
			[BT_BMAP] = { 251, 251, 5 },
			[BT_RTRMAP] = { 167, 83, 4 },
			[BT_RTREFC] = { 335, 335, 4 },
		},
	};

	for (unsigned i = 0; i < sizeof(g.meta_uuid); i++)
		g.meta_uuid[i] = (uint8_t)(0xa0 + i);
	return g;
}

#define MAX_VISITED 600

/* A block that is built, and the results of decoding it. */
struct btrees {
	struct geometry geo;
	struct bmap_rules rules;
	struct btree_expect expect;
	uint8_t block[4096];
	uint32_t header;  /* bytes of the header */
	uint32_t numrecs; /* records or entries that were put so far */

	struct reported reported;
	struct btree_block found;
	unsigned nrecords;
	union btree_record records[MAX_VISITED];
	unsigned nchildren;
	struct btree_expect lost; /* the last child whose pointer is impossible */
	unsigned nlost;
	struct btree_expect children[MAX_VISITED];
};

/* Starts the root of a tree in block AGBNO of AG AGNO: a header and nothing else. */
static inline void start(struct btrees *b, enum btree_kind kind, uint8_t level)
{
	static const uint32_t magics[BT_NR] = {
		[BT_BNO] = 0x41423342,	[BT_CNT] = 0x41423343,	  [BT_INO] = 0x49414233,
		[BT_FINO] = 0x46494233, [BT_RMAP] = 0x524d4233,	  [BT_REFC] = 0x52334643,
		[BT_BMAP] = 0x424d4133, [BT_RTRMAP] = 0x4d415052, [BT_RTREFC] = 0x52434e54,
	};
	uint64_t daddr = (AGNO * (uint64_t)AG_LEN + AGBNO) * 8;
	uint8_t *p = b->block;

	memset(b, 0, sizeof(*b));
	b->geo = btrees_geometry();
	b->rules = (struct bmap_rules){ .unwritten_ok = true, .max_off = 1ull << 51 };
	b->expect = (struct btree_expect){
		.kind = kind,
		.agno = { AGNO },
		.agbno = { AGBNO },
		.owner = kind >= BT_AG_NR ? INO : AGNO,
		.rules = &b->rules,
		.level = level,
		.root = true,
	};
	put32(p, magics[kind]);
	put16(p + 4, level);
	if (kind >= BT_AG_NR) {
		b->header = 72;
		memset(p + 8, 0xff, 16);
		put64(p + 24, daddr);
		memcpy(p + 40, b->geo.meta_uuid, 16);
		put64(p + 56, INO);
	} else {
		b->header = 56;
		memset(p + 8, 0xff, 8);
		put64(p + 16, daddr);
		memcpy(p + 32, b->geo.meta_uuid, 16);
		put32(p + 48, AGNO);
	}
}

/* Starts a block of version 4, whose header ends with the siblings. */
static inline void start_v4(struct btrees *b, enum btree_kind kind, uint8_t level)
{
	static const uint32_t magics[BT_NR] = {
		[BT_BNO] = 0x41425442, [BT_CNT] = 0x41425443, [BT_INO] = 0x49414254, [BT_BMAP] = 0x424d4150
	};

	start(b, kind, level);
	b->geo.crc = b->geo.finobt = b->geo.rmapbt = b->geo.reflink = b->geo.sparse = false;
	b->geo.version = 4;
	b->geo.btree[BT_BNO].leaf_max = b->geo.btree[BT_CNT].leaf_max = 510;
	b->geo.btree[BT_BNO].node_max = b->geo.btree[BT_CNT].node_max = 340;
	b->geo.btree[BT_INO].leaf_max = 255;
	b->geo.btree[BT_INO].node_max = 510;
	b->geo.btree[BT_BMAP].leaf_max = b->geo.btree[BT_BMAP].node_max = 254;
	put32(b->block, magics[kind]);
	b->header = kind == BT_BMAP ? 24 : 16;
	memset(b->block + b->header, 0, sizeof(b->block) - b->header);
}

/* Sets the right sibling. */
static inline void put_right(struct btrees *b, uint64_t block)
{
	if (b->expect.kind >= BT_AG_NR)
		put64(b->block + 16, block);
	else
		put32(b->block + 12, (uint32_t)block);
}

/* Returns room for one more record, key or pointer of size bytes, in the array at `at`; put_count() when done. */
static inline uint8_t *put_at(struct btrees *b, uint32_t at, uint32_t size)
{
	return b->block + at + b->numrecs * size;
}

static inline uint8_t *put_record(struct btrees *b, uint32_t size)
{
	uint8_t *p = put_at(b, b->header, size);

	put16(b->block + 6, ++b->numrecs);
	return p;
}

/* free extents of the bnobt and cntbt */
static inline void put_alloc(struct btrees *b, uint32_t agbno, uint32_t len)
{
	uint8_t *p = put_record(b, 8);

	put32(p, agbno);
	put32(p + 4, len);
}

/* Adds a node entry: 8 bytes of key, as bnobt, cntbt and bmbt have them, and a pointer as wide as the tree's. */
static inline void put_entry(struct btrees *b, uint64_t key, uint64_t pointer)
{
	uint32_t max = b->geo.btree[b->expect.kind].node_max;

	if (b->expect.kind >= BT_AG_NR)
		put64(put_at(b, b->header + max * 8, 8), pointer);
	else
		put32(put_at(b, b->header + max * 8, 4), (uint32_t)pointer);
	put64(put_record(b, 8), key);
}

static inline void remember_record(void *ctx, const union btree_record *record, uint32_t index)
{
	struct btrees *b = ctx;

	(void)index;
	if (b->nrecords < MAX_VISITED)
		b->records[b->nrecords] = *record;
	b->nrecords++;
}

static inline void remember_child(void *ctx, const struct btree_expect *child)
{
	struct btrees *b = ctx;

	if (b->nchildren < MAX_VISITED)
		b->children[b->nchildren] = *child;
	b->nchildren++;
}

static inline void remember_lost(void *ctx, const struct btree_expect *child)
{
	struct btrees *b = ctx;

	b->lost = *child;
	b->nlost++;
}

/* Stores a right checksum and decodes the block.  Returns whether it could be decoded. */
static inline bool decode(struct btrees *b)
{
	struct check c = { &b->geo, reported_add, &b->reported };
	struct btree_visitor visitor = {
		.ctx = b, .record = remember_record, .child = remember_child, .lost = remember_lost
	};
	uint32_t at = b->expect.kind >= BT_AG_NR ? 64 : 52;
	le32_t crc = le32_put(crc_block(b->block, sizeof(b->block), at));

	if (b->geo.crc)
		memcpy(b->block + at, &crc, sizeof(crc));
	memset(&b->reported, 0, sizeof(b->reported));
	b->nrecords = b->nchildren = b->nlost = 0;
	return btree_decode(&c, b->block, &b->expect, &visitor, &b->found);
}

#endif
