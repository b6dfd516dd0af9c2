/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The space account of a group, block by block (ondisk 12, S7 and S10): every
 * block is free or used once, or used as often as its reference count says.
 * The ranges of all records cut the group into pieces within which nothing
 * changes; a piece where the numbers differ is reported for each of its owners.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "locate.h"

#define OWNERS_NAMED 16 /* of one piece */

/* At a block: how much changes from here on. */
struct edge {
	uint64_t at;
	int64_t used, free, allowed;
};

/* A piece that is used or free as often as it may not be. */
struct piece {
	uint64_t from, to;
	uint64_t used, free, allowed;
};

static int edge_order(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Both ends of each record. */
static size_t add_edges(struct edge *edges, size_t n, const struct use *uses, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct use *u = &uses[i];
		struct edge e = { .at = u->start };

		e.used = u->kind == USE_CLAIM ? 1 : u->kind == USE_UNCLAIM ? -1 : 0;
		e.free = u->kind == USE_FREE;
		e.allowed = u->kind == USE_SHARED ? (int64_t)u->refcount - 1 : 0;
		edges[n++] = e;
		edges[n++] = (struct edge){ u->start + u->len, -e.used, -e.free, -e.allowed };
	}
	return n;
}

static void say_owner(struct locate *l, group_t group, const struct piece *p, const struct use *use, uint64_t other)
{
	uint64_t blocks = p->to - p->from;

	locate_at_claim(l, group, p->from, use);
	if (p->free)
		locate_say(l, ACCOUNT_SPACE, F_SPACE_FREE_IN_USE, NO_INDEX, blocks, 0);
	else
		locate_say(l, ACCOUNT_SPACE, F_SPACE_CLAIMED_TWICE, NO_INDEX, blocks, other);
}

/* Owners whose claims reach into the piece at hand; those that ended are dropped for good. */
struct owners {
	const struct use **v;
	size_t count;
};

static void say_owners(struct locate *l, group_t group, const struct piece *p, struct owners *owners)
{
	const struct use *in[OWNERS_NAMED];
	size_t n = 0;

	for (size_t i = 0; i < owners->count && n < OWNERS_NAMED;) {
		const struct use *use = owners->v[i];

		if (use->start + use->len <= p->from) {
			owners->v[i] = owners->v[--owners->count];
			continue;
		}
		in[n++] = use;
		i++;
	}
	for (size_t i = 0; i < n; i++)
		say_owner(l, group, p, in[i], in[i ? 0 : n - 1]->owner);
}

static void say_lost_blocks(struct locate *l, group_t group, uint64_t from, uint64_t to, bool explained)
{
	locate_at_block(l, OBJ_AG, group, from);
	locate_say_unless(l, explained, ACCOUNT_SPACE, F_SPACE_LOST, NO_INDEX, to - from, 0);
}

/* Rmap records by start. They overlap where blocks are shared. */
struct rmaps {
	const struct use *v;
	size_t count;
	uint64_t *reach; /* the highest end of a record and those before it */
};

/* False: out of memory.  reach is to be freed. */
static bool rmaps_find(const struct locate *l, group_t group, struct rmaps *rmaps)
{
	uint64_t reach = 0;

	rmaps->v = locate_uses(l, group, USE_RMAP, &rmaps->count);
	rmaps->reach = calloc(rmaps->count + 1, sizeof(*rmaps->reach));
	for (size_t i = 0; rmaps->reach && i < rmaps->count; i++) {
		uint64_t end = rmaps->v[i].start + rmaps->v[i].len;

		reach = end > reach ? end : reach;
		rmaps->reach[i] = reach;
	}
	return rmaps->reach;
}

static bool reaches_up_to(const void *element, const void *key)
{
	const uint64_t *reach = element, *at = key;

	return *reach <= *at;
}

/* The first rmap record that reaches behind block `at`. */
static size_t rmap_behind(const struct rmaps *rmaps, uint64_t at)
{
	return array_lower_bound(rmaps->reach, rmaps->count, sizeof(*rmaps->reach), &at, reaches_up_to);
}

/* Blocks that nobody claims, and that the rmapbt, where it is known, does not explain. */
static void say_unowned(struct locate *l, group_t group, uint64_t from, uint64_t to)
{
	bool explained = locate_claims_unknown(l, group);
	uint64_t part, end;

	for (; locate_part_unknown(l, group, BT_RMAP, from, to, &part, &end); from = end) {
		if (part > from)
			say_lost_blocks(l, group, from, part, false);
		say_lost_blocks(l, group, part, end, explained);
	}
	if (from < to)
		say_lost_blocks(l, group, from, to, false);
}

/* The same, where they may be free for all that is known of the tree that says so. */
static void say_unclaimed(struct locate *l, group_t group, uint64_t from, uint64_t to)
{
	uint64_t part, end;

	for (; locate_part_unknown(l, group, locate_free_tree(l, group), from, to, &part, &end); from = end) {
		if (part > from)
			say_unowned(l, group, from, part);
		locate_explained(l, ACCOUNT_SPACE);
	}
	if (from < to)
		say_unowned(l, group, from, to);
}

/* Blocks that nobody claims.  If the rmapbt knows of an owner whose claims are not known, he is the explanation. */
static void say_lost(struct locate *l, group_t group, const struct piece *p, const struct rmaps *rmaps)
{
	uint64_t at = p->from;

	for (size_t i = rmap_behind(rmaps, at); i < rmaps->count && rmaps->v[i].start < p->to; i++) {
		const struct use *rmap = &rmaps->v[i];
		uint64_t end = rmap->start + rmap->len;

		if (end <= at || !locate_owner_unknown(l, group, rmap->start, rmap->owner))
			continue;
		if (rmap->start > at)
			say_unclaimed(l, group, at, rmap->start);
		at = end < p->to ? end : p->to;
		locate_explained(l, ACCOUNT_SPACE);
	}
	if (at < p->to)
		say_unclaimed(l, group, at, p->to);
}

