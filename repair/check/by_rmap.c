/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first check's account of a group's rmapbt is the sum of all claims minus the sum of the records.  This file
 * gathers the claims of the group's own metadata and of changed inodes at that time, and the records that the rmapbt
 * had for these owners.  If their difference is the whole account, the rest is equal on both sides: the other records
 * are the claims of the other inodes, then and now.  The rmapbt does not say which blocks may be shared, so the account
 * of space must agree, too.
 */
#include "by_rmap.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "changed.h"
#include "check/books/ledger.h"
#include "check/locate/evidence.h"
#include "check/walk/traverse.h"
#include "facts.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

struct by_rmap {
	struct sink below; /* the caller's; first, as sink_passing_on expects */
	const struct repair *rc;
	struct changed *changed;
	const bool *wanted;
	agno_t *groups; /* groups to traverse: those that are wanted, and those that have changed */
	size_t ngroups, groups_room;
	struct ledger *ledger; /* the sums that the first check must have had */
	struct sink sums;
	struct inobts before, after;
	bool disputed; /* an unchanged inode owns a changed block */
	bool same;     /* nothing is staged: the views before and after are the same */
};

static void note(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

static fsbno_t first_of(const struct by_rmap *b, const struct blocks *at)
{
	return fsbno_of(&b->rc->geo, (agno_t){ at->group.v }, (agbno_t){ (uint32_t)at->start.v });
}

static void note_claim(struct by_rmap *b, struct inobts *inobts, const struct claim *claim, enum changed_use use)
{
	if (group_is_rt(&b->rc->geo, claim->at.group))
		return;
	changed_note_use(b->changed, first_of(b, &claim->at), claim->at.len, use);
	inobts_claim(inobts, &b->rc->geo, b->changed, claim);
}

/* ---- the view after the repair ---- */

static void claim_after(void *ctx, unsigned worker, const struct claim *claim)
{
	struct by_rmap *b = ctx;

	note_claim(b, &b->after, claim, CLAIMED_AFTER);
	sink_tell(&b->below, claim, worker, claim);
}

static void chunk_after(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *r)
{
	struct by_rmap *b = ctx;

	inobts_chunk(&b->after, &b->rc->run->key, kind, agno, r);
	sink_tell(&b->below, chunk, worker, kind, agno, r);
}

/* ---- the view before the repair ---- */

static void claim_before(void *ctx, unsigned worker, const struct claim *claim)
{
	struct by_rmap *b = ctx;

	note_claim(b, &b->before, claim, CLAIMED_BEFORE);
	sink_tell(&b->sums, claim, worker, claim);
	if (b->same)
		claim_after(ctx, worker, claim);
}

/* True if the owner is not among the traversed objects. */
static bool is_others(const struct by_rmap *b, uint64_t owner)
{
	const struct changed *c = b->changed;

	return owner == OWNER_INODES ||
	       (owner < OWNER_COW && ordered_find(c->inos, c->ninos, MEMBER(c->inos, v), owner) == c->ninos);
}

static void alone_before(void *ctx, unsigned worker, const struct blocks *blocks)
{
	const struct by_rmap *b = ctx;

	sink_tell(&b->sums, alone, worker, blocks);
	if (b->same)
		sink_tell(&b->below, alone, worker, blocks);
}

static void free_before(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	const struct by_rmap *b = ctx;

	sink_tell(&b->sums, free_extent, worker, kind, blocks);
	if (b->same)
		sink_tell(&b->below, free_extent, worker, kind, blocks);
}

static void rmap_before(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	struct by_rmap *b = ctx;
	const struct claim claim = { .at = { group, { r->start.v }, r->len },
				     .owner = r->owner,
				     .offset = r->offset,
				     .flags = r->flags,
				     .object = r->owner == OWNER_INODES ? OBJ_CLUSTER : 0 };

	sink_tell(&b->sums, rmap, worker, group, r);
	if (b->same)
		sink_tell(&b->below, rmap, worker, group, r);
	if (!is_others(b, r->owner))
		return;
	sink_tell(&b->sums, claim, worker, &claim);
	if (changed_has_any(b->changed, first_of(b, &claim.at), r->len))
		note(&b->disputed);
	if (b->wanted[group.v])
		sink_tell(&b->below, claim, worker, &claim);
}

static void refcount_before(void *ctx, unsigned worker, group_t group, const struct refcount_record *r)
{
	const struct by_rmap *b = ctx;

	sink_tell(&b->sums, refcount, worker, group, r);
	if (b->same)
		sink_tell(&b->below, refcount, worker, group, r);
}

static void chunk_before(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *r)
{
	struct by_rmap *b = ctx;

	inobts_chunk(&b->before, &b->rc->run->key, kind, agno, r);
	if (b->same)
		chunk_after(ctx, worker, kind, agno, r);
}

static const struct sink_ops ops_before = {
	.claim = claim_before,
	.alone = alone_before,
	.free_extent = free_before,
	.rmap = rmap_before,
	.refcount = refcount_before,
	.chunk = chunk_before,
};

/* ---- traversals ---- */

/* Traverses the groups and changed inodes in the current view.  *ret: for traverse_free().  0 or a negative errno. */
static int gather(const struct by_rmap *b, const struct sink *sink, struct traverse **ret)
{
	const struct scope scope = { .claims = true };
	int error = facts_traverse(b->rc, &b->rc->geo, &scope, sink, ret);

	if (error)
		return error;
	traverse_borrow(*ret, b->rc->traverse, b->groups, b->ngroups);
	superblock_facts(&b->rc->geo, sink);
	error = traverse_these_groups(*ret, b->groups, b->ngroups);
	return error ? error : traverse_these(*ret, b->changed->inos, b->changed->ninos);
}

static int gather_before(struct by_rmap *b)
{
	const struct sink sink = { &ops_before, b, &b->rc->run->key };
	struct traverse *t = NULL;
	int ret;

	device_show(b->rc->run->device, LAYER_MEND);
	ret = gather(b, &sink, &t);
	device_show(b->rc->run->device, LAYERS);
	traverse_free(t);
	ledger_close(b->ledger);
	return ret;
}

static int gather_after(struct by_rmap *b, struct traverse **ret)
{
	struct sink_ops ops = sink_passing_on;
	const struct sink sink = { &ops, b, &b->rc->run->key };

	ops.claim = claim_after;
	ops.chunk = chunk_after;
	ops.rooted = NULL;
	return gather(b, &sink, ret);
}

/* Gathers both at once, as the views are the same. */
static int gather_both(struct by_rmap *b, struct traverse **ret)
{
	struct sink_ops ops = sink_passing_on;
	const struct sink sink = { &ops, b, &b->rc->run->key };
	int error;

	ops.claim = claim_before;
	ops.alone = alone_before;
	ops.free_extent = free_before;
	ops.rmap = rmap_before;
	ops.refcount = refcount_before;
	ops.chunk = chunk_before;
	ops.rooted = NULL;
	error = gather(b, &sink, ret);
	ledger_close(b->ledger);
	return error;
}

/* Finds the groups to traverse.  *ret_possible: false if rmapbts are not enough.  Returns 0 or -ENOMEM. */
static int find_groups(struct by_rmap *b, bool *ret_possible)
{
	const struct repair *rc = b->rc;

	*ret_possible = rc->geo.rmapbt;
	for (uint32_t g = 0; g < group_count(&rc->geo) && *ret_possible; g++) {
		const agno_t agno = { g };
		const struct ag_state *ag;

		if (group_is_rt(&rc->geo, (group_t){ g })) {
			*ret_possible = !b->wanted[g];
			continue;
		}
		if (!b->wanted[g] && !changed_has_group(b->changed, agno))
			continue;
		ag = &rc->traverse->ags[g];
		*ret_possible = ag_tree_whole(ag, BT_RMAP) && ag_tree_whole(ag, BT_INO);
		if (array_add(b->groups, b->groups_room, b->ngroups, agno))
			return -ENOMEM;
	}
	return 0;
}

/* True if the sums that were gathered agree with the first check. */
static bool agrees(const struct by_rmap *b)
{
	bool same = true;

	for (size_t i = 0; i < b->ngroups && same; i++) {
		const group_t group = group_of_ag(b->groups[i]);

		same = ledger_group_same(b->ledger, b->rc->ledger, group, ACCOUNT_RMAP) &&
		       ledger_group_same(b->ledger, b->rc->ledger, group, ACCOUNT_SPACE);
	}
	return same;
}

/* True if the block's group was traversed, so that all its claims are known. */
static bool is_known(const void *ctx, fsbno_t block)
{
	const struct by_rmap *b = ctx;
	const agno_t agno = agno_of_fsbno(&b->rc->geo, block);

	return ordered_find(b->groups, b->ngroups, MEMBER(b->groups, v), agno.v) < b->ngroups;
}

/* True if the unchanged inodes are still the same, and have the same claims. */
static bool others_stay(const struct by_rmap *b, const struct traverse *now)
{
	bool same = !b->disputed && inobts_alike(&b->before, &b->after);

	for (size_t i = 0; i < b->ngroups && same; i++)
		same = inobts_root_alike(&b->rc->traverse->ags[b->groups[i].v], &now->ags[b->groups[i].v]);
	return same && changed_is_somebodys(b->changed, is_known, b);
}

int by_rmap_gather(const struct repair *rc, struct changed *changed, const bool *wanted, const struct sink *sink,
		   bool *ret_known, struct traverse **ret_traverse)
{
	struct by_rmap b = { .below = *sink,
			     .rc = rc,
			     .changed = changed,
			     .wanted = wanted,
			     .same = !device_staged(rc->run->device, LAYER_MEND) };
	struct traverse *now = NULL;
	int ret = find_groups(&b, ret_known);

	if (!ret && *ret_known) {
		b.ledger = ledger_new(&rc->geo, rc->workers, &rc->run->key);
		ret = b.ledger ? 0 : -ENOMEM;
	}
	if (!ret && *ret_known) {
		b.sums = ledger_sink(b.ledger);
		ret = b.same ? gather_both(&b, &now) : gather_before(&b);
		*ret_known = agrees(&b);
	}
	if (!ret && *ret_known && !b.same)
		ret = gather_after(&b, &now);
	*ret_known = !ret && *ret_known && others_stay(&b, now);
	ledger_free(b.ledger);
	free(b.groups);
	if (!ret && *ret_known && ret_traverse)
		*ret_traverse = now;
	else
		traverse_free(now);
	return ret;
}

/* True if the first check had all blocks [start, end) as shared. */
static bool were_shared(const struct shared *shared, uint64_t start, uint64_t end)
{
	size_t i = ordered_from(shared->v, shared->count, MEMBER(shared->v, start), start);

	if (i && (i == shared->count || shared->v[i].start > start))
		i--;
	for (; i < shared->count && shared->v[i].start <= start && start < end; i++)
		if (shared->v[i].end > start)
			start = shared->v[i].end;
	return start >= end;
}

bool by_rmap_disputed(const struct repair *rc, const struct evidence_records *r)
{
	uint64_t end = 0;
	uint32_t group = 0;
	bool disputed = false;

	for (size_t i = 0; i < r->nuses && !disputed; i++) {
		const struct use *use = &r->uses[i];
		const uint64_t use_end = use->start + use->len;

		if (use->kind != USE_CLAIM)
			continue;
		if (use->group != group)
			end = 0;
		if (use->start < end)
			disputed = !were_shared(&rc->traverse->shared[use->group], use->start,
						use_end < end ? use_end : end);
		group = use->group;
		end = use_end > end ? use_end : end;
	}
	return disputed;
}
