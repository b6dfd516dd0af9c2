/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the sizes of sectors, blocks, inodes, directory blocks and AGs in a primary superblock (ondisk 01; ondisk 00,
 * invariant 2), and the first inodes that it names (ondisk 01, invariant 8).  Each power of two is stored twice, as a
 * number and as its logarithm.  If they disagree, the number is right if it is a power of two in range, since no single
 * damaged bit makes one such number of another; else the logarithm.  mkfs puts the root directory into the first inode
 * of the first chunk, and the other internal inodes right after it: each number implies the others, and the majority
 * decides.
 */
#include "disk/inobt.h"
#include "sb.h"

uint64_t sb_max_icount(const struct geometry *g)
{
	return g->dblocks << g->inopb_log;
}

/* True if an inode can be the first one of the file system's first chunk. */
static bool is_first_inode(const struct geometry *g, uint64_t number)
{
	xino_t ino = { number };
	agino_t agino = agino_of_ino(g, ino);

	return ino_valid(g, ino) && agno_of_ino(g, ino).v == 0 && agbno_of_agino(g, agino).v % g->cluster_align == 0 &&
	       (agino.v & (g->inodes_per_block - 1)) % INODES_PER_CHUNK == 0;
}

/* The right one of n candidates for the root inode's number: one that occurs twice, else the first valid one. */
static uint64_t believe(const struct geometry *g, const uint64_t *opinions, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = i + 1; j < n; j++)
			if (opinions[i] == opinions[j] && is_first_inode(g, opinions[i]))
				return opinions[i];
	for (unsigned i = 0; i < n; i++)
		if (is_first_inode(g, opinions[i]))
			return opinions[i];
	return NULL_INO;
}

static void decode_first_inodes(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint64_t root = be64_get(sb->rootino);
	uint64_t bitmap = be64_get(sb->rbmino);
	uint64_t summary = be64_get(sb->rsumino);
	uint64_t metadir = be64_get(sb->metadirino);
	const uint64_t with_metadir[] = { root, metadir - 1 };
	const uint64_t without[] = { root, bitmap - 1, summary - 2 };
	uint64_t first = g->metadir ? believe(g, with_metadir, 2) : believe(g, without, 3);

	g->rootino.v = first;
	g->metadirino.v = 0;
	g->rbmino.v = 0;
	g->rsumino.v = 0;
	check_eq(c, F_SB_ROOTINO, SB_OFFSET(rootino), root, first);
	if (g->metadir) {
		check_eq(c, F_SB_RBMINO, SB_OFFSET(rbmino), bitmap, 0);
		check_eq(c, F_SB_RSUMINO, SB_OFFSET(rsumino), summary, 0);
		if (first == NULL_INO)
			return;
		g->metadirino.v = first + 1;
		check_eq(c, F_SB_METADIRINO, SB_OFFSET(metadirino), metadir, first + 1);
		return;
	}
	if (first == NULL_INO)
		return;
	g->rbmino.v = first + 1;
	g->rsumino.v = first + 2;
	check_eq(c, F_SB_RBMINO, SB_OFFSET(rbmino), bitmap, first + 1);
	check_eq(c, F_SB_RSUMINO, SB_OFFSET(rsumino), summary, first + 2);
}

void sb_inodes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	decode_first_inodes(c, sb, g);
	sb_quota_decode(c, sb, g);
}

struct size_rule {
	uint32_t min;
	uint32_t max;
	enum finding size_finding;
	enum finding log_finding;
	uint32_t size_offset;
	uint32_t log_offset;
};

static const struct size_rule sector_rule = {
	.min = SB_MIN_SECTOR,
	.max = SB_MAX_SECTOR,
	.size_finding = F_SB_SECTSIZE,
	.log_finding = F_SB_SECTLOG,
	.size_offset = SB_OFFSET(sectsize),
	.log_offset = SB_OFFSET(sectlog),
};

static const struct size_rule block_rule = {
	.min = SB_MIN_BLOCK,
	.max = SB_MAX_BLOCK,
	.size_finding = F_SB_BLOCKSIZE,
	.log_finding = F_SB_BLOCKLOG,
	.size_offset = SB_OFFSET(blocksize),
	.log_offset = SB_OFFSET(blocklog),
};

static const struct size_rule inode_rule = {
	.min = SB_MIN_INODE,
	.max = SB_MAX_INODE,
	.size_finding = F_SB_INODESIZE,
	.log_finding = F_SB_INODELOG,
	.size_offset = SB_OFFSET(inodesize),
	.log_offset = SB_OFFSET(inodelog),
};

static bool in_range(const struct size_rule *rule, uint32_t size)
{
	return size >= rule->min && size <= rule->max && (size & (size - 1)) == 0;
}

static uint32_t from_log(const struct size_rule *rule, uint8_t log)
{
	uint32_t size = log < 32 ? 1u << log : 0;

	return in_range(rule, size) ? size : 0;
}

