/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The geometry of a file system: the values of the superblock in host order, and what is derived from them.
 * sb_decode() fills it, and it is constant afterwards, with two exceptions: head_lsn is set when the log has been read,
 * and a replay may change the superblock.  All conversions between units are here (ondisk 00, sections 1 to 3).
 */
#ifndef XFSCK_GEOMETRY_H
#define XFSCK_GEOMETRY_H

#include "units.h"

/* the btrees; those of AGs first, in this order */
enum btree_kind {
	BT_BNO,
	BT_CNT,
	BT_INO,
	BT_FINO,
	BT_RMAP,
	BT_REFC,
	BT_AG_NR,
	BT_BMAP = BT_AG_NR,
	BT_RTRMAP, /* these two belong to a realtime group, but their blocks are on the data device */
	BT_RTREFC,
	BT_NR,
};

struct geometry {
	/* sizes; *_log is the base-2 logarithm */
	uint32_t block_size;	 /* bytes */
	uint32_t sector_size;	 /* bytes; each AG header takes one sector */
	uint32_t inode_size;	 /* bytes */
	uint32_t dir_block_size; /* bytes */
	uint32_t inodes_per_block;
	uint8_t block_log;
	uint8_t inode_log;
	uint8_t inopb_log;
	uint8_t agblock_log;
	uint8_t dirblk_log; /* log2 of fs blocks in a directory block */
	uint8_t imax_pct;   /* percent of the data device that inodes may use; 0: no limit */

	uint64_t dblocks;  /* blocks of the data device */
	uint32_t agblocks; /* blocks of every AG but the last */
	uint32_t agcount;
	uint32_t first_data_agbno; /* first block after the AG headers and the AGFL */

	uint32_t chunk_blocks;	 /* blocks of 64 inodes, at least 1 */
	uint32_t cluster_blocks; /* blocks of an inode cluster buffer, at least 1 */
	uint32_t cluster_align;	 /* blocks: alignment of inode chunks */
	uint32_t sparse_align;	 /* blocks: alignment of sparse chunk parts, 0 without sparse inodes */
	uint32_t stripe_disks;	 /* number of data disks in a stripe, as mkfs recorded it; 0 or 1: unknown */

	/* features */
	uint8_t version; /* 4 or 5 */
	bool crc;	 /* version 5: every block carries crc, uuid, owner, address, lsn */
	bool ftype;
	bool finobt;
	bool inobtcnt;
	bool rmapbt;
	bool reflink;
	bool sparse;
	bool bigtime;
	bool nrext64;
	bool exchange;
	bool parent;
	bool metadir;
	bool zoned;
	bool ascii_ci;
	bool lazysbcount;
	bool projid32;
	bool unwritten; /* extents can be unwritten */
	bool needsrepair;
	bool quota;
	bool log_xattrs;      /* the log may hold attribute items; cleared if the log is clean (ondisk 12, F2) */
	uint32_t log_unknown; /* unknown log_incompat bits: the log may hold items of unknown types; cleared likewise */

	uint8_t uuid[16];      /* of the file system, as the user sees and may change it */
	uint8_t meta_uuid[16]; /* the UUID in metadata blocks; differs if the user has changed the other one */
	char label[13];

	/* inodes that the superblock names; 0 or NULL_INO: none, or an invalid one, which was reported */
	xino_t rootino;
	xino_t rbmino;
	xino_t rsumino;
	xino_t uquotino;
	xino_t gquotino; /* version 4 has only one of this and the next */
	xino_t pquotino;
	xino_t metadirino;
	uint16_t qflags; /* SB_QFLAG_* in the form of version 5; without CHKD for a type whose inode is invalid */

	/* counters of the superblock; lost: only the primary superblock had them, and it is lost */
	bool counters_lost;
	uint64_t icount;
	uint64_t ifree;
	uint64_t fdblocks;

	lsn_t sb_lsn; /* LSN of the superblock, checked once head_lsn is known; 0 in version 4 */

	/* realtime section, in whole extents; 0: none */
	uint64_t rblocks;
	uint64_t rextents;
	uint64_t frextents; /* counter of the superblock */
	uint64_t rtstart;   /* ZONED: block of the data device where the section begins; 0: a device of its own */
	uint32_t rextsize;  /* blocks */
	uint32_t rgcount;   /* realtime groups; 1 if the section is not divided, 0 if there is none */
	uint64_t rgblocks;  /* blocks of every realtime group but the last */
	uint8_t rgblklog;   /* bits of the block number within a group in a realtime block number; 63 without groups */
	bool zone_gaps;	    /* device addresses have the same gaps between groups as block numbers */
	uint32_t rbmblocks; /* blocks of each bitmap file */
	uint32_t rsumlevels;
	uint32_t rsumblocks; /* blocks of each summary file */

	/* log */
	fsbno_t logstart;	  /* 0: external log */
	uint32_t logblocks;	  /* 0: place or size of the log is invalid, which was reported */
	uint32_t log_sector_size; /* bytes */
	uint32_t log_stripe_unit; /* bytes, 1 or 0: none */
	uint8_t log_version;
	lsn_t head_lsn; /* head of the log: LSNs of metadata must lie before it; 0: unknown, LSNs are not checked */

