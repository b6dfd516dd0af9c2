/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits the btrees of an AG in place, if they are intact and only few records have to change.  The free list stays as
 * it is, and only the counters of the headers change.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "check/walk/walk.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_survey.h"
#include "mend_chunks.h"
#include "mend_plan.h"
#include "repair.h"
#include "tree_edit.h"

/* The new records of a btree; its kind determines which member is used. */
struct wanted {
	enum btree_kind kind;
	const struct alloc_record *free;
	const struct use *rmaps;
	const struct refcount_record *refcounts;
	const struct inobt_record *chunks;
	uint64_t count;
};

static void source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	const struct wanted *w = ctx;

	switch (w->kind) {
	case BT_RMAP:
		ret_record->rmap = ag_rmap_of(&w->rmaps[index]);
		break;
	case BT_REFC:
		ret_record->refcount = w->refcounts[index];
		break;
	case BT_INO:
	case BT_FINO:
		ret_record->inobt = w->chunks[index];
		break;
	default:
		ret_record->alloc = w->free[index];
	}
}

/* ---- space ---- */

struct space_edit {
	struct mend *m;
	struct ag_contents *contents;
	struct agf agf; /* old, then new */
	struct tree_edit tree[BT_AG_NR];
	struct use *own; /* claims on the blocks of the btrees and the free list */
	size_t nown, own_room;
	size_t nclaims; /* contents->nclaims, including `own` */
	struct ag_records records;
	struct alloc_record *by_size; /* records.free in cntbt order */
	int error;
};

static const enum btree_kind space_trees[] = { BT_BNO, BT_CNT, BT_RMAP, BT_REFC };
#define SPACE_TREES (sizeof(space_trees) / sizeof(space_trees[0]))

static void add_own(struct space_edit *s, agbno_t agbno, uint64_t owner)
{
	const struct use use = { .start = agbno.v, .len = 1, .owner = owner, .group = s->contents->agno.v };

	if (!s->error)
		s->error = array_add(s->own, s->own_room, s->nown, use);
}

static void add_free(void *ctx, agbno_t agbno)
{
	add_own(ctx, agbno, OWNER_AG);
}

/* Reads the headers. 0, -EINVAL or -ENOMEM. */
static int open_headers(struct space_edit *s)
{
	const struct geometry *geo = &s->m->now->geo;
	const agno_t agno = s->contents->agno;
	uint8_t *sector = malloc(geo->sector_size);
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);
	bool sound;

	if (!sector)
		return -ENOMEM;
	sound = !mend_read(s->m, sector, ag_sector_offset(geo, agno, AGF_SECTOR), geo->sector_size) &&
		agf_decode(&check, sector, agno, &s->agf) &&
		!mend_read(s->m, sector, ag_sector_offset(geo, agno, AGFL_SECTOR), geo->sector_size) &&
		agfl_decode(&check, sector, agno, &s->agf, add_free, s) && !problems;
	free(sector);
	return sound ? s->error : -EINVAL;
}

/* Reads the nodes of the btrees. 0, -EINVAL or -ENOMEM. */
static int open_trees(struct space_edit *s)
{
	int ret = 0;

	for (size_t i = 0; i < SPACE_TREES && !ret; i++) {
		const enum btree_kind kind = space_trees[i];
		struct tree_edit *tree = &s->tree[kind];

		if (!walk_tree_exists(&s->m->now->geo, kind))
			continue;
		ret = tree_edit_open(tree, s->m, kind, s->contents->agno, s->agf.root[kind], s->agf.level[kind]);
		for (uint32_t level = 0; level < tree->levels && !ret; level++)
			for (size_t k = 0; k < tree->level[level].count; k++)
				add_own(s, tree->level[level].v[k].at.agbno, kind == BT_REFC ? OWNER_REFC : OWNER_AG);
		ret = ret ? ret : s->error;
	}
	return ret;
}

/* Derives the records of all btrees, whose own blocks stay. 0, an error of ag_records_derive(), or -EINVAL. */
static int derive(struct space_edit *s)
{
	struct ag_contents *c = s->contents;
	uint64_t collision;
	int ret;

	/* these replace those found by the last traversal; their number is equal, unless more is wrong */
	if (s->nown > c->nold)
		return -EINVAL;
	memcpy(c->claims + c->nclaims, s->own, s->nown * sizeof(*s->own));
	s->nclaims = c->nclaims + s->nown;
	ret = ag_records_derive(&s->m->now->geo, group_of_ag(c->agno), c->claims, &s->nclaims, &s->records, &collision);
	if (ret)
		return ret;
	s->by_size = alloc_by_size(s->records.free, s->records.nfree);
	return s->by_size ? 0 : -ENOMEM;
}

