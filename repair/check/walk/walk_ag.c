/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks AG headers and the six btrees of an AG (ondisk 02, 03).  Fills struct ag_state: the headers, sums over the
 * trees, and the shared ranges.
 */
#include <stdlib.h>

#include "disk/agi.h"
#include "disk/btree.h"
#include "libxfs/crc.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "samples.h"
#include "walk.h"

struct headers_want {
	struct want want;
	agno_t agno;
};

struct freelist_want {
	struct want want;
	agno_t agno;
	agbno_t agbno;
};

/* owners of the blocks of btrees in the rmapbt */
static const uint64_t tree_owner[BT_AG_NR] = {
	[BT_BNO] = OWNER_AG,	 [BT_CNT] = OWNER_AG,  [BT_INO] = OWNER_INOBT,
	[BT_FINO] = OWNER_INOBT, [BT_RMAP] = OWNER_AG, [BT_REFC] = OWNER_REFC,
};

void walk_headers_post(struct walker *w, agno_t agno)
{
	struct headers_want *want = walk_want(w, sizeof(*want));
	uint32_t len = AG_SECTORS * w->t->geo->sector_size;

	if (!want)
		return;
	want->agno = agno;
	want->want.item.early = true;
	walk_post(w, &want->want, WANT_HEADERS, agno, daddr_of(w->t->geo, agno, (agbno_t){ 0 }), len, len);
}

/* Passes the heads of the AGI's unlinked lists to the sink. */
static void unlinked_heads(struct walker *w, agno_t agno)
{
	const struct agi *agi = &w->t->ags[agno.v].agi;

	for (unsigned i = 0; i < AGI_UNLINKED_BUCKETS; i++)
		if (agi->unlinked[i].v != NULL_AGINO)
			sink_tell(&w->t->sink, unlinked, w->worker, agno, agi->unlinked[i]);
}

struct freelist {
	struct walker *w;
	agno_t agno;
};

static void freelist_block(void *ctx, agbno_t agbno)
{
	const struct freelist *list = ctx;
	const struct geometry *geo = list->w->t->geo;
	struct freelist_want *want;

	walk_claim_special(list->w, OBJ_AGFL, list->agno, agbno, 1, OWNER_AG);
	if (!geo->crc || !list->w->t->scope.judge)
		return;
	want = walk_want(list->w, sizeof(*want));
	if (!want)
		return;
	want->agno = list->agno;
	want->agbno = agbno;
	walk_post(list->w, &want->want, WANT_FREELIST, list->agno, daddr_of(geo, list->agno, agbno), SECTOR_SIZE,
		  SECTOR_SIZE);
}

void walk_freelist(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset)
{
	const struct freelist_want *block = (struct freelist_want *)want;
	const lsn_t lsn = log_stamp_beyond(w->t->geo, bytes);
	uint64_t bad, bad_len;

	/* the kernel writes such a block without reading it, so an unreadable one is not damage */
	if (lsn.v == NULL_LSN || device_unreadable(w->t->device, offset, SECTOR_SIZE, &bad, &bad_len))
		return;
	w->place = place_of(OBJ_AGFL);
	w->place.agno = block->agno;
	walk_problem(w, F_AGFL_LSN, block->agbno.v, lsn.v, w->t->geo->head_lsn.v);
}

/* Makes a header sector the place of findings; true if it is readable. */
static bool at_header(struct walker *w, enum object object, agno_t agno, uint64_t offset)
{
	w->place = place_of(object);
	w->place.agno = agno;
	w->totals.metadata_blocks++;
	return walk_readable(w, offset, w->t->geo->sector_size);
}

void walk_headers(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset)
{
	const struct geometry *geo = w->t->geo;
	agno_t agno = ((struct headers_want *)want)->agno;
	struct ag_state *ag = &w->t->ags[agno.v];
	size_t sector = geo->sector_size;
	struct freelist list = { w, agno };

	for (unsigned i = 0; i < AG_SECTORS; i++)
		ag->headers_crc[i] = samples_crc(bytes + i * sector, (uint32_t)sector);
	/* the primary superblock was checked in phase superblock */
	if (at_header(w, OBJ_SUPERBLOCK, agno, offset) && agno.v > 0)
		sb_check_secondary(&w->check, bytes, w->t->primary, agno);
	if (at_header(w, OBJ_AGF, agno, offset + AGF_SECTOR * sector))
		ag->have_agf = agf_decode(&w->check, bytes + AGF_SECTOR * sector, agno, &ag->agf);
	if (at_header(w, OBJ_AGI, agno, offset + AGI_SECTOR * sector))
		ag->have_agi = agi_decode(&w->check, bytes + AGI_SECTOR * sector, agno, &ag->agi);
	/* if the AGF is damaged, the active slots are unknown, but the rest of the AGFL can be checked */
	if (at_header(w, OBJ_AGFL, agno, offset + AGFL_SECTOR * sector))
		ag->have_agfl =
			agfl_decode(&w->check, bytes + AGFL_SECTOR * sector, agno, &ag->agf, freelist_block, &list) &&
			ag->have_agf;
	if (!ag->have_agf || !ag->have_agi || !ag->have_agfl)
		walk_incomplete(w);
	walk_claim_special(w, OBJ_AG, agno, (agbno_t){ 0 }, geo->first_data_agbno, OWNER_FS);
	if (ag->have_agi)
		unlinked_heads(w, agno);
	if (w->t->scope.claims || w->t->scope.trees)
		walk_tree_start(w, agno, BT_REFC);
	__atomic_fetch_add(&w->t->groups_done, 1, __ATOMIC_RELAXED);
}

