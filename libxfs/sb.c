/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the primary superblock (ondisk 01): checks this sector and fills the geometry for all other decoders.  Other
 * files (sb_*.c) decode groups of related fields; this file calls them in order, and checks the sector as a whole and
 * the remaining fields.  It checks only the ranges of counters; they are compared with the sums elsewhere.
 */
#include "ag_header.h"
#include "sb.h"

#include "libxfs/ag.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"
#include "disk/inobt.h"

static uint32_t used_size_v4(uint32_t versionnum)
{
	if (versionnum & SB_VERSION_MOREBITS)
		return SB_OFFSET(features_compat);
	if (versionnum & SB_VERSION_LOGV2)
		return SB_OFFSET(features2);
	if (versionnum & SB_VERSION_SECTOR)
		return SB_OFFSET(logsunit);
	return SB_OFFSET(logsectlog);
}

uint32_t sb_used_size(const struct sb_disk *sb)
{
	uint32_t incompat = be32_get(sb->features_incompat);

	if (sb_version(sb) == SB_VERSION_4)
		return used_size_v4(sb_versionnum(sb));
	if (incompat & SB_INCOMPAT_METADIR)
		return incompat & SB_INCOMPAT_ZONED ? (uint32_t)sizeof(*sb) : SB_OFFSET(pad);
	if (incompat & SB_INCOMPAT_META_UUID)
		return SB_OFFSET(metadirino);
	return SB_OFFSET(meta_uuid);
}

static void decode_counters(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint32_t step = g->sparse ? INODES_PER_HOLEMASKBIT : INODES_PER_CHUNK;

	g->icount = be64_get(sb->icount);
	g->ifree = be64_get(sb->ifree);
	g->fdblocks = be64_get(sb->fdblocks);
	/* there is at least the inode chunk of the root directory */
	if (g->icount < INODES_PER_CHUNK || g->icount > sb_max_icount(g) || g->icount % step != 0)
		problem(c, F_SB_ICOUNT, SB_OFFSET(icount), g->icount, 0);
	else if (g->ifree > g->icount)
		problem(c, F_SB_IFREE, SB_OFFSET(ifree), g->ifree, g->icount);
	if (g->fdblocks > g->dblocks)
		problem(c, F_SB_FDBLOCKS, SB_OFFSET(fdblocks), g->fdblocks, g->dblocks);
}

static void decode_rest(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	memcpy(g->label, sb->fname, sizeof(sb->fname));
	g->label[sizeof(sb->fname)] = '\0';
	g->imax_pct = sb->imax_pct;
	g->sb_lsn.v = g->crc ? be64_get(sb->lsn) : 0;
	check_eq(c, F_SB_INPROGRESS, SB_OFFSET(inprogress), sb->inprogress, 0);
	check_eq(c, F_SB_FLAGS, SB_OFFSET(flags), sb->flags, 0);
	check_eq(c, F_SB_SHARED_VN, SB_OFFSET(shared_vn), sb->shared_vn, 0);
	if (sb->imax_pct > 100)
		problem(c, F_SB_IMAX_PCT, SB_OFFSET(imax_pct), sb->imax_pct, 100);
}

/* Checks the minimum size of the log.  Kernels mount version 4 with any log, after a warning. */
static void check_log_min(const struct check *c, const struct geometry *g)
{
	uint32_t least = g->crc ? sb_log_min(g) : 0;

	if (g->logblocks != 0 && g->logblocks < least)
		problem(c, F_SB_LOGBLOCKS_MIN, SB_OFFSET(logblocks), g->logblocks, least);
}

bool sb_decode(const struct check *c, const void *sector, size_t len, struct geometry *ret_geo)
{
	const struct sb_disk *sb = sector;
	struct geometry g = { 0 };

	uint32_t sector_size = sb_sector_size(sb);

	if (!check_eq(c, F_BLOCK_MAGIC, SB_OFFSET(magicnum), be32_get(sb->magicnum), SB_MAGIC))
		return false;
	/* before the features, which may be refused: a wrong checksum shows that the superblock is damaged */
	if (sb_version(sb) == SB_VERSION_5 && sector_size != 0 && sector_size <= len)
		crc_check(c, sector, sector_size, SB_OFFSET(crc));
	if (!sb_features_decode(c, sb, &g) || !sb_sizes_decode(c, sb, &g) || !sb_rt_decode(c, sb, &g))
		return false;
	if (g.sector_size <= len)
		ag_header_zero(c, F_SB_TAIL, sector, sb_used_size(sb), g.sector_size);
	sb_align_decode(c, sb, &g);
	sb_stripe_check(c, sb, &g);
	g.stripe_disks = sb_stripe_disks(sb);
	sb_log_decode(c, sb, &g);
	sb_inodes_decode(c, sb, &g);
	decode_counters(c, sb, &g);
	decode_rest(c, sb, &g);
	btree_limits(&g);
	check_log_min(c, &g);
	*ret_geo = g;
	return true;
}
