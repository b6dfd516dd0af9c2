/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the realtime fields of a primary superblock (ondisk 01, invariant 7; 09).  A realtime section has blocks,
 * extents, and a bitmap or groups: if only one field says that there is a section, that field is damaged.  Most sizes
 * follow from others, so one wrong number is outvoted; if several could be wrong, nothing of the section can be
 * located.
 */
#include "sb.h"
#include "disk/bmbt.h"
#include "libxfs/rt.h"

/* the stored values, until they are corrected */
struct section {
	uint64_t blocks;
	uint64_t extents;
	uint32_t extent_size;
	uint32_t group_extents; /* those of the whole section if it isn't divided */
	uint32_t groups;
};

static uint8_t log2_floor(uint64_t n)
{
	return n ? (uint8_t)(63 - __builtin_clzll(n)) : 0;
}

static uint8_t log2_ceil(uint64_t n)
{
	return n > 1 ? (uint8_t)(log2_floor(n - 1) + 1) : 0;
}

static bool extent_size_possible(const struct geometry *g, uint64_t blocks)
{
	if (blocks == 0 || g->zoned)
		return blocks == 1;
	return blocks >= div_up(SB_MIN_REXT_BYTES, g->block_size) && blocks <= SB_MAX_REXT_BYTES >> g->block_log;
}

/* The number of bitmap blocks for that many extents. */
static uint64_t bitmap_blocks(const struct geometry *g, uint64_t extents)
{
	return g->zoned ? 0 : div_up(extents, rt_block_extents(g));
}

/* True if the fields that follow from the number of extents agree with it: the logarithm, and groups or bitmap. */
static bool extents_confirmed(const struct sb_disk *sb, const struct geometry *g, uint64_t extents)
{
	uint32_t rgextents = be32_get(sb->rgextents);

	if (extents == 0 || sb->rextslog != log2_floor(extents))
		return false;
	if (g->metadir)
		return rgextents != 0 && be32_get(sb->rgcount) == div_up(extents, rgextents);
	return be32_get(sb->rbmblocks) == bitmap_blocks(g, extents);
}

/* Decodes blocks, extents and extent size, any two of which give the third.  False: they can't be reconciled. */
static bool decode_extents(const struct check *c, const struct sb_disk *sb, const struct geometry *g, struct section *s)
{
	bool sized = extent_size_possible(g, s->extent_size);
	uint64_t fit = sized ? s->blocks / s->extent_size : 0;
	bool confirmed = fit != s->extents && extents_confirmed(sb, g, s->extents) && !extents_confirmed(sb, g, fit);

	/* the extent size is wrong if it is invalid, or if blocks and confirmed extents imply another one */
	if ((!sized || confirmed) && s->extents != 0 && s->blocks % s->extents == 0 &&
	    extent_size_possible(g, s->blocks / s->extents)) {
		problem(c, F_SB_REXTSIZE, SB_OFFSET(rextsize), s->extent_size, s->blocks / s->extents);
		s->extent_size = (uint32_t)(s->blocks / s->extents);
	} else if (!sized) {
		return problem(c, F_SB_REXTSIZE, SB_OFFSET(rextsize), s->extent_size, 0);
	}
	confirmed = confirmed && s->extents <= UINT64_MAX / s->extent_size;
	if (confirmed && s->blocks / s->extent_size != s->extents) {
		problem(c, F_SB_RBLOCKS, SB_OFFSET(rblocks), s->blocks, s->extents * s->extent_size);
		s->blocks = s->extents * s->extent_size;
	}
	check_eq(c, F_SB_REXTENTS, SB_OFFSET(rextents), s->extents, s->blocks / s->extent_size);
	s->extents = s->blocks / s->extent_size;
	check_eq(c, F_SB_REXTSLOG, SB_OFFSET(rextslog), sb->rextslog, log2_floor(s->extents));
	/* block numbers must fit in a mapping, byte offsets in a signed 64-bit number */
	if (s->extents == 0 || s->blocks >> BMBT_START_BITS || s->blocks > (uint64_t)INT64_MAX >> g->block_log)
		return problem(c, F_SB_RBLOCKS, SB_OFFSET(rblocks), s->blocks, 0);
	return true;
}

/* Checks the size of realtime groups, which is set even without a realtime section. */
static bool check_group_size(const struct check *c, const struct sb_disk *sb, uint64_t rextsize)
{
	uint32_t rgextents = be32_get(sb->rgextents);

	if (rgextents < SB_MIN_RGEXTENTS || rgextents * rextsize > SB_MAX_RGBLOCKS)
		return problem(c, F_SB_RGEXTENTS, SB_OFFSET(rgextents), rgextents, 0);
	return true;
}

static void check_group_log(const struct check *c, const struct sb_disk *sb, uint64_t group_blocks)
{
	check_eq(c, F_SB_RGBLKLOG, SB_OFFSET(rgblklog), sb->rgblklog, log2_ceil(group_blocks));
}