static void post_block(struct walker *w, const struct btree_expect *expect)
{
	walk_claim_special(w, object_of_btree(expect->kind), expect->agno, expect->agbno, 1, tree_owner[expect->kind]);
	walk_btree_wanted(w, expect);
}

static bool in_agi(enum btree_kind kind)
{
	return kind == BT_INO || kind == BT_FINO;
}

bool walk_tree_exists(const struct geometry *geo, enum btree_kind kind)
{
	return (kind != BT_FINO || geo->finobt) && (kind != BT_RMAP || geo->rmapbt) &&
	       (kind != BT_REFC || geo->reflink);
}

/* Notes a block that can't be read.  claims: its claim, or the claims of blocks below it, are missing. */
static void subtree_lost(struct walker *w, struct tree *tree, const struct btree_expect *expect, bool claims)
{
	tree->gap = true;
	tree->cut |= claims;
	walk_tree_gap_at(w, expect, claims);
}

void walk_tree_start(struct walker *w, agno_t agno, enum btree_kind kind)
{
	struct ag_state *ag = &w->t->ags[agno.v];
	bool usable = in_agi(kind) ? ag->have_agi && ag->agi.root_ok[kind] : ag->have_agf && ag->agf.root_ok[kind];
	struct btree_expect root = { .kind = kind, .agno = agno, .owner = agno.v, .root = true, .unsure = true };
	struct tree *tree = &ag->tree[kind];

	if (!walk_tree_exists(w->t->geo, kind))
		return;
	tree->limit = ag_length(w->t->geo, agno);
	if (!usable) {
		subtree_lost(w, tree, &root, true);
		return;
	}
	tree->blocks = 1;
	root.agbno = in_agi(kind) ? ag->agi.root[kind] : ag->agf.root[kind];
	root.level = (uint8_t)((in_agi(kind) ? ag->agi.level[kind] : ag->agf.level[kind]) - 1);
	post_block(w, &root);
}

struct block_visit {
	struct walker *w;
	const struct btree_expect *expect;
	struct ag_state *ag;
	bool unsure; /* the block has a wrong checksum; set only for accounts of contents */
};

/* False: the inobt has more inodes than fit into the AG, for example in a loop, and this chunk must not be read. */
static bool may_have_chunk(struct walker *w, agno_t agno, struct ag_state *ag, const struct inobt_record *chunk)
{
	uint64_t most = (uint64_t)ag_length(w->t->geo, agno) << w->t->geo->inopb_log;

	if (ag->inodes + chunk->count <= most)
		return true;
	if (!ag->too_many_inodes)
		walk_problem(w, F_INOBT_TOO_MANY, NO_INDEX, 0, most);
	ag->too_many_inodes = true;
	walk_incomplete(w);
	return false;
}

static void ag_record_found(void *ctx, const union btree_record *record, uint32_t index)
{
	const struct block_visit *visit = ctx;
	struct walker *w = visit->w;
	const struct sink *sink = &w->t->sink;
	enum btree_kind kind = visit->expect->kind;
	agno_t agno = visit->expect->agno;
	struct ag_state *ag = visit->ag;
	struct blocks free;

	(void)index;
	switch (kind) {
	case BT_BNO:
		ag->free_blocks += record->alloc.len;
		if (record->alloc.len > ag->longest)
			ag->longest = record->alloc.len;
		/* fall through */
	case BT_CNT:
		free = (struct blocks){ group_of_ag(agno), { record->alloc.start.v }, record->alloc.len };
		sink_tell(sink, free_extent, w->worker, kind, &free);
		break;
	case BT_INO:
		if (!may_have_chunk(w, agno, ag, &record->inobt))
			break;
		ag->inodes += record->inobt.count;
		ag->free_inodes += record->inobt.freecount;
		if (!w->t->scope.shallow)
			walk_chunk_found(w, agno, &record->inobt, visit->unsure);
		/* fall through */
	case BT_FINO:
		sink_tell(sink, chunk, w->worker, kind, agno, &record->inobt);
		break;
	case BT_REFC:
		sink_tell(sink, refcount, w->worker, group_of_ag(agno), &record->refcount);
		ag->staged += record->refcount.cow ? record->refcount.len : 0;
		walk_shared(w, group_of_ag(agno), &record->refcount);
		break;
	default:
		break;
	}
}

