/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which way of mending each finding leads to. */
#include <stddef.h>

#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/sb.h"
#include "mend.h"

struct row {
	enum mend_kind kind;
	struct mend_place field;
};

#define FIELD(struct_disk, member)                                                                                     \
	{                                                                                                              \
		MEND_field,                                                                                            \
		{                                                                                                      \
			offsetof(struct struct_disk, member), sizeof(((struct struct_disk *)0)->member)                \
		}                                                                                                      \
	}

static const struct row rows[FINDING_NR] = {
	[F_AGF_FREEBLKS_COUNT] = FIELD(agf_disk, freeblks),
	[F_AGF_LONGEST_COUNT] = FIELD(agf_disk, longest),
	[F_AGF_BTREEBLKS_COUNT] = FIELD(agf_disk, btreeblks),
	[F_AGF_RMAP_BLOCKS_COUNT] = FIELD(agf_disk, rmap_blocks),
	[F_AGF_REFCOUNT_BLOCKS_COUNT] = FIELD(agf_disk, refcount_blocks),
	[F_AGI_COUNT_COUNT] = FIELD(agi_disk, count),
	[F_AGI_FREECOUNT_COUNT] = FIELD(agi_disk, freecount),
	[F_AGI_IBLOCKS_COUNT] = FIELD(agi_disk, iblocks),
	[F_AGI_FBLOCKS_COUNT] = FIELD(agi_disk, fblocks),
	[F_SB_ICOUNT_COUNT] = FIELD(sb_disk, icount),
	[F_SB_IFREE_COUNT] = FIELD(sb_disk, ifree),
	[F_SB_FDBLOCKS_COUNT] = FIELD(sb_disk, fdblocks),
};

static const struct {
	const char *text;
	enum mend_stage stage;
} kinds[MEND_NR] = {
#define x(name, stage, text) [MEND_##name] = { text, STAGE_##stage },
	MEND_TABLE(x)
#undef x
};

enum mend_kind mend_of_finding(enum finding finding)
{
	return rows[finding].kind;
}

struct mend_place mend_field_of_finding(enum finding finding)
{
	return rows[finding].field;
}

enum mend_stage mend_stage(enum mend_kind kind)
{
	return kinds[kind].stage;
}

const char *mend_text(enum mend_kind kind)
{
	return kinds[kind].text;
}
