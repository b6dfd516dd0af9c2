/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the forks of an inode (ondisk 05): inline contents at once, extents one by one, and the bmbt block by block.
 * Passes blocks of extents, when they arrive, to the walk_*.c for their kind.
 */

#include "ahead.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/dir.h"
#include "libxfs/object.h"
#include "map_sums.h"
#include "walk.h"
#include "sets/number_set.h"

#define STATE_BYTES 256u /* the start of struct dir_state and attr_state, which every block changes */

struct bmbt_want {
	struct want want;
	struct inflight *inflight;
	enum fork fork;
	struct btree_expect expect;
};

struct fork_visit {
	struct walker *w;
	struct inflight *inflight;
	enum fork fork;
	enum btree_kind kind;
	struct extent_sums sums;
	struct map_sums map;
};

/* Returns the number of blocks up to the end of the file. */
static uint64_t size_blocks(const struct walker *w, const struct inflight *inflight)
{
	return blocks_of_bytes(w->t->geo, inflight->size);
}

static void extent_found(void *ctx, const struct bmap_record *record)
{
	struct fork_visit *visit = ctx;

	walk_extent(visit->w, visit->inflight, visit->fork, record, &visit->sums);
	if (visit->w->t->scope.maps)
		map_sums_add(&visit->map, record, size_blocks(visit->w, visit->inflight));
}

static void bmap_record_found(void *ctx, const union btree_record *record, uint32_t index)
{
	(void)index;
	extent_found(ctx, &record->bmap);
}

static void rt_record_found(void *ctx, const union btree_record *record, uint32_t index)
{
	struct fork_visit *visit = ctx;

	(void)index;
	visit->sums.rt_mapped += walk_rt_record(visit->w, visit->inflight, visit->kind, record);
}

/*
 * Notes that a part of the extent map is lost: the blocks that it maps, and their contents, are unknown.  expect: the
 * lost block; NULL: the whole map of the fork.
 */
static void claims_gap(struct walker *w, struct inflight *inflight, enum fork fork, const struct btree_expect *expect)
{
	const struct sink *sink = &w->t->sink;

	if (inflight->dir)
		inflight->dir->data_bad = true;
	if (w->t->scope.contents && !inflight->rt)
		sink_tell(sink, unmapped, w->worker, inflight->ino, fork,
			  expect && expect->has_low ? expect->low.k[0] : 0,
			  expect && expect->has_bound ? expect->bound.k[0] : UINT64_MAX);
	inflight_gap(w, inflight);
	walk_gap(w, inflight->ino, inflight->rt ? GAP_CLAIMS | GAP_RTFILE : GAP_CLAIMS);
}

/* Notes that a btree block of a fork is lost.  here: its address is known, and it has been claimed.  Under lock. */
static void block_gap(struct walker *w, struct inflight *inflight, enum fork fork, const struct btree_expect *expect,
		      bool here)
{
	if (btree_is_rt(expect->kind))
		walk_tree_gap_at(w, expect, false);
	if (expect->kind == BT_BMAP || expect->level > 0 || !here)
		claims_gap(w, inflight, fork, expect);
	else
		inflight_gap(w, inflight);
}

/*
 * True if the leaves of a directory's bmbt must be read early.  The last leaf maps the hash index.  As leaves split
 * while the directory grows, that leaf is the newest block, but the hash index is as old as the directory.  If the leaf
 * were read in the order of addresses, the hash index would already be behind it.  A few leaves are hardly newer than
 * the blocks that they map, and not worth the seek there and back.
 */
#define FEW_LEAVES 4u

static bool leads_to_blocks_behind(const struct fork_visit *visit)
{
	const struct inflight *inflight = visit->inflight;
	uint64_t fit =
		visit->w->t->geo->block_size / sizeof(struct bmbt_rec_disk); /* about as many as fit into one leaf */

	return visit->fork == DATA_FORK && inflight->ftype == FT_DIR &&
	       inflight->fork[DATA_FORK].expected > FEW_LEAVES * fit && visit->w->t->scope.names;
}

