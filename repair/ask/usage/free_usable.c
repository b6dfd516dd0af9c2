/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the free space of an AG files can get at once.  A mount reserves room for the finobt, the refcount btree
 * and the rmapbt to become as large as they may; these are rules of the kernel's, not of the format.
 */
#include "free_usable.h"

#include "disk/bmbt.h"
#include "check/walk/ag_state.h"

#define CHUNK_INODES 64u
#define RMAP_SHARE   100u /* at least so much of an AG is reserved for the rmapbt */
#define FOR_BMBT     1u	  /* a block must be left for the extent map, should it need one */

/* Blocks of a btree for so many records, if its blocks are half full. */
static uint64_t tree_blocks(const struct geometry *geo, enum btree_kind kind, uint64_t records)
{
	uint64_t fit = geo->btree[kind].leaf_max / 2, blocks = 0;

	while (records > 1 && fit > 1) {
		records = (records + fit - 1) / fit;
		fit = geo->btree[kind].node_max / 2;
		blocks += records;
	}
	return blocks;
}

static uint64_t lacks(uint64_t wanted, uint64_t has)
{
	return wanted > has ? wanted - has : 0;
}

/* Blocks that are set aside for what btrees lack of their largest size. */
static uint64_t reserved(const struct geometry *geo, agno_t agno, const struct ag_state *ag)
{
	const bool has_log = geo->logstart.v && agno_of_fsbno(geo, geo->logstart).v == agno.v;
	const uint64_t blocks = lacks(ag_length(geo, agno), has_log ? geo->logblocks : 0);
	uint64_t sum = 0;

	if (geo->finobt) {
		const uint64_t chunks = blocks * geo->inodes_per_block / CHUNK_INODES;

		sum += lacks(tree_blocks(geo, BT_FINO, chunks), ag->tree[BT_FINO].blocks);
	}
	if (geo->reflink)
		sum += lacks(tree_blocks(geo, BT_REFC, blocks), ag->tree[BT_REFC].blocks);
	if (geo->rmapbt) {
		const uint64_t share = blocks / RMAP_SHARE, most = tree_blocks(geo, BT_RMAP, blocks);

		sum += lacks(share > most ? share : most, ag->tree[BT_RMAP].blocks);
	}
	return sum;
}

uint64_t free_usable(const struct geometry *geo, agno_t agno, const struct ag_state *ag)
{
	const uint64_t longest_extent = (UINT64_C(1) << BMBT_LEN_BITS) - 1;
	const uint64_t longest = ag->longest, free_blocks = ag->free_blocks;
	const uint64_t listed = ag->have_agf ? ag->agf.flcount : 0;
	const uint64_t least = ag->have_agf ? agf_least_freelist(geo, &ag->agf) : 0;
	const uint64_t aside = reserved(geo, agno, ag);
	const uint64_t at_once = lacks(longest, lacks(least, listed) + lacks(aside, lacks(free_blocks, longest)));
	const uint64_t in_all = lacks(free_blocks + listed, aside + least + FOR_BMBT);
	const uint64_t usable = at_once < in_all ? at_once : in_all;

	return usable < longest_extent ? usable : longest_extent;
}
