/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the alignment of inode chunks and stripes (ondisk 00, section 3; ondisk 01, invariants 3 and 4), and derives
 * the sizes of chunks and clusters.  The inode alignment is no mere hint: the kernel locates inodes by it.
 */
#include "sb.h"
#include "libxfs/ag.h"
#include "disk/inobt.h"

/* Size of an inode cluster in bytes, which in version 5 grows with the inode size. */
static uint32_t scaled_cluster(const struct geometry *g)
{
	if (!g->crc)
		return SB_CLUSTER_SIZE;
	return SB_CLUSTER_SIZE * (g->inode_size / SB_CLUSTER_INODE_SIZE);
}

/* The alignment of whole chunks, in blocks.  Reports a wrong one, and returns the value that mkfs writes. */
static uint32_t check_inoalignmt(const struct check *c, const struct sb_disk *sb, const struct geometry *g)
{
	uint32_t got = be32_get(sb->inoalignmt);
	uint32_t want = scaled_cluster(g) >> g->block_log;

	if (g->sparse)
		want = INODES_PER_CHUNK * g->inode_size >> g->block_log;
	/* in version 4 alignment is optional, and impossible if blocks are larger than clusters */
	else if (!(sb_versionnum(sb) & SB_VERSION_ALIGN))
		want = 0;
	/* early versions of mkfs for version 5 did not scale the cluster by the inode size */
	else if (got == SB_CLUSTER_SIZE >> g->block_log)
		return got;
	check_eq(c, F_SB_INOALIGNMT, SB_OFFSET(inoalignmt), got, want);
	return want;
}

void sb_align_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint32_t inoalignmt = check_inoalignmt(c, sb, g);
	uint32_t cluster = scaled_cluster(g);
	uint32_t chunk_inodes = g->inodes_per_block > INODES_PER_CHUNK ? g->inodes_per_block : INODES_PER_CHUNK;

	g->sparse_align = g->sparse ? cluster >> g->block_log : 0;
	if (g->crc)
		check_eq(c, F_SB_SPINO_ALIGN, SB_OFFSET(spino_align), be32_get(sb->spino_align), g->sparse_align);

	g->chunk_blocks = chunk_inodes >> g->inopb_log;
	if (inoalignmt < cluster >> g->block_log)
		cluster = SB_CLUSTER_SIZE;
	g->cluster_blocks = cluster > g->block_size ? cluster >> g->block_log : 1;
	g->cluster_align = inoalignmt >= g->cluster_blocks ? inoalignmt : 1;
}

void sb_stripe_check(const struct check *c, const void *sector, const struct geometry *g)
{
	const struct sb_disk *sb = sector;
	bool dalign = sb_versionnum(sb) & SB_VERSION_DALIGN;
	uint32_t unit = be32_get(sb->unit);
	uint32_t width = be32_get(sb->width);

	if ((unit != 0) != dalign || (unit != 0 && g->agblocks % unit != 0))
		problem(c, F_SB_UNIT, SB_OFFSET(unit), unit, 0);
	else if (unit != 0 ? width == 0 || width % unit != 0 : width != 0)
		problem(c, F_SB_WIDTH, SB_OFFSET(width), width, unit);
	else if ((uint64_t)width << g->block_log > SB_MAX_WIDTH_BYTES)
		problem(c, F_SB_WIDTH_MAX, SB_OFFSET(width), width, SB_MAX_WIDTH_BYTES >> g->block_log);
}

uint32_t sb_stripe_disks(const void *sector)
{
	const struct sb_disk *sb = sector;
	uint32_t unit = be32_get(sb->unit);
	uint32_t width = be32_get(sb->width);

	return unit && width && width % unit == 0 ? width / unit : 1;
}