/* Whether files use it whose reference count is not known. */
static bool may_be_shared(const struct locate *l, group_t group, const struct piece *p, const struct owners *owners)
{
	if (!locate_start_unknown(l, group, BT_REFC, p->from))
		return false;
	for (size_t i = 0; i < owners->count; i++) {
		const struct use *use = owners->v[i];

		if (use->start + use->len > p->from && (use->owner >= OWNER_COW || use->flags))
			return false;
	}
	return true;
}

static void say_piece(struct locate *l, group_t group, const struct piece *p, struct owners *owners,
		      const struct rmaps *rmaps)
{
	uint64_t blocks = p->to - p->from, times = p->used + p->free;
	uint32_t length = blocks < NO_INDEX ? (uint32_t)blocks : NO_INDEX - 1;

	if (p->used && !p->free && p->allowed == 1 && p->used > 1 && may_be_shared(l, group, p, owners)) {
		locate_explained(l, ACCOUNT_SPACE);
		return;
	}
	if (p->used && (p->free || (p->used > p->allowed && p->allowed == 1))) {
		say_owners(l, group, p, owners);
		return;
	}
	if (!times) {
		say_lost(l, group, p, rmaps);
		return;
	}
	locate_at_block(l, OBJ_AG, group, p->from);
	if (p->free > 1)
		locate_say(l, ACCOUNT_SPACE, F_SPACE_FREE_TWICE, NO_INDEX, blocks, 0);
	else
		locate_say_unless(l, p->used < p->allowed && locate_claims_unknown(l, group), ACCOUNT_SPACE,
				  F_REFCOUNT_COUNT, length, p->allowed, p->used);
}

/* Claims come in the order of their starts, pieces likewise: each claim is looked at once. */
struct sweep_state {
	struct locate *l;
	group_t group;
	const struct use *claims;
	size_t nclaims, next;
	struct owners owners;
	struct rmaps rmaps;
	struct piece piece; /* not yet said: the next may continue it */
};

static void finish_piece(struct sweep_state *s)
{
	const struct piece *p = &s->piece;

	if (p->from == p->to)
		return;
	while (s->next < s->nclaims && s->claims[s->next].start < p->to)
		s->owners.v[s->owners.count++] = &s->claims[s->next++];
	say_piece(s->l, s->group, p, &s->owners, &s->rmaps);
	s->piece.to = s->piece.from;
}

static void add_piece(struct sweep_state *s, const struct piece *p)
{
	struct piece *last = &s->piece;
	bool owned = p->used && (p->free || p->allowed == 1); /* owners may change at the border */

	if (last->from != last->to && last->to == p->from && !owned && last->used == p->used && last->free == p->free &&
	    last->allowed == p->allowed) {
		last->to = p->to;
		return;
	}
	finish_piece(s);
	s->piece = *p;
}

/* What an interrupted operation takes away may not be there. */
static uint64_t not_negative(int64_t times)
{
	return times > 0 ? (uint64_t)times : 0;
}

static void sweep_edges(struct sweep_state *s, const struct edge *edges, size_t count)
{
	int64_t used = 0, free = 0, allowed = 0;

	for (size_t i = 0; i < count; i++) {
		used += edges[i].used;
		free += edges[i].free;
		allowed += edges[i].allowed;
		if (i + 1 < count && edges[i + 1].at > edges[i].at && used + free != allowed) {
			const struct piece p = { edges[i].at, edges[i + 1].at, not_negative(used), (uint64_t)free,
						 not_negative(allowed) };

			add_piece(s, &p);
		}
	}
	finish_piece(s);
}

int locate_space(struct locate *l, group_t group, uint64_t from, uint64_t to)
{
	struct sweep_state s = { .l = l, .group = group };
	size_t nfree, nshared, nunclaim, n = 0;
	const struct use *claims = locate_uses(l, group, USE_CLAIM, &s.nclaims);
	const struct use *free_space = locate_uses(l, group, USE_FREE, &nfree);
	const struct use *shared = locate_uses(l, group, USE_SHARED, &nshared);
	const struct use *unclaim = locate_uses(l, group, USE_UNCLAIM, &nunclaim);
	struct edge *edges = calloc(2 * (s.nclaims + nfree + nshared + nunclaim + 1), sizeof(*edges));

	if (locate_free_tree(l, group) != BT_BNO) /* the ledger did not know of that */
		locate_explained(l, ACCOUNT_SPACE);
	s.claims = claims;
	s.owners.v = calloc(s.nclaims + 1, sizeof(const struct use *));
	if (edges && s.owners.v && rmaps_find(l, group, &s.rmaps)) {
		edges[n++] = (struct edge){ from, 0, 0, 1 };
		edges[n++] = (struct edge){ to, 0, 0, -1 };
		n = add_edges(edges, n, claims, s.nclaims);
		n = add_edges(edges, n, free_space, nfree);
		n = add_edges(edges, n, shared, nshared);
		n = add_edges(edges, n, unclaim, nunclaim);
		qsort(edges, n, sizeof(*edges), edge_order);
		sweep_edges(&s, edges, n);
	}
	n = edges && s.owners.v && s.rmaps.reach;
	free(edges);
	free(s.owners.v);
	free(s.rmaps.reach);
	return n ? 0 : -ENOMEM;
}
