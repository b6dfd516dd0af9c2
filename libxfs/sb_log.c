/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the log's fields in a primary superblock: its place, length, and units (ondisk 01, invariants 5 and 6), and
 * computes the least length that kernels mount.  If its place is invalid, the geometry gets a log of 0 blocks.
 */
#include "libxfs/btree.h"
#include "sb.h"

/*
 * The smallest log that kernels mount (ondisk 11, invariant 6).  Several of the largest transactions must fit into it,
 * whose size follows from the features, the block size, and the height of an AG's btrees.  Kernels differ by a few
 * percent, and by more if a log has a stripe unit.  So this is a lower bound: no known kernel mounts less, and some
 * require more.  The numbers are those of kernel 6.18 for file systems with such features and the smallest sizes of
 * everything else; up to 1 TiB they were never below the values computed here.
 */

#define MARGIN		   32u		/* divisor of the part that is subtracted for kernels that require less */
#define LESS_WITH_STRIPE   (1600 << 10) /* bytes less for a log with a stripe unit, ... */
#define STRIPES		   6		/* ... plus this many stripe units */
#define BUFFER_OVERHEAD	   128u		/* bytes that a transaction reserves for each block besides its contents */
#define SHARED_TIMES	   24u		/* a transaction that frees shared blocks is rolled 8 times, and 3 must fit */
#define BLOCKS_BY_ALLOC	   16u		/* blocks in that, for each level of the free-space btrees ... */
#define BLOCKS_BY_REFCOUNT 8u		/* ... and for each level of the refcount btree */

/* blocks, by block size, from 1 KiB on */
static const struct least {
	uint16_t plain;
	uint16_t parent;
	uint16_t parent_nrext64;
	uint16_t shared; /* with reflink, without parent pointers */
	uint16_t shared_rmap;
	uint16_t ag_mib; /* AG size of the measurement */
} least_of[] = {
	{ 2550, 4086, 4803, 3384, 5244, 100 }, { 1435, 2443, 3124, 2424, 4183, 100 },
	{ 847, 1544, 1985, 1338, 3049, 100 },  { 557, 1105, 1754, 1109, 2794, 100 },
	{ 455, 994, 1425, 994, 2665, 100 },    { 405, 940, 1154, 936, 2601, 1024 },
	{ 309, 704, 1126, 907, 2569, 1024 },
};

uint32_t sb_log_min(const struct geometry *g)
{
	const struct least *least = &least_of[g->block_log - 10];
	struct geometry measured = *g;
	int32_t alloc, refcount;
	int64_t blocks;

	measured.agblocks = (uint32_t)least->ag_mib << (20 - g->block_log);
	btree_limits(&measured);
	alloc = (int32_t)g->btree[BT_BNO].max_level - (int32_t)measured.btree[BT_BNO].max_level;
	refcount = (int32_t)g->btree[BT_REFC].max_level - (int32_t)measured.btree[BT_REFC].max_level;
	if (g->parent) {
		blocks = g->nrext64 ? least->parent_nrext64 : least->parent;
	} else if (g->reflink) {
		blocks = (int32_t)BLOCKS_BY_ALLOC * alloc + (int32_t)BLOCKS_BY_REFCOUNT * refcount;
		blocks = blocks * SHARED_TIMES * (g->block_size + BUFFER_OVERHEAD) / g->block_size;
		blocks += g->rmapbt ? least->shared_rmap : least->shared;
	} else {
		blocks = least->plain;
	}
	/* lower btrees, which all transactions may change */
	if (alloc < 0)
		blocks -= blocks / 8;
	blocks -= blocks / MARGIN;
	if (g->log_stripe_unit > SB_MIN_SECTOR)
		blocks += ((int64_t)STRIPES * g->log_stripe_unit - LESS_WITH_STRIPE) / (int64_t)g->block_size;
	return blocks > SB_MIN_LOG_BLOCKS ? (uint32_t)blocks : 0;
}

static bool is_sector_size(uint32_t size)
{
	return size >= SB_MIN_SECTOR && size <= SB_MAX_SECTOR && (size & (size - 1)) == 0;
}

/* Decodes the log's sector size; its fields are used only with the feature bit; without it sectors have 512 bytes. */
static void decode_sector(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint32_t size = be16_get(sb->logsectsize);

	g->log_sector_size = SB_MIN_SECTOR;
	if (!(sb_versionnum(sb) & SB_VERSION_SECTOR)) {
		if (g->sector_size != SB_MIN_SECTOR) {
			problem(c, F_SB_SECTOR_BIT, SB_OFFSET(versionnum), g->sector_size, SB_MIN_SECTOR);
		} else {
			check_eq(c, F_SB_LOGSECTSIZE, SB_OFFSET(logsectsize), size, 0);
			check_eq(c, F_SB_LOGSECTLOG, SB_OFFSET(logsectlog), sb->logsectlog, 0);
			return;
		}
	}
	if (!is_sector_size(size)) {
		problem(c, F_SB_LOGSECTSIZE, SB_OFFSET(logsectsize), size, 0);
		return;
	}
	g->log_sector_size = size;
	check_eq(c, F_SB_LOGSECTLOG, SB_OFFSET(logsectlog), sb->logsectlog, (uint64_t)__builtin_ctz(size));
}

static void decode_stripe(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint32_t unit = be32_get(sb->logsunit);

	g->log_stripe_unit = unit;
	if (!(sb_versionnum(sb) & SB_VERSION_LOGV2)) {
		check_eq(c, F_SB_LOGSUNIT, SB_OFFSET(logsunit), unit, 0);
		return;
	}
	/* 0 is left over if a log of version 1 was converted to version 2 */
	if (unit <= 1 || (unit <= SB_MAX_LOG_SUNIT && unit % g->block_size == 0))
		return;
	problem(c, F_SB_LOGSUNIT, SB_OFFSET(logsunit), unit, 1);
	g->log_stripe_unit = 1;
}

void sb_log_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	fsbno_t start = { be64_get(sb->logstart) };
	uint32_t blocks = be32_get(sb->logblocks);

	decode_sector(c, sb, g);
	decode_stripe(c, sb, g);
	g->logstart = start;
	g->logblocks = 0;
	if (blocks < SB_MIN_LOG_BLOCKS || blocks > SB_MAX_LOG_BLOCKS ||
	    (uint64_t)blocks << g->block_log > SB_MAX_LOG_BYTES)
		problem(c, F_SB_LOGBLOCKS, SB_OFFSET(logblocks), blocks, 0);
	/* 0: the log has a device of its own */
	else if (start.v != 0 && !fsb_range_valid(g, start, blocks))
		problem(c, F_SB_LOGSTART, SB_OFFSET(logstart), start.v, blocks);
	else
		g->logblocks = blocks;
}