static void bmbt_child_found(void *ctx, const struct btree_expect *child)
{
	struct fork_visit *visit = ctx;
	struct walker *w = visit->w;
	struct inflight *inflight = visit->inflight;
	struct bmbt_want *want;
	uint8_t flags = RMAP_BMBT | (visit->fork == ATTR_FORK ? RMAP_ATTR : 0);
	bool may, locked;

	locked = inflight_lock(inflight);
	may = tree_may_descend(w, &inflight->fork[visit->fork].bmbt, child->keys_ok);
	if (!may)
		block_gap(w, inflight, visit->fork, child, false);
	inflight_unlock(inflight, locked);
	want = may ? walk_want(w, sizeof(*want)) : NULL;
	if (!want)
		return;
	want->inflight = inflight;
	want->fork = visit->fork;
	want->expect = *child;
	want->want.item.early = leads_to_blocks_behind(visit);
	visit->sums.blocks++;
	inflight_get(inflight);
	walk_claim(w, &(struct blocks){ group_of_ag(child->agno), { child->agbno.v }, 1 }, inflight->ino.v, 0, flags,
		   true);
	walk_post(w, &want->want, WANT_BMBT, child->agno, daddr_of(w->t->geo, child->agno, child->agbno),
		  w->t->geo->block_size, w->t->geo->block_size);
}

static void child_lost(void *ctx, const struct btree_expect *child)
{
	struct fork_visit *visit = ctx;
	bool locked = inflight_lock(visit->inflight);

	visit->inflight->fork[visit->fork].bmbt.gap = true;
	block_gap(visit->w, visit->inflight, visit->fork, child, false);
	inflight_unlock(visit->inflight, locked);
}

static void add_sums(struct fork_visit *visit)
{
	visit->inflight->fork[visit->fork].extents += visit->sums.extents;
	visit->inflight->blocks += visit->sums.blocks;
	visit->inflight->rtblocks += visit->sums.rtblocks;
	if (visit->inflight->rt)
		visit->inflight->rt->mapped += visit->sums.rt_mapped;
	if (visit->inflight->maps && visit->inflight->maps[visit->fork].wanted && visit->map.extents)
		map_leaves_add(visit->w, visit->inflight, visit->fork, &visit->map);
}

void walk_bmbt(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset)
{
	struct bmbt_want *bmbt = (struct bmbt_want *)want;
	struct inflight *inflight = bmbt->inflight;
	struct tree *tree = &inflight->fork[bmbt->fork].bmbt;
	fsbno_t fsbno = fsbno_of(w->t->geo, bmbt->expect.agno, bmbt->expect.agbno);
	enum btree_kind kind = bmbt->expect.kind;
	struct fork_visit visit = { .w = w, .inflight = inflight, .fork = bmbt->fork, .kind = kind };
	const struct btree_visitor visitor = { &visit, kind == BT_BMAP ? bmap_record_found : rt_record_found,
					       bmbt_child_found, child_lost };
	struct btree_block block;
	bool ok, locked;

	inflight_place(w, inflight, object_of_btree(kind), fsbno, NO_FILEOFF);
	bmbt->expect.rules = &inflight->rules[bmbt->fork];
	ok = walk_readable(w, offset, w->t->geo->block_size);
	if (ok)
		walk_seal(w, bytes, w->t->geo->block_size, offsetof(struct btree_long_disk, crc),
			  &((const struct btree_long_disk *)bytes)->owner);
	ok = ok && btree_decode(&w->check, bytes, &bmbt->expect, &visitor, &block);
	locked = inflight_lock(inflight);
	if (ok)
		tree_block_seen(w, tree, fsbno.v, &block);
	else
		tree->gap = true;
	if (!ok)
		block_gap(w, inflight, bmbt->fork, &bmbt->expect, true);
	add_sums(&visit);
	inflight_unlock(inflight, locked);
	inflight_put(w, inflight);
}

static void walk_btree_fork(struct walker *w, struct fork_visit *visit, const struct dinode_fork *fork)
{
	struct inflight *inflight = visit->inflight;
	struct inflight_fork *of = &inflight->fork[visit->fork];
	struct btree_expect root = { .kind = visit->kind,
				     .owner = inflight->ino.v,
				     .rules = &inflight->rules[visit->fork],
				     .rgno = inflight->rt ? inflight->rt->rgno : 0 };
	const struct btree_visitor visitor = { visit, visit->kind == BT_BMAP ? bmap_record_found : rt_record_found,
					       bmbt_child_found, child_lost };
	struct btree_block block;
	uint8_t level = 0;

	if (!bmdr_decode(&w->check, fork->bytes, fork->size, &root, &visitor, &block, &level)) {
		of->bmbt.gap = true;
		claims_gap(w, inflight, visit->fork, NULL);
		inflight->blocks_known = false;
		return;
	}
	of->levels = level;
}

