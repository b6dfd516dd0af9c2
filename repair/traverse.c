/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common parts of the traversal: its life, the dispatch of what the sweep
 * brings, posting, reporting, and the bookkeeping that all btrees share.
 */
#include "traverse.h"

#include <errno.h>
#include <stdlib.h>

#include "inflight.h"

static void reported(void *ctx, const struct problem *problem)
{
	struct walker *w = ctx;

	findings_add(w->t->findings, w->lane, &w->place, problem);
}

static void arrived(void *ctx, unsigned worker, struct sweep_item *item, const uint8_t *bytes, uint64_t offset,
		    uint32_t len, bool last)
{
	struct traverse *t = ctx;
	struct walker *w = t->walkers[worker];
	struct want *want = caa_container_of(item, struct want, item);

	w->totals.metadata_bytes += len;
	switch (want->kind) {
	case WANT_HEADERS:
		walk_headers(w, want, bytes, offset);
		break;
	case WANT_BTREE:
		walk_btree(w, want, bytes, offset);
		break;
	case WANT_CHUNK:
		walk_chunk(w, want, bytes, offset, len, last);
		break;
	case WANT_BMBT:
		walk_bmbt(w, want, bytes, offset);
		break;
	case WANT_FORK:
		walk_fork_blocks(w, want, bytes, offset, len, last);
		break;
	case WANT_PART:
		walk_part(w, want, bytes, offset, len, last);
		break;
	}
	if (last)
		free(want);
}

int traverse_new(const struct geometry *geo, struct device *device, const uint8_t *primary, const struct sink *sink,
		 struct findings *findings, const struct sweep_options *options, struct traverse **ret_traverse)
{
	struct traverse *t = calloc(1, sizeof(*t));
	const struct sweep_ops ops = { arrived, t };
	int ret;

	if (!t)
		return -ENOMEM;
	t->geo = geo;
	t->device = device;
	t->primary = primary;
	t->sink = *sink;
	t->findings = findings;
	t->ags = calloc(geo->agcount, sizeof(*t->ags));
	t->walkers = calloc(options->workers, sizeof(struct walker *));
	for (unsigned i = 0; t->walkers && i < options->workers; i++) {
		struct walker *w = calloc(1, sizeof(*w));

		if (!w)
			break;
		w->t = t;
		w->lane = i;
		w->check = (struct check){ geo, reported, w };
		t->walkers[t->nwalkers++] = w;
	}
	ret = t->ags && t->nwalkers == options->workers ? 0 : -ENOMEM;
	if (!ret)
		ret = sweep_create(device, geo->agcount, options, &ops, &t->sweep);
	if (ret)
		traverse_free(t);
	else
		*ret_traverse = t;
	return ret;
}

void traverse_free(struct traverse *t)
{
	if (!t)
		return;
	sweep_destroy(t->sweep);
	for (unsigned i = 0; i < t->nwalkers; i++) {
		free(t->walkers[i]->dirs);
		free(t->walkers[i]->spare);
		free(t->walkers[i]);
	}
	for (uint32_t ag = 0; t->ags && ag < t->geo->agcount; ag++) {
		free(t->ags[ag].shared);
		free(t->ags[ag].unlinked);
	}
	free(t->walkers);
	free(t->ags);
	free(t);
}

static int run(struct traverse *t)
{
	int ret = sweep_run(t->sweep);

	return ret ? ret : __atomic_load_n(&t->error, __ATOMIC_RELAXED);
}