/* Computes the changes to the btrees. 0, or an error of tree_edit_make(). */
static int make_trees(struct space_edit *s)
{
	const struct ag_records *r = &s->records;
	int ret = 0;

	for (size_t i = 0; i < SPACE_TREES && !ret; i++) {
		struct wanted w = { .kind = space_trees[i],
				    .free = space_trees[i] == BT_CNT ? s->by_size : r->free,
				    .rmaps = r->rmaps,
				    .refcounts = r->refcounts };

		w.count = w.kind == BT_RMAP ? r->nrmaps : w.kind == BT_REFC ? r->nrefcounts : r->nfree;
		if (walk_tree_exists(&s->m->now->geo, w.kind))
			ret = tree_edit_make(&s->tree[w.kind], source, &w, w.count);
	}
	return ret;
}

/* Stages the btrees, and the AGF if its counters were wrong. 0 or negative errno. */
static int stage(struct space_edit *s)
{
	const struct ag_writer writer = mend_writer(s->m);
	struct agf agf = s->agf;
	int ret = 0;

	agf.freeblks = agf.longest = 0;
	for (size_t i = 0; i < s->records.nfree; i++) {
		agf.freeblks += s->records.free[i].len;
		if (agf.longest < s->records.free[i].len)
			agf.longest = s->records.free[i].len;
	}
	agf.btreeblks = (uint32_t)(s->tree[BT_BNO].blocks - 1 + s->tree[BT_CNT].blocks - 1);
	if (s->m->now->geo.rmapbt)
		agf.btreeblks += (uint32_t)(s->tree[BT_RMAP].blocks - 1);
	agf.rmap_blocks = (uint32_t)s->tree[BT_RMAP].blocks;
	agf.refcount_blocks = (uint32_t)s->tree[BT_REFC].blocks;
	for (size_t i = 0; i < SPACE_TREES && !ret; i++)
		ret = tree_edit_stage(&s->tree[space_trees[i]]);
	if (!ret &&
	    (agf.freeblks != s->agf.freeblks || agf.longest != s->agf.longest || agf.btreeblks != s->agf.btreeblks ||
	     agf.rmap_blocks != s->agf.rmap_blocks || agf.refcount_blocks != s->agf.refcount_blocks))
		ret = mend_agf_header(&s->m->now->geo, s->contents->agno, &agf, &writer);
	s->agf = agf;
	return ret;
}

/* Moves the claims of the btrees and the free list apart again, as mend_ag() needs them. */
static void restore(struct ag_contents *c, size_t nclaims, const struct use *old)
{
	size_t others = 0;

	for (size_t i = 0; i < nclaims; i++)
		if (c->claims[i].owner != OWNER_AG && c->claims[i].owner != OWNER_REFC)
			c->claims[others++] = c->claims[i];
	memcpy(c->claims + others, old, c->nold * sizeof(*old));
	c->nclaims = others;
	c->old = c->claims + others;
}

int mend_ag_edit(struct mend *m, struct ag_contents *contents, struct ag_mended *ret_mended)
{
	struct space_edit s = { .m = m, .contents = contents };
	struct use *old = calloc(contents->nold + 1, sizeof(*old));
	int ret = old ? open_headers(&s) : -ENOMEM;

	if (!ret)
		ret = open_trees(&s);
	if (!ret) {
		memcpy(old, contents->old, contents->nold * sizeof(*old));
		ret = derive(&s);
		if (!ret)
			ret = make_trees(&s);
		if (ret && s.nclaims)
			restore(contents, s.nclaims, old);
	}
	if (!ret) {
		contents->nclaims = s.nclaims;
		contents->nold = 0;
		ret = stage(&s);
	}
	if (!ret)
		*ret_mended = (struct ag_mended){ .agf = s.agf, .agi = contents->agi };
	for (size_t i = 0; i < SPACE_TREES; i++)
		tree_edit_free(&s.tree[space_trees[i]]);
	ag_records_free(&s.records);
	free(s.by_size);
	free(s.own);
	free(old);
	return ret;
}

/* ---- inodes ---- */

/* Returns the chunks with free inodes, for the caller to free; NULL: no memory. */
static struct inobt_record *with_free_inodes(const struct ag_contents *c, uint64_t *ret_count)
{
	struct inobt_record *v = calloc(c->nchunks + 1, sizeof(*v));
	uint64_t n = 0;

