/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the number of blocks in each level of a btree of that many records (ondisk 03, "Layout formulas"). */
#include "libxfs/btree_build.h"

/* Number of blocks to spread that many items over, with at most max in each. */
static uint64_t blocks_for(uint64_t items, uint32_t max, enum btree_slack slack)
{
	uint32_t min = max / 2;
	uint32_t each = slack == SLACK_NONE ? max : (max + min) / 2;
	uint64_t blocks;

	if (items <= max)
		return 1;
	blocks = items / each + (items % each != 0);
	/* spread evenly, blocks may be less than half full; one block less does not overfill any */
	while (blocks > 1 && items / blocks < min)
		blocks--;
	return blocks;
}

bool btree_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		 struct btree_shape *ret_shape)
{
	struct btree_shape shape = { .records = records };
	uint64_t items = records, blocks;

	do {
		uint32_t max = shape.levels ? g->btree[kind].node_max : g->btree[kind].leaf_max;

		blocks = blocks_for(items, max, slack);
		if (shape.levels == BTREE_LEVELS_MAX || shape.levels == g->btree[kind].max_level ||
		    blocks > UINT32_MAX - shape.blocks)
			return false;
		shape.width[shape.levels++] = (uint32_t)blocks;
		shape.blocks += (uint32_t)blocks;
		items = blocks;
	} while (blocks > 1);
	*ret_shape = shape;
	return true;
}