static int by_start(const void *a, const void *b)
{
	const struct shared_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

int traverse_groups(struct traverse *t)
{
	int ret;

	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		walk_headers_post(t->walkers[0], (agno_t){ ag });
	ret = run(t);
	/* leaves came in disk order; from here on the ranges are searched */
	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		if (t->ags[ag].nshared)
			qsort(t->ags[ag].shared, t->ags[ag].nshared, sizeof(struct shared_range), by_start);
	return ret;
}

int traverse_inodes(struct traverse *t)
{
	static const enum btree_kind kinds[] = { BT_INO, BT_FINO, BT_BNO, BT_CNT, BT_RMAP };

	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			walk_tree_start(t->walkers[0], (agno_t){ ag }, kinds[i]);
	return run(t);
}

struct totals traverse_totals(const struct traverse *t)
{
	struct totals sum = { 0 };

	for (unsigned i = 0; i < t->nwalkers; i++) {
		const struct totals *one = &t->walkers[i]->totals;

		sum.inodes += one->inodes;
		sum.free_inodes += one->free_inodes;
		sum.directories += one->directories;
		sum.entries += one->entries;
		sum.extents += one->extents;
		sum.attributes += one->attributes;
		sum.metadata_blocks += one->metadata_blocks;
		sum.metadata_bytes += one->metadata_bytes;
	}
	return sum;
}

static void failed(struct walker *w)
{
	__atomic_store_n(&w->t->error, -ENOMEM, __ATOMIC_RELAXED);
}

void *walk_alloc(struct walker *w, size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		failed(w);
	return p;
}

int walk_grow(struct walker *w, void **array, size_t *room, size_t count, size_t element)
{
	size_t more = *room ? *room * 2 : 16;
	void *bigger;

	if (count < *room)
		return 0;
	bigger = reallocarray(*array, more, element);
	if (!bigger) {
		failed(w);
		return -ENOMEM;
	}
	*array = bigger;
	*room = more;
	return 0;
}

void walk_post(struct walker *w, struct want *want, enum want_kind kind, agno_t agno, xdaddr_t daddr, uint64_t len,
	       uint32_t unit)
{
	want->kind = kind;
	want->item.offset = bytes_of_daddr(daddr);
	want->item.length = len;
	want->item.unit = unit;
	sweep_post(w->t->sweep, agno.v, &want->item);
}

bool walk_readable(struct walker *w, uint64_t offset, uint64_t len)
{
	uint64_t bad, bad_len;

	if (!device_unreadable(w->t->device, offset, len, &bad, &bad_len))
		return true;
	walk_problem(w, F_IO_UNREADABLE, NO_INDEX, bad_len, bad);
	walk_incomplete(w);
	return false;
}

void walk_problem(struct walker *w, enum finding finding, uint32_t index, uint64_t got, uint64_t want)
{
	problem_at(&w->check, finding, 0, index, got, want);
}

void walk_incomplete(struct walker *w)
{
	__atomic_store_n(&w->t->incomplete, true, __ATOMIC_RELAXED);
}

void walk_claim(struct walker *w, agno_t agno, agbno_t agbno, uint32_t len, uint64_t owner, uint64_t offset,
		uint8_t flags)
{
	const struct claim claim = { agno, agbno, len, owner, offset, flags };

	w->t->sink.ops->claim(w->t->sink.ctx, w->lane, &claim);
}

void tree_block_seen(struct walker *w, struct tree *tree, uint64_t self, const struct btree_block *block)
{
	const struct hash_key *key = w->t->sink.key;

	w->totals.metadata_blocks++;
	if (block->right != NULL_FSBNO) {
		tree->links++;
		tree->siblings += hash2(key, self, block->right);
	}
	if (block->left != NULL_FSBNO)
		tree->siblings -= hash2(key, block->left, self);
}

/* Below a block whose keys are wrong there may be anything, the tree's own root for example. */
#define MAX_SUSPECTS 4096

bool tree_may_descend(struct walker *w, struct tree *tree, bool keys_ok)
{
	if (tree->blocks < tree->limit && (keys_ok || tree->suspects < MAX_SUSPECTS)) {
		tree->suspects += !keys_ok;
		tree->blocks++;
		return true;
	}
	if (!tree->gap)
		walk_problem(w, F_BTREE_TOO_LARGE, NO_INDEX, tree->blocks, tree->limit);
	tree->gap = true;
	walk_incomplete(w);
	return false;
}

void tree_settle(struct walker *w, const struct tree *tree, unsigned levels)
{
	if (tree->gap || !tree->blocks)
		return;
	if (tree->siblings || tree->links != tree->blocks - levels)
		walk_problem(w, F_BTREE_SIBLINGS, NO_INDEX, tree->links, tree->blocks - levels);
}
