/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a primary superblock says about the log: where it is, how long, and in
 * which units it is written (ondisk 01, invariants 5 and 6).  If its place
 * is impossible, the geometry gets a log of 0 blocks.
 */
#include "sb.h"

static bool is_sector_size(uint32_t size)
{
	return size >= SB_MIN_SECTOR && size <= SB_MAX_SECTOR && (size & (size - 1)) == 0;
}

/* Decode the log's sector size; its fields are in use only with the feature bit, without which sectors have 512 bytes.
 */
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
	/* 0 is what is left if a log of version 1 became one of version 2 */
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