/* A separate function, since these are the most frequent records and need the least work. */
static void rmap_found(void *ctx, const union btree_record *record, uint32_t index)
{
	const struct block_visit *visit = ctx;
	const struct sink *sink = &visit->w->t->sink;

	(void)index;
	sink_tell(sink, rmap, visit->w->worker, group_of_ag(visit->expect->agno), &record->rmap);
}

static void ag_child_found(void *ctx, const struct btree_expect *child)
{
	const struct block_visit *visit = ctx;
	struct tree *tree = &visit->ag->tree[child->kind];

	if (tree_may_descend(visit->w, tree, child->keys_ok))
		post_block(visit->w, child);
	else
		subtree_lost(visit->w, tree, child, true);
}

static void child_lost(void *ctx, const struct btree_expect *child)
{
	const struct block_visit *visit = ctx;

	subtree_lost(visit->w, &visit->ag->tree[child->kind], child, true);
}

/* True if this is the root that the header points to, whose level may differ from the header's. */
static bool is_root(const struct ag_state *ag, const struct btree_expect *expect)
{
	agbno_t root = in_agi(expect->kind) ? ag->agi.root[expect->kind] : ag->agf.root[expect->kind];

	return expect->unsure && expect->agbno.v == root.v;
}

static void at_tree_header(struct walker *w, const struct btree_expect *root)
{
	w->place = place_of(in_agi(root->kind) ? OBJ_AGI : OBJ_AGF);
	w->place.agno = root->agno;
}

/* Takes the tree's height from the decoded root, and reports a header whose height is possible but wrong. */
static void root_decoded(struct walker *w, struct ag_state *ag, const struct btree_expect *root, uint8_t level)
{
	uint32_t *height = in_agi(root->kind) ? &ag->agi.level[root->kind] : &ag->agf.level[root->kind];
	uint32_t said = *height;

	*height = level + 1u;
	if (said == *height || said < 1 || said > w->t->geo->btree[root->kind].max_level)
		return;
	at_tree_header(w, root);
	walk_problem(w, F_BTREE_HEIGHT, said, *height, object_of_btree(root->kind));
}

static void look_at_block(struct walker *w, const struct btree_expect *expect, const uint8_t *bytes, uint64_t offset)
{
	struct ag_state *ag = &w->t->ags[expect->agno.v];
	struct tree *tree = &ag->tree[expect->kind];
	const struct geometry *geo = w->t->geo;
	struct block_visit visit = { .w = w, .expect = expect, .ag = ag };
	const struct btree_visitor visitor = { &visit, expect->kind == BT_RMAP ? rmap_found : ag_record_found,
					       ag_child_found, child_lost };
	struct btree_block block;

	w->place = place_of(object_of_btree(expect->kind));
	w->place.agno = expect->agno;
	w->place.agbno = expect->agbno;
	visit.unsure = w->t->scope.contents && geo->crc &&
		       !crc_is_right(bytes, geo->block_size, offsetof(struct btree_short_disk, crc));
	if (walk_readable(w, offset, geo->block_size)) {
		if (btree_decode(&w->check, bytes, expect, &visitor, &block)) {
			tree_block_seen(w, tree, expect->agbno.v, &block);
			if (is_root(ag, expect))
				root_decoded(w, ag, expect, block.level);
			return;
		}
		if (is_root(ag,
			    expect)) { /* the block has been reported, but the header's pointer may be the wrong one */
			at_tree_header(w, expect);
			walk_problem(w, F_BTREE_ROOT, NO_INDEX, expect->agbno.v, object_of_btree(expect->kind));
		}
	}
	subtree_lost(w, tree, expect, expect->level > 0);
}

void walk_btree(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset)
{
	const struct btree_expect *expect = &((struct btree_want *)want)->expect;

	look_at_block(w, expect, bytes, offset);
	if (expect->kind == BT_INO) /* if it had no chunk, nothing else would post the next leaf */
		walk_inobt_more(w, expect->agno, 0);
}