	for (size_t i = 0; v && i < c->nchunks; i++)
		if (c->chunks[i].freecount)
			v[n++] = c->chunks[i];
	*ret_count = n;
	return v;
}

/* Reads the AGI. 0, -EINVAL if it has any error, or -ENOMEM. */
static int read_agi(struct mend *m, agno_t agno, struct agi *ret_agi)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *sector = malloc(geo->sector_size);
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);
	bool sound;

	if (!sector)
		return -ENOMEM;
	sound = !mend_read(m, sector, ag_sector_offset(geo, agno, AGI_SECTOR), geo->sector_size) &&
		agi_decode(&check, sector, agno, ret_agi) && !problems;
	free(sector);
	return sound ? 0 : -EINVAL;
}

static int stage_inodes(struct mend *m, const struct ag_contents *c, const struct tree_edit *trees,
			const struct agi *before)
{
	const struct ag_writer writer = mend_writer(m);
	struct agi agi = *before;
	int ret = tree_edit_stage(&trees[0]);

	if (!ret)
		ret = tree_edit_stage(&trees[1]);
	mend_count_inodes(c, &agi);
	agi.iblocks = (uint32_t)trees[0].blocks;
	agi.fblocks = (uint32_t)trees[1].blocks;
	if (!ret && (agi.count != before->count || agi.freecount != before->freecount ||
		     (m->now->geo.inobtcnt && (agi.iblocks != before->iblocks || agi.fblocks != before->fblocks))))
		ret = mend_agi_header(&m->now->geo, c->agno, &agi, &writer);
	return ret;
}

/* True if nothing else claims the blocks of the btree. taken: blocks of inode chunks. */
static bool has_own_blocks(const struct tree_edit *tree, const struct survey_ag *maps, const struct block_map *taken)
{
	for (uint32_t level = 0; level < tree->levels; level++) {
		for (size_t i = 0; i < tree->level[level].count; i++) {
			const uint64_t block = tree->level[level].v[i].at.agbno.v;

			if (!block_map_get(&maps->claimed, block) || block_map_get(&maps->again, block) ||
			    block_map_get(&maps->others, block) || block_map_get(taken, block))
				return false;
		}
	}
	return true;
}

/* Reads the nodes of both btrees. 0, -EINVAL or -ENOMEM. */
static int open_inode_trees(struct mend *m, const struct ag_contents *c, const struct survey_ag *maps,
			    const struct agi *agi, struct tree_edit *trees)
{
	const struct geometry *geo = &m->now->geo;
	struct block_map taken;
	int ret = block_map_new(&taken, 0, ag_length(geo, c->agno));

	for (size_t i = 0; i < c->nchunks && !ret; i++)
		mend_chunks_mark(geo, &c->chunks[i], &taken, true);
	for (unsigned i = 0; i < 2 && !ret; i++) {
		const enum btree_kind kind = i ? BT_FINO : BT_INO;

		if (!walk_tree_exists(geo, kind))
			continue;
		ret = tree_edit_open(&trees[i], m, kind, c->agno, agi->root[kind], agi->level[kind]);
		if (!ret && !has_own_blocks(&trees[i], maps, &taken))
			ret = -EINVAL;
	}
	block_map_free(&taken);
	return ret;
}

int mend_ag_edit_inodes(struct mend *m, const struct ag_contents *c, const struct survey_ag *maps)
{
	const bool finobt = m->now->geo.finobt;
	struct tree_edit trees[2] = { { 0 }, { 0 } };
	struct wanted all = { .kind = BT_INO, .chunks = c->chunks, .count = c->nchunks };
	struct wanted with_free = { .kind = BT_FINO };
	struct inobt_record *chunks = with_free_inodes(c, &with_free.count);
	struct agi agi;
	int ret = !chunks ? -ENOMEM : maps ? read_agi(m, c->agno, &agi) : -EINVAL;

	with_free.chunks = chunks;
	if (!ret)
		ret = open_inode_trees(m, c, maps, &agi, trees);
	if (!ret)
		ret = tree_edit_make(&trees[0], source, &all, all.count);
	if (!ret && finobt)
		ret = tree_edit_make(&trees[1], source, &with_free, with_free.count);
	if (!ret)
		ret = stage_inodes(m, c, trees, &agi);
	tree_edit_free(&trees[0]);
	tree_edit_free(&trees[1]);
	free(chunks);
	return ret;
}
