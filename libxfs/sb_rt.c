/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The realtime fields of a primary superblock (ondisk 01, invariant 7).
 * Realtime sections are not checked by this program yet, so what is checked
 * here is that a file system without one says so in every field.
 */
#include "sb.h"

/* Realtime groups have a size even where there are none. */
static void check_groups(const struct check *c, const struct sb_disk *sb)
{
	uint32_t rextsize = be32_get(sb->rextsize);
	uint32_t rgextents = be32_get(sb->rgextents);
	uint64_t group_blocks = (uint64_t)rgextents * rextsize;

	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rgcount), be32_get(sb->rgcount), 0);
	if (rgextents < SB_MIN_RGEXTENTS || group_blocks > SB_MAX_RGBLOCKS) {
		problem(c, F_SB_RGEXTENTS, SB_OFFSET(rgextents), rgextents, 0);
		return;
	}
	if (group_blocks > 1)
		check_eq(c, F_SB_RGBLKLOG, SB_OFFSET(rgblklog), sb->rgblklog,
			 (uint64_t)(32 - __builtin_clz((uint32_t)group_blocks - 1)));
}

bool sb_rt_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint64_t rblocks = be64_get(sb->rblocks);
	uint64_t rextents = be64_get(sb->rextents);
	uint64_t rext_bytes = (uint64_t)be32_get(sb->rextsize) << g->block_log;
	uint32_t rbmblocks = be32_get(sb->rbmblocks);

	/* a section has blocks, extents and a bitmap; what has only one of them is a damaged field */
	if (rblocks != 0 && (rextents != 0 || rbmblocks != 0))
		return problem(c, F_SB_RT_UNSUPPORTED, SB_OFFSET(rblocks), rblocks, 0);
	g->rblocks = 0;
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rblocks), rblocks, 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rextents), rextents, 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rbmblocks), rbmblocks, 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(rextslog), sb->rextslog, 0);
	check_eq(c, F_SB_RT_FIELD, SB_OFFSET(frextents), be64_get(sb->frextents), 0);
	if (rext_bytes < SB_MIN_REXT_BYTES || rext_bytes > SB_MAX_REXT_BYTES)
		problem(c, F_SB_REXTSIZE, SB_OFFSET(rextsize), be32_get(sb->rextsize), 0);
	else if (g->metadir)
		check_groups(c, sb);
	return true;
}
