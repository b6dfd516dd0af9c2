/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocates blocks for a new bmbt, in this order:
 * - blocks of the old bmbt that hold nothing: nothing is lost, and the rmapbt already lists them for the inode;
 * - free blocks;
 * - other blocks of the old bmbt, readable or not, without another owner and outside of the new map's extents.  If all
 *   free-space btrees are lost, no block is known to be free before all maps are readable, so the map can't wait;
 * - as a last resort, unowned blocks of zeroes (mend_space_zeroes.c).
 */
#include <errno.h>
#include <stdlib.h>

#include "mend/collect/mend_inode.h"
#include "mend_space.h"
#include "repair.h"
#include "sets/ordered.h"

/*
 * Gets the blocks of the old bmbt, sorted, each once.  Those with unexpected keys are omitted, since they may belong to
 * another tree.  Returns their number.
 */
static size_t old_blocks(const struct geometry *geo, const struct mend_fork *fork, fsbno_t *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < fork->ntree; i++)
		if (fork->tree[i].keys_ok)
			ret[n++] = fsbno_of(geo, fork->tree[i].agno, fork->tree[i].agbno);
	return ordered_unique(ret, n, MEMBERS(ELEMENT(ret)));
}

/* Sets mapped[k] for each old block k that is in an extent of the new map. */
static void note_mapped(const fsbno_t *old, size_t nold, const struct bmap_record *extents, size_t count, bool *mapped)
{
	for (size_t i = 0; i < count; i++) {
		const fsbno_t start = extents[i].start;

		for (size_t k = ordered_from(old, nold, ELEMENT(old), start.v);
		     k < nold && old[k].v - start.v < extents[i].len; k++)
			mapped[k] = true;
	}
}

/* Takes blocks of zeroes. Blocks of the new map are reported first, because they may not have been claimed so far. */
static int take_zeroes(struct mend *m, const struct mend_inode *inode, enum fork fork,
		       const struct bmap_record *extents, size_t count, fsbno_t *blocks, uint32_t need)
{
	const struct mend_survey *owners;
	int ret = mend_space_owners(m, &owners);

	if (ret || !owners)
		return ret ? ret : -ENOSPC;
	mend_fork_claims(m, inode, fork, extents, count);
	return mend_space_take_zeroes(m, owners, blocks, need);
}

/* Takes blocks of the old bmbt, then blocks of zeroes. 0, -ENOSPC or another negative errno. */
static int take_others(struct mend *m, const struct mend_inode *inode, enum fork which,
		       const struct bmap_record *extents, size_t count, fsbno_t *blocks, uint32_t need)
{
	const struct mend_fork *fork = &inode->fork[which];
	fsbno_t *old = calloc(fork->ntree + 1, sizeof(*old));
	bool *mapped = calloc(fork->ntree + 1, sizeof(*mapped));
	const size_t nold = old ? old_blocks(&m->now->geo, fork, old) : 0;
	uint32_t done = 0;
	int ret = old && mapped ? 0 : -ENOMEM;

	if (!ret && !inode->inode.fork[which].rules.realtime)
		note_mapped(old, nold, extents, count, mapped);
	for (size_t i = 0; i < nold && done < need && !ret; i++) {
		bool alone;

		ret = mend_space_alone(m, old[i], true, &alone);
		if (!ret && alone && !mapped[i])
			blocks[done++] = old[i];
	}
	free(old);
	free(mapped);
	if (!ret && done < need)
		ret = take_zeroes(m, inode, which, extents, count, blocks + done, need - done);
	for (uint32_t i = 0; i < need && !ret; i++)
		ret = mend_space_take_this(m, blocks[i]);
	return ret;
}

/* Takes blocks of the old bmbt that hold nothing and are not in the new map. *ret_done: their number. 0 or -ENOMEM. */
static int take_ruins(struct mend *m, const struct mend_fork *fork, const struct bmap_record *extents, size_t count,
		      fsbno_t *blocks, uint32_t need, uint32_t *ret_done)
{
	bool *mapped = calloc(fork->nruins + 1, sizeof(*mapped));

	*ret_done = 0;
	if (!mapped)
		return -ENOMEM;
	note_mapped(fork->ruins, fork->nruins, extents, count, mapped);
	for (size_t i = 0; i < fork->nruins && *ret_done < need; i++) {
		if (mapped[i])
			continue;
		mend_space_claim(m, fork->ruins[i], 1);
		blocks[(*ret_done)++] = fork->ruins[i];
	}
	free(mapped);
	return 0;
}

int mend_fork_blocks(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		     size_t count, fsbno_t *blocks, uint32_t need)
{
	uint32_t done;
	int ret = take_ruins(m, &inode->fork[fork], extents, count, blocks, need, &done);

	while (done < need && !ret) {
		fsbno_t start;
		uint32_t len;

		ret = mend_space_take(m, need - done, &start, &len);
		for (uint32_t i = 0; !ret && i < len; i++)
			blocks[done++].v = start.v + i;
	}
	return ret == -ENOSPC ? take_others(m, inode, fork, extents, count, blocks + done, need - done) : ret;
}