/* True if the traversal needs this fork. */
static bool fork_wanted(const struct walker *w, const struct inflight *inflight, enum fork which)
{
	const struct scope *scope = &w->t->scope;

	if (scope->claims)
		return true;
	if (scope->contents)
		return !scope->contents_of || inflight->ftype == FT_DIR ||
		       scope->contents_of(scope->contents_ctx, inflight->ino);
	if (which == ATTR_FORK)
		return scope->pptrs && (!scope->pptrs_of || ino_set_has(scope->pptrs_of, inflight->ino));
	return scope->names && inflight->ftype == FT_DIR;
}

/* Returns the kind of the fork's btree; BT_BMAP also if it has none. */
static enum btree_kind kind_of(const struct inflight *inflight, const struct dinode_fork *fork)
{
	if (fork->format != FMT_META_BTREE || !inflight->rt)
		return BT_BMAP;
	return inflight->rt->metatype == METAFILE_RTRMAP ? BT_RTRMAP : BT_RTREFC;
}

/* Walks contents in the inode itself: a shortform directory or attributes, or the target of a symlink. */
static void walk_local(struct walker *w, struct inflight *inflight, enum fork which, const struct dinode_fork *fork)
{
	const struct sink *sink = &w->t->sink;

	if (which == ATTR_FORK)
		walk_attr_shortform(w, inflight, fork);
	else if (inflight->ftype == FT_DIR)
		walk_dir_shortform(w, inflight, fork);
	else if (symlink_local_check(&w->check, fork->bytes, fork->size, inflight->size) && w->t->scope.contents)
		sink_tell(sink, target, w->worker, inflight->ino, 0, fork->bytes, (uint32_t)inflight->size);
}

/* Prepares for keeping the totals of a bmbt's leaves. */
static void want_leaves(struct walker *w, struct inflight *inflight, enum fork which)
{
	if (!inflight->maps)
		inflight->maps = walk_alloc(w, 2 * sizeof(*inflight->maps));
	if (inflight->maps)
		inflight->maps[which].wanted = true;
}

/* Walks extents, inline or in a bmbt, or the records of a realtime btree. */
static void walk_map(struct walker *w, struct inflight *inflight, enum fork which, const struct dinode_fork *fork,
		     enum btree_kind kind)
{
	struct fork_visit visit = { .w = w, .inflight = inflight, .fork = which, .kind = kind };
	bool locked;

	if (which == ATTR_FORK && fork->nextents)
		inflight->attr = walk_alloc(w, sizeof(*inflight->attr));
	if (which == DATA_FORK && inflight->ftype == FT_DIR)
		inflight->dir = walk_alloc(w, sizeof(*inflight->dir));
	if (kind == BT_BMAP && fork->format != FMT_EXTENTS && w->t->scope.maps)
		want_leaves(w, inflight, which);
	if (fork->format == FMT_EXTENTS)
		bmap_inline_decode(&w->check, fork->bytes, fork->size, fork->nextents, &inflight->rules[which],
				   extent_found, &visit);
	else
		walk_btree_fork(w, &visit, fork);
	if (fork->format == FMT_EXTENTS && w->t->scope.maps)
		map_tell(w, inflight, which, &visit.map);
	if (!visit.sums.blocks && !visit.sums.rt_mapped)
		return;
	locked = inflight_lock(inflight);
	add_sums(&visit);
	inflight_unlock(inflight, locked);
}

void walk_fork(struct walker *w, struct inflight *inflight, enum fork which, const struct dinode_fork *fork)
{
	enum btree_kind kind = kind_of(inflight, fork);

	if (!fork->present || !fork_wanted(w, inflight, which))
		return;
	w->place = inflight->place;
	if (!fork->ok) {
		inflight->blocks_known = false;
		claims_gap(w, inflight, which, NULL);
		if (w->t->scope.maps)
			map_tell(w, inflight, which, &(struct map_sums){ 0 });
		return;
	}
	w->place.object = kind != BT_BMAP ? object_of_btree(kind) : which == DATA_FORK ? OBJ_DATA_FORK : OBJ_ATTR_FORK;
	if (fork->format == FMT_LOCAL)
		walk_local(w, inflight, which, fork);
	else if (fork->format != FMT_DEV)
		walk_map(w, inflight, which, fork, kind);
}

