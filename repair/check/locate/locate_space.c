/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the space account of a group, block by block (ondisk 12, S7 and S10): every block is free, or used once, or
 * used as often as its reference count says.  The starts and ends of all records divide the group into intervals within
 * which nothing changes.  A interval where the numbers differ is reported for each of its owners.  The sorted records
 * are read in order of blocks, and only those that cover the current block are in memory (open_ranges.h).
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "locate.h"
#include "open_ranges.h"
#include "repair.h"
#include "sets/ordered.h"

/*
 * So many owners are reported for all intervals of a group; after that, so few for each interval.  This keeps the work
 * proportional to the claims, however many intervals each of them overlaps.
 */
#define OWNERS_NAMED 65536u
#define OWNERS_FEW   16u

/* A faulty interval: used or free more or less often than it must be, or shared by an owner that may not share. */
struct interval {
	uint64_t from, to;
	uint64_t used, free, allowed; /* how often */
	bool alone;		      /* one of its owners may not share, whatever the reference count */
};

/* Reports an interval for one owner.  finding: about another owner, `other`; 0: the blocks are only free as well. */
static void say_owner(struct locate *l, group_t group, const struct interval *p, enum finding finding,
		      const struct use *use, uint64_t other)
{
	uint64_t blocks = p->to - p->from;

	locate_at_claim(l, group, p->from, use);
	if (p->free)
		locate_say(l, ACCOUNT_SPACE, F_SPACE_FREE_IN_USE, NO_INDEX, blocks, 0);
	if (finding)
		locate_say(l, ACCOUNT_SPACE, finding, NO_INDEX, blocks, other);
}

/* Claims that may overlap the current interval; those that end before it are removed when they are noticed. */
struct owners {
	const struct use **v;
	size_t count, room;
	size_t named; /* owners reported so far, for all intervals */
};

static bool use_is_alone(const struct use *use)
{
	return claim_is_alone(use->owner, use->flags, use->object);
}

/*
 * Sorts special owners first, to which all others give way; then owners that may not share; last files, of which the
 * first keeps the blocks (mend_inode_dispute.c).
 */
static int owner_order(const void *a, const void *b)
{
	const struct use *x = *(const struct use *const *)a, *y = *(const struct use *const *)b;

	if ((x->owner < OWNER_COW) != (y->owner < OWNER_COW))
		return x->owner < OWNER_COW ? 1 : -1;
	if (use_is_alone(x) != use_is_alone(y))
		return use_is_alone(x) ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/*
 * Reports an interval for each of its owners, with another one and a finding about both; 0: only free as well.  0 or
 * -ENOMEM.
 */
static int say_owners(struct locate *l, group_t group, const struct interval *p, enum finding finding,
		      struct owners *owners)
{
	const size_t left = owners->named < OWNERS_NAMED ? OWNERS_NAMED - owners->named : 0;
	const size_t most = left > OWNERS_FEW ? left : OWNERS_FEW;
	const struct use **in = calloc((owners->count < most ? owners->count : most) + 1, sizeof(*in));
	size_t n = 0;

	if (!in)
		return -ENOMEM;
	for (size_t i = 0; i < owners->count && n < most;) {
		const struct use *use = owners->v[i];

		if (use->start + use->len <= p->from) {
			owners->v[i] = owners->v[--owners->count];
			continue;
		}
		in[n++] = use;
		i++;
	}
	qsort(in, n, sizeof(in[0]), owner_order);
	owners->named += n;
	for (size_t i = 0; i < n; i++)
		say_owner(l, group, p, finding, in[i], in[i ? 0 : n - 1]->owner);
	free(in);
	return 0;
}

static void say_lost_blocks(struct locate *l, group_t group, uint64_t from, uint64_t to, bool explained)
{
	locate_at_block(l, OBJ_AG, group, from);
	locate_say_unless(l, explained, ACCOUNT_SPACE, F_SPACE_LOST, NO_INDEX, to - from, 0);
}

/* Records of the rmapbt, by start; they overlap where blocks are shared. */
struct rmaps {
	const struct use *v;
	size_t count;
	uint64_t *reach; /* for each record, the highest end of it and all before it */
};

/* Finds the records.  The caller frees rmaps->reach.  False: out of memory. */
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

/* Returns the index of the first rmapbt record that may cover block `at` or later ones. */
static size_t rmap_behind(const struct rmaps *rmaps, uint64_t at)
{
	return ordered_behind(rmaps->reach, rmaps->count, ELEMENT(rmaps->reach), at);
}

/*
 * Reports unclaimed blocks that no rmapbt record explains.  Where the rmapbt is unknown, any missing claims explain
 * them.
 */
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

/* Does the same, but blocks that may be free, in an unknown part of the free-space btree, are explained. */
static void say_unclaimed(struct locate *l, group_t group, uint64_t from, uint64_t to)
{
	uint64_t part, end;

	for (; locate_part_unknown(l, group, locate_free_tree(l, group), from, to, &part, &end); from = end) {
		if (part > from)
			say_unowned(l, group, from, part);
		locate_explained(l, ACCOUNT_SPACE, 1);
	}
	if (from < to)
		say_unowned(l, group, from, to);
}

/* Reports blocks that are neither free nor claimed.  Rmapbt records whose owner's claims are unknown explain some. */
static void say_lost(struct locate *l, group_t group, const struct interval *p, const struct rmaps *rmaps)
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
		locate_explained(l, ACCOUNT_SPACE, 1);
	}
	if (at < p->to)
		say_unclaimed(l, group, at, p->to);
}

