/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds extents that are too long (ondisk 05; 12, I9), as far as the file itself tells: an extent overlaps the next one
 * in the file; or the maps have more blocks than nblocks, and exactly one extent ends in blocks that are free or have
 * another claimant.  Invalid extents of which only the start is damaged count with their blocks.
 */
#include "mend_inode_fork.h"

/* Returns by how many blocks an extent overlaps the next one in the file. */
static uint64_t overlap(const struct mend_fork *fork, size_t i)
{
	const struct bmap_record *extent = &fork->extents[i], *next = extent + 1;

	if (i + 1 >= fork->count || next->off.v <= extent->off.v || next->off.v >= mend_map_end(extent))
		return 0;
	return mend_map_end(extent) - next->off.v;
}

/* True if any of the fork's blocks in [from, to) of the file is free or has another claimant. */
static bool is_contested(const struct fork_work *w, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < w->count; i++) {
		const enum finding finding = w->found[i].problem.finding;
		const uint64_t at = w->found[i].place.fileoff.v;

		if ((finding == F_SPACE_CLAIMED_TWICE || finding == F_SPACE_FREE_IN_USE) &&
		    fork_is_of(w, &w->found[i].place) && at >= from && at < to)
			return true;
	}
	return false;
}

/*
 * Returns the only extent of both forks with more than `surplus` blocks, if it is in this fork and some of its last
 * blocks are free or have another claimant.  NULL: there is none.
 */
static const struct bmap_record *only_too_long(const struct fork_work *w, uint64_t surplus)
{
	const struct bmap_record *only = NULL;
	unsigned longer = 0;

	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct mend_fork *fork = &w->inode.fork[which];

		for (size_t i = 0; i < fork->count; i++) {
			if (fork->extents[i].len <= surplus)
				continue;
			longer++;
			if (which == w->which)
				only = &fork->extents[i];
		}
	}
	if (!surplus || longer != 1 || !only || !is_contested(w, mend_map_end(only) - surplus, mend_map_end(only)))
		return NULL;
	return only;
}

struct fork_lengths fork_lengths_of(const struct fork_work *w)
{
	const struct mend_fork *this = &w->inode.fork[w->which];
	struct fork_lengths lengths = { 0 };
	uint64_t sum = 0;

	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct mend_fork *fork = &w->inode.fork[which];

		sum += mend_map_blocks(fork->extents, fork->count) + fork->nodes + fork->impossible;
	}
	if (sum > w->inode.inode.nblocks)
		lengths.surplus = sum - w->inode.inode.nblocks;
	for (size_t i = 0; i < this->count; i++)
		lengths.overlaps += overlap(this, i) > 0;
	if (!lengths.overlaps)
		lengths.too_long = only_too_long(w, lengths.surplus);
	return lengths;
}

/*
 * Where an extent overlaps the next one, the blocks of the next one are right.  The only such extent has all of the
 * surplus; several end where the next one starts.  If the surplus is smaller than the overlap, nothing is cut.
 */
uint32_t fork_excess(const struct fork_work *w, const struct fork_lengths *lengths, size_t i)
{
	const struct mend_fork *fork = &w->inode.fork[w->which];
	const uint64_t over = overlap(fork, i), surplus = lengths->surplus;

	if (!over)
		return lengths->too_long == &fork->extents[i] ? (uint32_t)surplus : 0;
	if (surplus < over)
		return 0;
	return (uint32_t)(lengths->overlaps == 1 && surplus < fork->extents[i].len ? surplus : over);
}