/* The size according to number and logarithm, or 0 if both are invalid.  Reports faults. */
static uint32_t decode_size(const struct check *c, const struct size_rule *rule, uint32_t size, uint8_t log)
{
	if (in_range(rule, size)) {
		check_eq(c, rule->log_finding, rule->log_offset, log, (uint64_t)__builtin_ctz(size));
		return size;
	}
	problem(c, rule->size_finding, rule->size_offset, size, from_log(rule, log));
	return from_log(rule, log);
}

uint32_t sb_sector_size(const struct sb_disk *sb)
{
	uint32_t size = be16_get(sb->sectsize);

	return in_range(&sector_rule, size) ? size : from_log(&sector_rule, sb->sectlog);
}

/*
 * Checks inodes per block, stored as number and logarithm, against block size and inode size.  False: both contradict
 * the sizes, so one of the sizes may be wrong.
 */
static bool check_inopblock(const struct check *c, const struct sb_disk *sb, const struct geometry *g)
{
	bool number_ok =
		check_eq(c, F_SB_INOPBLOCK, SB_OFFSET(inopblock), be16_get(sb->inopblock), g->inodes_per_block);
	bool log_ok = check_eq(c, F_SB_INOPBLOG, SB_OFFSET(inopblog), sb->inopblog, g->inopb_log);

	return number_ok || log_ok;
}

static bool decode_units(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	struct size_rule sector = sector_rule;
	struct size_rule block = block_rule;
	struct size_rule inode = inode_rule;

	if (g->crc) {
		block.min = SB_MIN_BLOCK_V5;
		inode.min = SB_MIN_INODE_V5;
	}
	g->block_size = decode_size(c, &block, be32_get(sb->blocksize), sb->blocklog);
	if (g->block_size == 0)
		return false;
	if (sector.max > g->block_size)
		sector.max = g->block_size;
	if (inode.max > g->block_size / SB_MIN_INOPBLOCK)
		inode.max = g->block_size / SB_MIN_INOPBLOCK;
	g->sector_size = decode_size(c, &sector, be16_get(sb->sectsize), sb->sectlog);
	g->inode_size = decode_size(c, &inode, be16_get(sb->inodesize), sb->inodelog);
	if (g->sector_size == 0 || g->inode_size == 0)
		return false;

	g->block_log = (uint8_t)__builtin_ctz(g->block_size);
	g->inode_log = (uint8_t)__builtin_ctz(g->inode_size);
	g->inodes_per_block = g->block_size / g->inode_size;
	g->inopb_log = (uint8_t)(g->block_log - g->inode_log);
	return check_inopblock(c, sb, g);
}

static bool decode_dir_block(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	if (sb->dirblklog > SB_MAX_BLOCK_LOG - g->block_log)
		return problem(c, F_SB_DIRBLKLOG, SB_OFFSET(dirblklog), sb->dirblklog, 0);
	g->dirblk_log = sb->dirblklog;
	g->dir_block_size = g->block_size << g->dirblk_log;
	return true;
}

/* Decodes dblocks, agblocks and agcount, any two of which give the third: ondisk 00, section 1. */
static bool decode_groups(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint64_t dblocks = be64_get(sb->dblocks);
	uint32_t agblocks = be32_get(sb->agblocks);
	uint32_t agcount = be32_get(sb->agcount);
	uint64_t ag_bytes = (uint64_t)agblocks << g->block_log;
	uint64_t last;

	if (ag_bytes < SB_MIN_AG_BYTES || ag_bytes > SB_MAX_AG_BYTES)
		return problem(c, F_SB_AGBLOCKS, SB_OFFSET(agblocks), agblocks, 0);
	/* byte offsets must fit in a signed 64-bit number */
	if (dblocks < SB_MIN_AG_BLOCKS || dblocks > (uint64_t)INT64_MAX >> g->block_log)
		return problem(c, F_SB_DBLOCKS, SB_OFFSET(dblocks), dblocks, 0);
	if (!check_eq(c, F_SB_AGCOUNT, SB_OFFSET(agcount), agcount, (dblocks - 1) / agblocks + 1))
		return false;
	last = dblocks - (uint64_t)(agcount - 1) * agblocks;
	if (last < SB_MIN_AG_BLOCKS)
		return problem(c, F_SB_DBLOCKS, SB_OFFSET(dblocks), dblocks, 0);

	g->dblocks = dblocks;
	g->agblocks = agblocks;
	g->agcount = agcount;
	/* agblocks is at least 16 MiB / 64 KiB, so there is a highest bit */
	g->agblock_log = (uint8_t)(32 - __builtin_clz(agblocks - 1));
	check_eq(c, F_SB_AGBLKLOG, SB_OFFSET(agblklog), sb->agblklog, g->agblock_log);
	/* superblock, AGF, AGI and AGFL take a sector each */
	g->first_data_agbno = 3 * g->sector_size / g->block_size + 1;
	return true;
}

bool sb_sizes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	return decode_units(c, sb, g) && decode_dir_block(c, sb, g) && decode_groups(c, sb, g);
}
