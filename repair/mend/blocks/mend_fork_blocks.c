/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks for the bmbt of an extent map that is written anew.  Those of the old bmbt that hold nothing are taken first:
 * nothing is lost there, and the groups' trees have them as the inode's.  Then come free ones; if there are none,
 * blocks of the old bmbt, readable or not, that nobody else has.  If all free-space btrees are lost, nothing is known
 * to be free before all maps can be read again, so a map can't wait for that.  No block of a lost extent is taken.  If
 * nothing else can be mended any more, blocks of zeroes that nobody claims are taken (mend_space_zeroes.c).
 */
#include <errno.h>
#include <stdlib.h>

#include "mend/collect/mend_inode.h"
#include "mend_space.h"
#include "repair.h"
#include "sets/ordered.h"

/*
 * The blocks of the old bmbt, sorted, each once, but for those with unexpected keys, which may not be its.  Returns how
 * many there are.
 */
static size_t old_blocks(const struct geometry *geo, const struct mend_fork *fork, fsbno_t *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < fork->ntree; i++)
		if (fork->tree[i].keys_ok)
			ret[n++] = fsbno_of(geo, fork->tree[i].agno, fork->tree[i].agbno);
	return ordered_unique(ret, n, MEMBERS(ELEMENT(ret)));
}

/* Set mapped[k] for each old block k that an extent of the new map has. */
static void note_mapped(const fsbno_t *old, size_t nold, const struct bmap_record *extents, size_t count, bool *mapped)
{
	for (size_t i = 0; i < count; i++) {
		const fsbno_t start = extents[i].start;

		for (size_t k = ordered_from(old, nold, ELEMENT(old), start.v);
		     k < nold && old[k].v - start.v < extents[i].len; k++)
			mapped[k] = true;
	}
}

/* Take blocks of zeroes. Blocks of the new map are reported first, since nobody may have claimed them so far. */
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

/* Take blocks of the old bmbt, and if these don't suffice, blocks of zeroes. 0, -ENOSPC or another negative errno. */
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

/*
 * Take blocks of the old bmbt that hold nothing, and that no extent of the new map has.  *ret_done: how many. 0 or
 * -ENOMEM.
 */
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