	/* btrees: records of a full leaf and entries of a full node, height limit */
	struct {
		uint32_t leaf_max;
		uint32_t node_max;
		uint32_t max_level; /* greatest height; for BT_BMAP, of both forks */
	} btree[BT_NR];
};

static inline uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How far a is beyond b; 0 if it is not. */
static inline uint64_t beyond(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Quotient, rounded up; never overflows. */
static inline uint64_t div_up(uint64_t n, uint64_t by)
{
	return n / by + (n % by != 0);
}

/* Blocks that have these bytes, the last of them in part. */
static inline uint64_t blocks_of_bytes(const struct geometry *g, uint64_t bytes)
{
	return (bytes >> g->block_log) + ((bytes & (g->block_size - 1)) != 0);
}

/* Bytes of every AG but the last. */
static inline uint64_t bytes_of_ag(const struct geometry *g)
{
	return (uint64_t)g->agblocks << g->block_log;
}

/* Length of an AG in blocks.  agno must be below agcount. */
static inline uint32_t ag_length(const struct geometry *g, agno_t agno)
{
	if (agno.v + 1 < g->agcount)
		return g->agblocks;
	return (uint32_t)(g->dblocks - (uint64_t)(g->agcount - 1) * g->agblocks);
}

/* Groups are the AGs and, numbered after them, the realtime groups.  Each is accounted for separately. */
static inline uint32_t group_count(const struct geometry *g)
{
	return g->agcount + g->rgcount;
}

static inline group_t group_of_ag(agno_t agno)
{
	return (group_t){ agno.v };
}

static inline group_t group_of_rg(const struct geometry *g, uint32_t rgno)
{
	return (group_t){ g->agcount + rgno };
}

static inline bool group_is_rt(const struct geometry *g, group_t group)
{
	return group.v >= g->agcount;
}

/* True if there are realtime groups, with metadata files and block headers (ondisk 09, the newer of the two forms). */
static inline bool has_rtgroups(const struct geometry *g)
{
	return g->metadir && g->rgcount;
}

/* True if the first realtime extent is reserved for a realtime superblock (ondisk 09). */
static inline bool has_rtsb(const struct geometry *g)
{
	return has_rtgroups(g) && !g->zoned;
}

/* Length of a group in blocks.  The group must exist. */
static inline uint64_t group_length(const struct geometry *g, group_t group)
{
	if (!group_is_rt(g, group))
		return ag_length(g, (agno_t){ group.v });
	if (group.v + 1 < group_count(g))
		return g->rgblocks;
	return g->rblocks - (uint64_t)(g->rgcount - 1) * g->rgblocks;
}

static inline agno_t agno_of_fsbno(const struct geometry *g, fsbno_t b)
{
	return (agno_t){ (uint32_t)(b.v >> g->agblock_log) };
}

static inline agbno_t agbno_of_fsbno(const struct geometry *g, fsbno_t b)
{
	return (agbno_t){ (uint32_t)(b.v & ((1ull << g->agblock_log) - 1)) };
}

static inline fsbno_t fsbno_of(const struct geometry *g, agno_t agno, agbno_t agbno)
{
	return (fsbno_t){ (uint64_t)agno.v << g->agblock_log | agbno.v };
}

static inline xdaddr_t daddr_of(const struct geometry *g, agno_t agno, agbno_t agbno)
{
	return (xdaddr_t){ ((uint64_t)agno.v * g->agblocks + agbno.v) << (g->block_log - SECTOR_LOG) };
}

static inline xdaddr_t daddr_of_fsbno(const struct geometry *g, fsbno_t b)
{
	return daddr_of(g, agno_of_fsbno(g, b), agbno_of_fsbno(g, b));
}

static inline uint64_t bytes_of_daddr(xdaddr_t d)
{
	return d.v << SECTOR_LOG;
}

/* Byte of the data device where an AG begins. */
static inline uint64_t ag_offset(const struct geometry *g, agno_t agno)
{
	return bytes_of_daddr(daddr_of(g, agno, (agbno_t){ 0 }));
}

/* The header sectors at the start of each AG, in this order (ondisk 02). */
enum ag_sector { SB_SECTOR, AGF_SECTOR, AGI_SECTOR, AGFL_SECTOR, AG_SECTORS };

static inline uint64_t ag_sector_offset(const struct geometry *g, agno_t agno, enum ag_sector sector)
{
	return ag_offset(g, agno) + (uint64_t)sector * g->sector_size;
}

/* Length of the log in 512-byte blocks, the unit of addresses in the log. */
static inline uint32_t log_bbs(const struct geometry *g)
{
	return (uint32_t)((uint64_t)g->logblocks << (g->block_log - SECTOR_LOG));
}

static inline agno_t agno_of_ino(const struct geometry *g, xino_t ino)
{
	return (agno_t){ (uint32_t)(ino.v >> (g->agblock_log + g->inopb_log)) };
}

static inline agino_t agino_of_ino(const struct geometry *g, xino_t ino)
{
	return (agino_t){ (uint32_t)(ino.v & ((1ull << (g->agblock_log + g->inopb_log)) - 1)) };
}

static inline xino_t ino_of(const struct geometry *g, agno_t agno, agino_t agino)
{
	return (xino_t){ (uint64_t)agno.v << (g->agblock_log + g->inopb_log) | agino.v };
}

static inline agbno_t agbno_of_agino(const struct geometry *g, agino_t agino)
{
	return (agbno_t){ agino.v >> g->inopb_log };
}

/* Byte of the data device where an inode lies.  Its block must be within an AG. */
static inline uint64_t bytes_of_agino(const struct geometry *g, agno_t agno, agino_t agino)
{
	return bytes_of_daddr(daddr_of(g, agno, agbno_of_agino(g, agino))) +
	       ((uint64_t)(agino.v & (g->inodes_per_block - 1)) << g->inode_log);
}

/* True if any of these bytes of the data device belong to an internal log. */
static inline bool bytes_on_log(const struct geometry *g, uint64_t offset, uint64_t len)
{
	const uint64_t log = bytes_of_daddr(daddr_of_fsbno(g, g->logstart));

	return g->logstart.v && offset < log + ((uint64_t)g->logblocks << g->block_log) && log < offset + len;
}

static inline uint64_t bytes_of_ino(const struct geometry *g, xino_t ino)
{
	return bytes_of_agino(g, agno_of_ino(g, ino), agino_of_ino(g, ino));
}

/* True if the block lies after the headers of its AG (blocks 0 to first_data_agbno - 1): only such are allocated. */
static inline bool agbno_valid(const struct geometry *g, agno_t agno, agbno_t agbno)
{
	return agno.v < g->agcount && agbno.v >= g->first_data_agbno && agbno.v < ag_length(g, agno);
}

/*
 * True if a range of len blocks lies in one AG after its headers; false if len is 0.  Called for each extent and each
 * inode number, so it avoids ag_length(): an AG ends at agblocks, or where the file system ends.
 */
static inline bool fsb_range_valid(const struct geometry *g, fsbno_t start, uint64_t len)
{
	uint64_t agno = start.v >> g->agblock_log, agbno = agbno_of_fsbno(g, start).v, end = agbno + len;

	return agno < g->agcount && agbno >= g->first_data_agbno && end > agbno && end <= g->agblocks &&
	       agno * g->agblocks + end <= g->dblocks;
}

static inline uint64_t rgno_of_rtbno(const struct geometry *g, fsbno_t b)
{
	return b.v >> g->rgblklog;
}

static inline gbno_t rgbno_of_rtbno(const struct geometry *g, fsbno_t b)
{
	return (gbno_t){ b.v & ((1ull << g->rgblklog) - 1) };
}

/* Sector of a realtime block on the device that holds the section (ondisk 09, "rt device addresses"). */
static inline xdaddr_t daddr_of_rtbno(const struct geometry *g, fsbno_t b)
{
	uint64_t block = g->zone_gaps ? b.v : rgno_of_rtbno(g, b) * g->rgblocks + rgbno_of_rtbno(g, b).v;

	return (xdaddr_t){ (g->rtstart + block) << (g->block_log - SECTOR_LOG) };
}

/* The number of a realtime block, the reverse of rgno_of_rtbno() and rgbno_of_rtbno(). */
static inline fsbno_t rtbno_of(const struct geometry *g, uint32_t rgno, gbno_t rgbno)
{
	return (fsbno_t){ (rgno ? (uint64_t)rgno << g->rgblklog : 0) | rgbno.v };
}

/* Byte of a group's block on the device that holds it. */
static inline uint64_t bytes_of_gbno(const struct geometry *g, group_t group, gbno_t gbno)
{
	if (group_is_rt(g, group))
		return bytes_of_daddr(daddr_of_rtbno(g, rtbno_of(g, group.v - g->agcount, gbno)));
	return bytes_of_daddr(daddr_of(g, (agno_t){ group.v }, (agbno_t){ (uint32_t)gbno.v }));
}

/* The first block of a realtime group that can be allocated, after the realtime superblock. */
static inline uint32_t rg_first_block(const struct geometry *g, uint32_t rgno)
{
	return rgno == 0 && has_rtsb(g) ? g->rextsize : 0;
}

/* True if a range of len blocks lies in one realtime group, after the realtime superblock; false if len is 0. */
static inline bool rtb_range_valid(const struct geometry *g, fsbno_t start, uint64_t len)
{
	uint64_t rgno = rgno_of_rtbno(g, start), length;
	gbno_t gbno = rgbno_of_rtbno(g, start);

	if (rgno >= g->rgcount || len == 0 || gbno.v < rg_first_block(g, (uint32_t)rgno))
		return false;
	length = group_length(g, group_of_rg(g, (uint32_t)rgno));
	return gbno.v < length && len <= length - gbno.v;
}

/* True if the inode number is valid: its block lies in an AG after the headers. */
static inline bool ino_valid(const struct geometry *g, xino_t ino)
{
	const fsbno_t block = { ino.v >> g->inopb_log };

	return fsb_range_valid(g, block, 1);
}

#endif
