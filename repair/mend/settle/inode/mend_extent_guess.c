/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guesses an invalid extent (ondisk 05; 12, I9): it has the blocks that the inode counts and no other extent has, and
 * lies between its neighbours in the file.
 */
#include "disk/bmbt.h"
#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"

/* Returns extent record `index`; after the last one, an extent at the highest offset. */
static struct bmap_record record_at(const struct dinode_fork *fork, uint64_t index)
{
	if (index >= fork->nextents)
		return (struct bmap_record){ .off = { fork->rules.max_off } };
	return bmap_record_get(fork->bytes + index * sizeof(struct bmbt_rec_disk));
}

/* Returns how many blocks the inode counts that no extent has, if exactly one extent is invalid; else 0. */
static uint64_t blocks_missing(const struct mend_inode *inode)
{
	uint64_t sum = 0, bad = 0;

	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct mend_fork *fork = &inode->fork[which];

		if (!inode->inode.fork[which].present)
			continue;
		if (!fork->whole || fork->count > inode->inode.fork[which].nextents)
			return 0;
		bad += inode->inode.fork[which].nextents - fork->count;
		sum += mend_map_blocks(fork->extents, fork->count) + fork->nodes;
	}
	return bad == 1 && sum < inode->inode.nblocks ? inode->inode.nblocks - sum : 0;
}

/* Sets the offset of an extent within [from, to) of the file. last: it is the last extent. False: unknown. */
static bool place_between(const struct geometry *geo, const struct mend_inode *inode, enum fork which, uint64_t from,
			  uint64_t to, bool last, struct bmap_record *extent)
{
	const uint64_t size = (inode->inode.size + geo->block_size - 1) >> geo->block_log;

	if (which == ATTR_FORK || inode->inode.ftype == FT_SYMLINK) { /* these have no holes */
		extent->off.v = from;
		return true;
	}
	if (inode->inode.ftype != FT_REG) {
		extent->off.v = 0;
		return !from;
	}
	/* usually, the first extent starts at 0, the last one ends with the file, and others have no adjacent holes */
	extent->off.v = last ? size - extent->len : from;
	return last ? size >= from + extent->len : !from || to - from == extent->len;
}

bool mend_extent_guess(const struct geometry *geo, const struct mend_inode *inode, enum fork which, uint32_t index,
		       struct bmap_record *extent)
{
	const struct dinode_fork *fork = &inode->inode.fork[which];
	const struct bmap_record before = index ? record_at(fork, index - 1) : (struct bmap_record){ 0 };
	const uint64_t from = mend_map_end(&before), to = record_at(fork, index + 1).off.v;
	const uint64_t missing = blocks_missing(inode);

	if (from > to)
		return false;
	/* without a known number of missing blocks, the extent's own length is used if it fits */
	if ((!missing || extent->len == missing) && extent->len && extent->len <= inode->inode.nblocks &&
	    extent->off.v >= from && extent->off.v + extent->len <= to)
		return true;
	if (!missing || missing > to - from || missing >> BMBT_LEN_BITS)
		return false;
	extent->len = (uint32_t)missing;
	extent->unwritten = false;
	return place_between(geo, inode, which, from, to, index + 1 >= fork->nextents, extent);
}