/* True if the interval may be shared: its reference count is unknown, and all its owners may share. */
static bool may_be_shared(const struct locate *l, group_t group, const struct interval *p, const struct owners *owners)
{
	if (!locate_start_unknown(l, group, BT_REFC, p->from))
		return false;
	for (size_t i = 0; i < owners->count; i++) {
		const struct use *use = owners->v[i];

		if (use->start + use->len > p->from && use_is_alone(use))
			return false;
	}
	return true;
}

/* Reports an interval.  Returns 0 or -ENOMEM. */
static int say_interval(struct locate *l, group_t group, const struct interval *p, struct owners *owners,
			const struct rmaps *rmaps)
{
	uint64_t blocks = p->to - p->from, times = p->used + p->free;
	uint32_t length = blocks < NO_INDEX ? (uint32_t)blocks : NO_INDEX - 1;
	bool twice = p->used > 1 && (p->allowed == 1 || p->alone);

	if (twice && may_be_shared(l, group, p, owners)) {
		twice = false;
		if (!p->free) {
			locate_explained(l, ACCOUNT_SPACE, 1);
			return 0;
		}
	}
	if (p->used && (p->free || twice))
		return say_owners(l, group, p, twice ? F_SPACE_CLAIMED_TWICE : 0, owners);
	if (!times) {
		say_lost(l, group, p, rmaps);
		return 0;
	}
	locate_at_block(l, OBJ_AG, group, p->from);
	if (p->free > 1)
		locate_say(l, ACCOUNT_SPACE, F_SPACE_FREE_TWICE, NO_INDEX, blocks, 0);
	else
		locate_say_unless(l, p->used < p->allowed && locate_claims_unknown(l, group), ACCOUNT_SPACE,
				  F_REFCOUNT_COUNT, length, p->allowed, p->used);
	/* with an rmapbt, it shows which files should not have the blocks; else all the files are reported */
	if (p->free || p->used <= p->allowed || l->rc->geo.rmapbt || group_is_rt(&l->rc->geo, group))
		return 0;
	return say_owners(l, group, p, F_SPACE_SHARED_OFTEN, owners);
}

/* Records of a kind, by start. */
struct input {
	const struct use *v;
	size_t count, next;
};

enum {
	INPUT_CLAIM,
	INPUT_FREE,
	INPUT_SHARED,
	INPUT_UNCLAIM,
	INPUT_NR,
};

/* The state of the sweep.  Claims and intervals are sorted by start, so each claim is added once. */
struct sweep_state {
	struct locate *l;
	group_t group;
	struct input inputs[INPUT_NR];
	struct open_ranges open;
	struct input claims; /* a second pass over the claims, for the owners of reported intervals */
	struct owners owners;
	struct rmaps rmaps;
	struct interval interval; /* not reported yet, since the next may continue it; from == to: none */
	int error;		  /* -ENOMEM */
};