/* Returns the object of a block by its offset alone (ondisk 06), for findings about unreadable blocks. */
static enum object object_at(const struct geometry *geo, const struct inflight *inflight, enum fork fork,
			     uint64_t fileoff)
{
	if (fork == ATTR_FORK)
		return OBJ_ATTR_FORK;
	if (inflight->ftype == FT_SYMLINK)
		return OBJ_SYMLINK;
	if (inflight->rt)
		return walk_rt_object(inflight);
	if (inflight->is_quota)
		return OBJ_QUOTA_USER + inflight->quota;
	if (inflight->ftype != FT_DIR)
		return OBJ_DATA_FORK;
	if (fileoff >= DIR_FREE_OFFSET >> geo->block_log)
		return OBJ_DIR_FREE;
	return fileoff >= DIR_LEAF_OFFSET >> geo->block_log ? OBJ_DIR_LEAF : OBJ_DIR_DATA;
}

/* Walks one unit of a posted item: a directory block, a symlink's extent, or one fs block. */
static void unit_arrived(struct walker *w, const struct fork_want *want, const uint8_t *bytes, uint64_t offset,
			 uint32_t len)
{
	const struct geometry *geo = w->t->geo;
	struct inflight *inflight = want->inflight;
	uint64_t blocks = (offset - bytes_of_daddr(want->daddr)) >> geo->block_log;
	uint64_t fileoff = want->fileoff.v + blocks;
	xdaddr_t daddr = { offset >> SECTOR_LOG };
	bool locked;

	inflight_place(w, inflight, object_at(geo, inflight, want->fork, fileoff), (fsbno_t){ want->fsbno.v + blocks },
		       fileoff);
	if (!walk_readable(w, offset, len)) {
		locked = inflight_lock(inflight);
		if (inflight->dir)
			inflight->dir->data_bad = true;
		inflight_gap(w, inflight);
		inflight_unlock(inflight, locked);
		if (want->fork == ATTR_FORK)
			walk_attr_lost(w, inflight, fileoff);
		if (inflight->rt)
			walk_rt_block_lost(w, inflight, fileoff);
		return;
	}
	if (want->fork == ATTR_FORK)
		walk_attr_block(w, inflight, bytes, daddr, fileoff);
	else if (inflight->ftype == FT_DIR)
		walk_dir_block(w, inflight, bytes, daddr, fileoff);
	else if (inflight->is_quota)
		walk_quota_block(w, inflight, bytes, fileoff);
	else if (inflight->rt)
		walk_rt_block(w, inflight, bytes, daddr, fileoff);
	else
		walk_symlink_block(w, inflight, bytes, len, daddr, fileoff);
}

void walk_fork_ahead(const struct want *want, bool sooner)
{
	bool map = want->kind == WANT_BMBT;
	const struct fork_want *fork = (const struct fork_want *)want;
	const struct inflight *inflight = map ? ((const struct bmbt_want *)want)->inflight : fork->inflight;
	const void *state;

	if (!sooner) {
		ahead_fetch((const uint8_t *)inflight, sizeof(*inflight));
		return;
	}
	if (map)
		return;
	state = fork->fork == ATTR_FORK ? (const void *)inflight->attr : (const void *)inflight->dir;
	if (state)
		ahead_fetch(state, STATE_BYTES);
}

void walk_fork_blocks(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len,
		      bool last)
{
	const struct fork_want *fork = (const struct fork_want *)want;
	uint32_t unit = want->item.unit;

	for (uint32_t done = 0; done < len; done += unit)
		unit_arrived(w, fork, bytes + done, offset + done, unit);
	if (last)
		inflight_put(w, fork->inflight);
}

void walk_part(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last)
{
	const struct geometry *geo = w->t->geo;
	const struct fork_want *part = (const struct fork_want *)want;
	struct inflight *inflight = part->inflight;
	struct assembly *a = part->assembly;
	uint64_t fileoff = part->fileoff.v + ((offset - bytes_of_daddr(part->daddr)) >> geo->block_log);
	uint8_t *complete = NULL;
	bool readable, locked;

	inflight_place(w, inflight, object_at(geo, inflight, DATA_FORK, fileoff), part->fsbno, fileoff);
	readable = walk_readable(w, offset, len);
	locked = inflight_lock(inflight);
	if (readable)
		complete = assembly_add(w, inflight, a, fileoff, bytes, len);
	else
		inflight_gap(w, inflight);
	if (!readable && inflight->dir)
		inflight->dir->data_bad = true;
	inflight_unlock(inflight, locked);
	if (complete) {
		w->place.fileoff.v = a->db_start;
		walk_dir_block(w, inflight, complete, a->daddr, a->db_start);
		assembly_done(w, complete);
	}
	if (last)
		inflight_put(w, inflight);
}
