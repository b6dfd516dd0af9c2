/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds new btrees for an AG.  They describe their own blocks, too: which blocks are taken affects the number of
 * records, and that affects how many blocks are needed.  A few iterations settle this; blocks left over go to the free
 * list.
 */
#include <errno.h>
#include <stdlib.h>

#include "disk/agfl.h"
#include "mend/base/mend.h"
#include "mend_plan.h"

#define MAX_ROUNDS 64
#define FULL_SHARE 10 /* with less than 1/FULL_SHARE of the AG free, btrees are packed, like the kernel does */

/* Derives the records of the space btrees, without the btrees' own blocks. 0, or an error of ag_records_derive(). */
static int derive(struct mend_plan *p, struct ag_contents *c, uint64_t *ret_collision)
{
	for (size_t i = 0; c->chunks && i < c->nchunks; i++)
		p->nfinobt += c->chunks[i].freecount > 0;
	return ag_records_derive(p->geo, group_of_ag(c->agno), c->claims, &c->nclaims, &p->records, ret_collision);
}

static uint32_t tree_blocks(const struct mend_plan *p)
{
	uint32_t sum = 0;

	for (unsigned kind = 0; kind < BT_AG_NR; kind++)
		sum += p->shape[kind].blocks;
	return sum;
}

static bool shape_tree(struct mend_plan *p, enum btree_kind kind, uint64_t records)
{
	if (!mend_plan_has(p, kind))
		return true;
	if (!btree_shape(p->geo, kind, records, p->slack, &p->shape[kind]))
		return false;
	p->agf.level[kind] = p->shape[kind].levels;
	return true;
}

/* Computes the shapes of btrees that include their own blocks. False: a btree would be too high. */
static bool shape_trees(struct mend_plan *p)
{
	const struct ag_records *r = &p->records;
	size_t nfree = mend_blocks_free_left(p, NULL);
	uint32_t refcount, inodes;

	if (!shape_tree(p, BT_REFC, r->nrefcounts) || !shape_tree(p, BT_INO, p->contents->nchunks) ||
	    !shape_tree(p, BT_FINO, p->nfinobt) || !shape_tree(p, BT_BNO, nfree) || !shape_tree(p, BT_CNT, nfree))
		return false;
	refcount = p->shape[BT_REFC].blocks;
	inodes = refcount + mend_plan_inode_blocks(p);
	if (inodes > p->nblocks)
		return true; /* too few blocks so far: the next iteration takes more */
	return shape_tree(p, BT_RMAP,
			  r->nrmaps + mend_blocks_runs(p, 0, refcount) + mend_blocks_runs(p, refcount, inodes) +
				  mend_blocks_runs(p, inodes, p->nblocks));
}

/* Takes blocks until the btrees that describe them fit. 0, -ENOSPC or -ENOMEM. */
static int settle_plan(struct mend_plan *p)
{
	uint32_t need = 1, slots = agfl_slots(p->geo->crc, p->geo->sector_size);
	uint32_t trees = 0;

	for (unsigned round = 0; round < MAX_ROUNDS; round++) {
		int ret = mend_blocks_choose(p, need);

		if (ret)
			return ret;
		if (!shape_trees(p))
			return -ENOSPC;
		trees = tree_blocks(p);
		if (p->nblocks < need && p->nblocks < trees)
			return -ENOSPC;
		/* without more blocks, a short free list will do: the kernel refills it when needed */
		if (p->nblocks >= trees && p->nblocks - trees <= slots &&
		    (p->nblocks < need || p->nblocks - trees >= agf_least_freelist(p->geo, &p->agf)))
			return 0;
		need = trees + agf_least_freelist(p->geo, &p->agf);
	}
	return -ENOSPC;
}

static enum btree_slack usual_slack(const struct mend_plan *p)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < p->records.nfree; i++)
		blocks += p->records.free[i].len;
	return blocks < ag_length(p->geo, p->contents->agno) / FULL_SHARE ? SLACK_NONE : SLACK_USUAL;
}

int mend_ag(const struct geometry *geo, struct ag_contents *contents, const struct ag_writer *writer,
	    struct ag_mended *ret_mended)
{
	struct mend_plan p = { .geo = geo, .contents = contents, .agi = contents->agi };
	struct ag_mended mended = { 0 };
	int ret = derive(&p, contents, &mended.collision);

	if (!ret)
		ret = mend_blocks_find(&p);
	if (!ret) {
		p.slack = usual_slack(&p);
		ret = settle_plan(&p);
	}
	if (ret == -ENOSPC && p.slack == SLACK_USUAL) {
		p.slack = SLACK_NONE;
		ret = settle_plan(&p);
	}
	if (!ret)
		ret = mend_write_all(&p, writer);
	mended.agf = p.agf;
	mended.agi = p.agi;
	mended.blocks = tree_blocks(&p);
	if (!ret || ret == -EEXIST)
		*ret_mended = mended;
	free(p.fresh.v);
	free(p.spare.v);
	free(p.blocks);
	ag_records_free(&p.records);
	return ret;
}

/* Plans the inode btrees, whose records don't depend on the place of their own blocks. False: one is too high. */
static bool plan_inodes(const struct geometry *geo, const struct ag_contents *contents, struct mend_plan *ret_plan)
{
	struct mend_plan p = { .geo = geo, .contents = contents, .agi = contents->agi, .inodes_only = true };

	for (size_t i = 0; i < contents->nchunks; i++)
		p.nfinobt += contents->chunks[i].freecount > 0;
	if (!shape_tree(&p, BT_INO, contents->nchunks) || !shape_tree(&p, BT_FINO, p.nfinobt))
		return false;
	*ret_plan = p;
	return true;
}

uint32_t mend_ag_inode_blocks(const struct geometry *geo, const struct ag_contents *contents)
{
	struct mend_plan p;

	return plan_inodes(geo, contents, &p) ? mend_plan_inode_blocks(&p) : 0;
}

int mend_ag_inode_trees(const struct geometry *geo, const struct ag_contents *contents, uint64_t *blocks,
			const struct ag_writer *writer)
{
	struct mend_plan p;

	if (!plan_inodes(geo, contents, &p))
		return -ENOSPC;
	p.blocks = blocks;
	p.nblocks = mend_plan_inode_blocks(&p);
	return mend_write_inodes(&p, writer);
}

static int stage(void *ctx, const void *bytes, uint64_t offset, size_t len)
{
	return mend_write(ctx, bytes, offset, len);
}

struct ag_writer mend_writer(struct mend *m)
{
	return (struct ag_writer){ stage, m };
}
