/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gaps: metadata that the first traversal could not read or decode, and the differences that gaps may explain.  If a
 * part of a btree is lost, keys show which records are missing, so it explains no differences about other records.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/refcountbt.h"
#include "locate.h"
#include "repair.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

static struct tree_gap whole_tree(group_t group, enum btree_kind kind)
{
	return (struct tree_gap){
		.group = group, .kind = kind, .to = { { UINT64_MAX, UINT64_MAX, UINT64_MAX } }, .claims = true
	};
}

static bool tree_exists(const struct geometry *geo, group_t group, enum btree_kind kind)
{
	bool rt = group_is_rt(geo, group);

	switch (kind) {
	case BT_RMAP:
		return geo->rmapbt && (!rt || geo->metadir);
	case BT_REFC:
		return geo->reflink && (!rt || geo->metadir);
	default:
		return true;
	}
}

static const struct walker *walker_of(const struct locate *l, unsigned i)
{
	return l->rc->traverse->walkers[i];
}

static int find_inodes(struct locate *l)
{
	const struct traverse *t = l->rc->traverse;
	struct locate_gaps *gaps = &l->gaps;
	size_t total = 0, n = 0;

	for (unsigned i = 0; i < t->nwalkers; i++)
		total += walker_of(l, i)->ngaps;
	gaps->inodes = calloc(total + 1, sizeof(*gaps->inodes));
	if (!gaps->inodes)
		return -ENOMEM;
	for (unsigned i = 0; i < t->nwalkers; i++)
		for (size_t j = 0; j < walker_of(l, i)->ngaps; j++)
			gaps->inodes[n++] = walker_of(l, i)->gaps[j];
	ordered_sort(gaps->inodes, n, MEMBERS(MEMBER(gaps->inodes, ino)));
	for (size_t i = 0; i < n; i++) {
		gaps->any_claims |= gaps->inodes[i].what & GAP_CLAIMS;
		if (gaps->ninodes && gaps->inodes[gaps->ninodes - 1].ino.v == gaps->inodes[i].ino.v)
			gaps->inodes[gaps->ninodes - 1].what |= gaps->inodes[i].what;
		else
			gaps->inodes[gaps->ninodes++] = gaps->inodes[i];
	}
	return 0;
}

static int find_blind(struct locate *l)
{
	const struct traverse *t = l->rc->traverse;
	struct locate_gaps *gaps = &l->gaps;

	gaps->blind = calloc(t->geo->agcount, sizeof(*gaps->blind));
	if (!gaps->blind)
		return -ENOMEM;
	for (uint32_t ag = 0; ag < t->geo->agcount; ag++) {
		gaps->blind[ag] = !t->ags[ag].have_agi || t->ags[ag].tree[BT_INO].gap;
		gaps->any_blind |= gaps->blind[ag];
	}
	return 0;
}

/*
 * Adds a gap for each whole realtime file that is missing, or unknown without a gap for single blocks.  gaps has n
 * elements and room for more.  Returns the new number.
 */
static size_t add_rt_files(const struct locate *l, struct tree_gap *gaps, size_t n)
{
	static const struct {
		enum rtfile file;
		enum btree_kind kind;
	} files[] = { { RTFILE_BITMAP, BT_BNO }, { RTFILE_RMAP, BT_RMAP }, { RTFILE_REFCOUNT, BT_REFC } };
	const struct geometry *geo = &l->rc->geo;
	const size_t blocks = n; /* gaps for single blocks come first */

	for (uint32_t rg = 0; rg < geo->rgcount; rg++) {
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
			const struct tree_gap whole = whole_tree(group_of_rg(geo, rg), files[i].kind);
			bool known = l->rc->traverse->rt.group[rg].file[files[i].file].known;

			for (size_t j = 0; j < blocks && !known; j++)
				known = gaps[j].group.v == whole.group.v && gaps[j].kind == whole.kind;
			if (!known && tree_exists(geo, whole.group, whole.kind))
				gaps[n++] = whole;
		}
	}
	return n;
}

static int find_trees(struct locate *l)
{
	const struct traverse *t = l->rc->traverse;
	size_t total = 0, n = 0;
	struct tree_gap *gaps;

	for (unsigned i = 0; i < t->nwalkers; i++)
		total += walker_of(l, i)->ntree_gaps;
	gaps = calloc(total + 3 * (size_t)t->geo->rgcount + 1, sizeof(*gaps));
	if (!gaps)
		return -ENOMEM;
	for (unsigned i = 0; i < t->nwalkers; i++)
		for (size_t j = 0; j < walker_of(l, i)->ntree_gaps; j++)
			if (walker_of(l, i)->tree_gaps[j].group.v < group_count(t->geo))
				gaps[n++] = walker_of(l, i)->tree_gaps[j];
	n = add_rt_files(l, gaps, n);
	l->gaps.trees = gaps;
	l->gaps.ntrees = tree_gaps_join(gaps, n);
	return 0;
}

int locate_gaps_find(struct locate *l)
{
	int ret = find_blind(l);

	if (!ret)
		ret = find_inodes(l);
	return ret ? ret : find_trees(l);
}

void locate_gaps_free(struct locate *l)
{
	free(l->gaps.blind);
	free(l->gaps.inodes);
	free(l->gaps.trees);
}

/* ---- records that may be missing ---- */