static bool decode_groups(const struct check *c, const struct sb_disk *sb, const struct geometry *g, struct section *s)
{
	uint32_t rgcount = be32_get(sb->rgcount);
	uint64_t group_blocks, groups;

	if (!check_group_size(c, sb, s->extent_size))
		return false;
	s->group_extents = be32_get(sb->rgextents);
	group_blocks = (uint64_t)s->group_extents * s->extent_size;
	groups = div_up(s->extents, s->group_extents);
	/* if both fields that follow from the group size contradict it, the group size is wrong */
	if (rgcount != groups && sb->rgblklog != log2_ceil(group_blocks))
		return problem(c, F_SB_RGEXTENTS, SB_OFFSET(rgextents), s->group_extents, 0);
	check_group_log(c, sb, group_blocks);
	check_eq(c, F_SB_RGCOUNT, SB_OFFSET(rgcount), rgcount, groups);
	/* each group has inodes of its own */
	if (groups > sb_max_icount(g))
		return problem(c, F_SB_RGEXTENTS, SB_OFFSET(rgextents), s->group_extents, 0);
	s->groups = (uint32_t)groups;
	return true;
}

/* Decodes the sizes of bitmap and summary, which are the same in all groups. */
static bool decode_files(const struct check *c, const struct sb_disk *sb, struct geometry *g, const struct section *s)
{
	uint64_t extents = g->metadir ? s->group_extents : s->extents;
	uint64_t bitmap = bitmap_blocks(g, extents);

	/* the bitmaps are on the data device */
	if (bitmap * s->groups > g->dblocks)
		return problem(c, F_SB_RBLOCKS, SB_OFFSET(rblocks), s->blocks, 0);
	check_eq(c, F_SB_RBMBLOCKS, SB_OFFSET(rbmblocks), be32_get(sb->rbmblocks), bitmap);
	g->rbmblocks = (uint32_t)bitmap;
	g->rsumlevels = bitmap ? log2_floor(extents) + 1u : 0;
	g->rsumblocks = (uint32_t)div_up(bitmap * g->rsumlevels, rt_block_words(g));
	return true;
}

/* Decodes the start of a zoned section.  Others have a device of their own, and a superblock that ends before this. */
static void decode_zoned(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint64_t reserved = be64_get(sb->rtreserved);
	uint64_t pad = 0;

	for (unsigned i = 0; i < sizeof(sb->pad); i++)
		pad = pad << 8 | sb->pad[i];
	check_eq(c, F_SB_PAD, SB_OFFSET(pad), pad, 0);
	g->rtstart = be64_get(sb->rtstart);
	if (g->rtstart != 0 &&
	    (g->rtstart < g->dblocks || g->rtstart > ((uint64_t)INT64_MAX >> g->block_log) - g->rblocks))
		problem(c, F_SB_RTSTART, SB_OFFSET(rtstart), g->rtstart, g->dblocks);
	if (reserved > g->rblocks)
		problem(c, F_SB_RTRESERVED, SB_OFFSET(rtreserved), reserved, g->rblocks);
}

static bool decode_section(const struct check *c, const struct sb_disk *sb, struct geometry *g, struct section *s)
{
	uint64_t most_free;

	s->groups = 1;
	if (!decode_extents(c, sb, g, s) || (g->metadir && !decode_groups(c, sb, g, s)) || !decode_files(c, sb, g, s))
		return false;
	g->rextsize = s->extent_size;
	g->rextents = s->extents;
	/* blocks after the last whole extent are never used */
	g->rblocks = s->extents * s->extent_size;
	g->rgcount = s->groups;
	g->rgblocks = g->metadir ? (uint64_t)s->group_extents * s->extent_size : g->rblocks;
	g->rgblklog = g->metadir ? log2_ceil(g->rgblocks) : 63;
	g->frextents = be64_get(sb->frextents);
	if (g->zoned)
		decode_zoned(c, sb, g);
	most_free = g->zoned ? 0 : g->rextents;
	if (g->frextents > most_free)
		problem(c, F_SB_FREXTENTS, SB_OFFSET(frextents), g->frextents, most_free);
	return true;
}

static void check_no_section(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint32_t rextsize = be32_get(sb->rextsize);

	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rblocks), be64_get(sb->rblocks), 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rextents), be64_get(sb->rextents), 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rbmblocks), be32_get(sb->rbmblocks), 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rextslog), sb->rextslog, 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(frextents), be64_get(sb->frextents), 0);
	g->rextsize = 1;
	if (!extent_size_possible(g, rextsize)) {
		problem(c, F_SB_REXTSIZE, SB_OFFSET(rextsize), rextsize, 0);
		return;
	}
	g->rextsize = rextsize;
	if (!g->metadir)
		return;
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rgcount), be32_get(sb->rgcount), 0);
	if (check_group_size(c, sb, rextsize))
		check_group_log(c, sb, (uint64_t)be32_get(sb->rgextents) * rextsize);
}

bool sb_rt_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	struct section s = {
		.blocks = be64_get(sb->rblocks),
		.extents = be64_get(sb->rextents),
		.extent_size = be32_get(sb->rextsize),
	};
	unsigned votes = (s.blocks != 0) + (s.extents != 0) + (be32_get(sb->rbmblocks) != 0) +
			 (g->metadir && be32_get(sb->rgcount) != 0);

	if (votes > 1)
		return decode_section(c, sb, g, &s);
	check_no_section(c, sb, g);
	return true;
}