/* Reports the pending interval. */
static void finish_interval(struct sweep_state *s)
{
	const struct interval *p = &s->interval;
	struct input *claims = &s->claims;
	struct owners *owners = &s->owners;

	if (p->from == p->to || s->error)
		return;
	for (; claims->next < claims->count && claims->v[claims->next].start < p->to; claims->next++) {
		const struct use *claim = &claims->v[claims->next];

		if (claim->start + claim->len <= p->from)
			continue;
		if (array_grow(&owners->v, &owners->room, owners->count, sizeof(claim))) {
			s->error = -ENOMEM;
			return;
		}
		owners->v[owners->count++] = claim;
	}
	s->error = say_interval(s->l, s->group, p, owners, &s->rmaps);
	s->interval.to = s->interval.from;
}

/* Joins an interval to the pending one, or reports that one and makes the new one pending. */
static void add_interval(struct sweep_state *s, const struct interval *p)
{
	struct interval *last = &s->interval;
	bool owned = p->used && (p->free || p->allowed == 1 || p->alone); /* owners may change at the border */

	if (last->from != last->to && last->to == p->from && !owned && last->used == p->used && last->free == p->free &&
	    last->allowed == p->allowed && last->alone == p->alone) {
		last->to = p->to;
		return;
	}
	finish_interval(s);
	s->interval = *p;
}

static struct times times_of(const struct use *use)
{
	return (struct times){
		.used = use->kind == USE_CLAIM	   ? 1
			: use->kind == USE_UNCLAIM ? -1
						   : 0,
		.free = use->kind == USE_FREE,
		.allowed = use->kind == USE_SHARED ? (int64_t)use->refcount - 1 : 0,
		.alone = use->kind == USE_CLAIM && use_is_alone(use),
	};
}

/* Finds the next block where a record begins or ends.  False: there is none. */
static bool next_border(const struct sweep_state *s, uint64_t *ret_at)
{
	bool any = s->open.count > 0;

	*ret_at = open_ranges_end(&s->open);
	for (unsigned i = 0; i < INPUT_NR; i++) {
		const struct input *in = &s->inputs[i];

		if (in->next == in->count)
			continue;
		any = true;
		if (in->v[in->next].start < *ret_at)
			*ret_at = in->v[in->next].start;
	}
	return any;
}

/* Adds the records that begin at this block, and removes those that end there. */
static void pass_border(struct sweep_state *s, uint64_t at)
{
	for (unsigned i = 0; i < INPUT_NR; i++) {
		struct input *in = &s->inputs[i];

		for (; in->next < in->count && in->v[in->next].start == at && !s->error; in->next++)
			s->error = open_ranges_add(&s->open, at + in->v[in->next].len, times_of(&in->v[in->next]));
	}
	open_ranges_close(&s->open, at);
}

/* Counts may be negative: an interrupted operation may remove what is not there. */
static uint64_t not_negative(int64_t times)
{
	return times > 0 ? (uint64_t)times : 0;
}

static int sweep(struct sweep_state *s, uint64_t from, uint64_t to)
{
	const struct times *now = &s->open.sum;
	bool more = true;

	s->error = open_ranges_add(&s->open, to, (struct times){ .allowed = 1 });
	for (uint64_t at = from, next; more && !s->error; at = next) {
		pass_border(s, at);
		more = next_border(s, &next);
		if (more && (now->used + now->free != now->allowed || (now->alone && now->used > 1))) {
			const struct interval p = { at,
						    next,
						    not_negative(now->used),
						    (uint64_t)now->free,
						    not_negative(now->allowed),
						    now->alone > 0 };

			add_interval(s, &p);
		}
	}
	if (!s->error)
		finish_interval(s);
	return s->error;
}

int locate_space(struct locate *l, group_t group, uint64_t from, uint64_t to)
{
	static const enum use_kind kinds[INPUT_NR] = { USE_CLAIM, USE_FREE, USE_SHARED, USE_UNCLAIM };
	struct sweep_state s = { .l = l, .group = group };
	int ret = -ENOMEM;

	if (locate_free_tree(l, group) != BT_BNO) /* the ledger's account was posted from the bnobt */
		locate_explained(l, ACCOUNT_SPACE, 1);
	for (unsigned i = 0; i < INPUT_NR; i++)
		s.inputs[i].v = locate_uses(l, group, kinds[i], &s.inputs[i].count);
	s.claims = s.inputs[INPUT_CLAIM];
	if (rmaps_find(l, group, &s.rmaps))
		ret = sweep(&s, from, to);
	open_ranges_free(&s.open);
	free(s.owners.v);
	free(s.rmaps.reach);
	return ret;
}