bool locate_inode_unknown(const struct locate *l, xino_t ino, unsigned what)
{
	const struct locate_gaps *gaps = &l->gaps;
	const size_t at = ordered_find(gaps->inodes, gaps->ninodes, MEMBER(gaps->inodes, ino), ino.v);

	if (!ino_valid(&l->rc->geo, ino))
		return false;
	return gaps->blind[agno_of_ino(&l->rc->geo, ino).v] || (at < gaps->ninodes && gaps->inodes[at].what & what);
}

static bool ends_before(const void *element, const void *key)
{
	const struct tree_gap *gap = element, *wanted = key;

	if (gap->group.v != wanted->group.v)
		return gap->group.v < wanted->group.v;
	return gap->kind == wanted->kind ? btkey_cmp(&gap->to, &wanted->to) <= 0 : gap->kind < wanted->kind;
}

/* Returns the first gap of a btree that ends behind a key; NULL: none. */
static const struct tree_gap *gap_behind(const struct locate *l, group_t group, enum btree_kind kind,
					 const struct btkey *key)
{
	const struct locate_gaps *gaps = &l->gaps;
	const struct tree_gap wanted = { .group = group, .kind = kind, .to = *key };
	size_t at = array_lower_bound(gaps->trees, gaps->ntrees, sizeof(wanted), &wanted, ends_before);
	const struct tree_gap *gap = at < gaps->ntrees ? &gaps->trees[at] : NULL;

	return gap && gap->group.v == group.v && gap->kind == kind ? gap : NULL;
}

bool locate_record_unknown(const struct locate *l, group_t group, enum btree_kind kind, const struct btkey *low,
			   const struct btkey *high)
{
	const struct tree_gap *gap = gap_behind(l, group, kind, low);

	return gap && btkey_cmp(&gap->from, high) <= 0;
}

bool locate_start_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t start)
{
	const struct btkey first = { { start } }, high = { { start, UINT64_MAX, UINT64_MAX } };

	/* only the rmapbt may have several records that begin with the same block, with a gap that ends between them */
	return locate_record_unknown(l, group, kind, kind == BT_RMAP ? &first : &high, &high);
}

bool locate_part_unknown(const struct locate *l, group_t group, enum btree_kind kind, uint64_t from, uint64_t to,
			 uint64_t *ret_from, uint64_t *ret_to)
{
	const struct btkey start = { { from, UINT64_MAX, UINT64_MAX } };
	const struct tree_gap *gap;

	*ret_from = from;
	*ret_to = to;
	if (from >= to)
		return false;
	if (!tree_exists(&l->rc->geo, group, kind))
		return true;
	gap = gap_behind(l, group, kind, &start);
	if (!gap || gap->from.k[0] >= to)
		return false;
	if (gap->from.k[0] > from)
		*ret_from = gap->from.k[0];
	if (gap->to.k[0] < to)
		*ret_to = gap->to.k[0];
	return true;
}

enum btree_kind locate_free_tree(const struct locate *l, group_t group)
{
	const struct btkey first = { { 0 } };

	return gap_behind(l, group, BT_BNO, &first) && !group_is_rt(&l->rc->geo, group) &&
			       !gap_behind(l, group, BT_CNT, &first)
		       ? BT_CNT
		       : BT_BNO;
}

/* ---- claims that may be missing ---- */

/* True if claims for blocks of this btree itself may be missing. */
static bool blocks_unknown(const struct locate *l, group_t group, enum btree_kind kind)
{
	const struct btkey first = { { 0 } };
	const struct tree_gap *gap = gap_behind(l, group, kind, &first), *end = l->gaps.trees + l->gaps.ntrees;

	for (; gap && gap < end && gap->group.v == group.v && gap->kind == kind; gap++)
		if (gap->claims)
			return true;
	return false;
}

/* True if claims of OWNER_AG may be missing: for blocks of the bnobt, the cntbt, the rmapbt and the AGFL. */
static bool ag_blocks_unknown(const struct locate *l, group_t group)
{
	return !l->rc->traverse->ags[group.v].have_agfl || blocks_unknown(l, group, BT_BNO) ||
	       blocks_unknown(l, group, BT_CNT) || blocks_unknown(l, group, BT_RMAP);
}

bool locate_owner_unknown(const struct locate *l, group_t group, uint64_t block, uint64_t owner)
{
	bool rt = group_is_rt(&l->rc->geo, group);

	switch (owner) {
	case OWNER_AG:
		return !rt && ag_blocks_unknown(l, group);
	case OWNER_REFC:
		return !rt && blocks_unknown(l, group, BT_REFC);
	case OWNER_COW: /* these claims are records of the refcountbt */
		return locate_start_unknown(l, group, BT_REFC, block | REFCOUNT_COW);
	case OWNER_INOBT:
		return !rt && (l->gaps.blind[group.v] || blocks_unknown(l, group, BT_FINO));
	case OWNER_INODES:
		return !rt && l->gaps.blind[group.v];
	default:
		return owner < OWNER_COW && locate_inode_unknown(l, (xino_t){ owner }, GAP_CLAIMS);
	}
}

bool locate_claims_unknown(const struct locate *l, group_t group)
{
	const struct btkey first = { { 0 } };

	if (l->gaps.any_blind || l->gaps.any_claims || gap_behind(l, group, BT_REFC, &first))
		return true;
	return !group_is_rt(&l->rc->geo, group) && (ag_blocks_unknown(l, group) || blocks_unknown(l, group, BT_FINO));
}
