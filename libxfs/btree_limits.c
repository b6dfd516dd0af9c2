/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the capacity of btree blocks and the maximum height of btrees (ondisk 03, 02 and 05).  Uses block size, AG
 * size and features of the geometry, and nothing else.
 */
#include "disk/inobt.h"
#include "btree_type.h"

/* minimum number of pointers in the root of a data fork's bmbt, in the smallest fork: ondisk 05 */
#define BMDR_MIN_PTRS 3

/* Height of a btree of that many records with minimally filled blocks. */
static uint32_t height_of_records(uint64_t records, uint32_t leaf_min, uint32_t node_min)
{
	uint64_t blocks = div_up(records, leaf_min);
	uint32_t height = 1;

	for (; blocks > 1; height++)
		blocks = div_up(blocks, node_min);
	return height;
}

/* Height of the tallest btree in that many blocks; a root may have as few as 2 children. */
static uint32_t height_of_blocks(uint64_t blocks, uint32_t node_min)
{
	uint64_t level_blocks = 2;
	uint64_t left = blocks - 1;
	uint32_t height = 1;

	for (; level_blocks < left; height++) {
		left -= level_blocks;
		level_blocks *= node_min;
	}
	return height;
}

/* Like height_of_records(), but the first level that fits in the inode is the root. */
static uint32_t height_of_bmbt(uint64_t records, uint32_t leaf_min, uint32_t node_min)
{
	uint64_t blocks = div_up(records, leaf_min);
	uint32_t height = 1;

	for (; blocks > 1; height++)
		blocks = blocks <= BMDR_MIN_PTRS ? 1 : div_up(blocks, node_min);
	return height;
}

static uint32_t max_level(const struct geometry *g, enum btree_kind kind, uint32_t leaf_min, uint32_t node_min)
{
	switch (kind) {
	case BT_BNO:
	case BT_CNT:
		/* at worst every second block is free */
		return height_of_records(((uint64_t)g->agblocks + 1) / 2, leaf_min, node_min);
	case BT_INO:
	case BT_FINO:
		return height_of_records((1ull << (g->agblock_log + g->inopb_log)) / INODES_PER_CHUNK, leaf_min,
					 node_min);
	case BT_RMAP:
		/* shared blocks can have any number of records, so only the space for the btree limits it */
		if (g->reflink)
			return height_of_blocks(g->agblocks, node_min);
		return height_of_records(g->agblocks, leaf_min, node_min);
	case BT_REFC:
		return height_of_records(g->agblocks, leaf_min, node_min);
	case BT_RTRMAP:
	case BT_RTREFC:
		/* their blocks are on the data device; the root in the inode is one more level */
		if (kind == BT_RTRMAP && g->reflink)
			return height_of_blocks(g->dblocks, node_min) + 1;
		return height_of_records(g->rgblocks, leaf_min, node_min) + 1;
	default:
		/* data forks have the most extents: ondisk 04 */
		return height_of_bmbt(g->nrext64 ? (1ull << 48) - 1 : (1ull << 31) - 1, leaf_min, node_min);
	}
}

void btree_limits(struct geometry *g)
{
	for (enum btree_kind kind = 0; kind < BT_NR; kind++) {
		const struct btree_type *type = btree_type_get(g, kind);
		uint32_t room;

		if (!type->layout)
			continue;
		room = g->block_size - type->layout->size;
		g->btree[kind].leaf_max = room / type->rec_size;
		g->btree[kind].node_max = room / (type->key_size + type->layout->ptr_size);
		g->btree[kind].max_level = max_level(g, kind, g->btree[kind].leaf_max / 2, g->btree[kind].node_max / 2);
	}
}
