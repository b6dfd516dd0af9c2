/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands out blocks to menders: free ones, or else the own blocks of the object being rewritten. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "check/books/ledger.h"
#include "check/facts.h"
#include "check/walk/traverse.h"
#include "mend/collect/mend_survey.h"
#include "mend_space.h"
#include "repair.h"
#include "run.h"
#include "sets/block_map.h"
#include "sets/ordered.h"

/* Free blocks [start, end) of an AG or realtime group. */
struct free_extent {
	uint64_t start, end;
};

struct mend_space {
	bool realtime;
	uint32_t least; /* shorter free extents are ignored; 0: none */
	bool mapped;	/* second pass, over free blocks that have an owner in the rmapbt: no others are left */
	bool *seen;	/* per AG or realtime group: searched */
	uint32_t which; /* the current group, which free[] is about */
	uint64_t from;	/* next block to search in it; its length: done */
	struct free_extent *free;
	size_t nfree, next;
	struct mend_survey owners; /* mend_space_owners(); empty: not made yet */
};

/*
 * Searches for free space, one AG or realtime group after the other, the one with the most free space first.
 *
 * A block is free if the bnobt (or realtime bitmap) lists it and no one claims it: two sources, since one may be
 * damaged.  If the bnobt is lost, the cntbt or rmapbt replaces it; if none of the three is whole, the remains of bnobt
 * and cntbt do.  Blocks with an owner in the rmapbt come last, because an inode that claims them may turn up later.  If
 * the space account of a group balanced in the last check, its bnobt alone decides; such groups come first, because
 * others need all claims to be collected.  That takes a bit per block and source; groups too large for memory are
 * searched in parts.
 */

static int add_extent(struct mend_space *s, size_t *room, uint64_t start, uint64_t end)
{
	if (start >= end || end - start < s->least)
		return 0;
	if (array_grow(&s->free, room, s->nfree, sizeof(*s->free)))
		return -ENOMEM;
	s->free[s->nfree++] = (struct free_extent){ start, end };
	return 0;
}

/* Adds free blocks, except unreadable ones, which may not be writable. */
static int add_free(const struct mend *m, struct mend_space *s, size_t *room, uint64_t start, uint64_t end)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t base = ag_offset(geo, (agno_t){ s->which }), bad, len;

	if (s->realtime) { /* only whole realtime extents; free ones are never read, so none is known as unreadable */
		start = (start + geo->rextsize - 1) / geo->rextsize * geo->rextsize;
		return add_extent(s, room, start, end / geo->rextsize * geo->rextsize);
	}

	while (start < end) {
		uint64_t to = end, next = end;

		if (device_unreadable(m->rc->run->device, base + (start << geo->block_log),
				      (end - start) << geo->block_log, &bad, &len)) {
			to = (bad - base) >> geo->block_log;
			next = ((bad + len - 1 - base) >> geo->block_log) + 1;
		}
		if (add_extent(s, room, start, to))
			return -ENOMEM;
		start = next;
	}
	return 0;
}

/* ---- the two sources ---- */

/* The source that tells which blocks are free (ondisk 12, S1 and S8). */
enum witness {
	BY_BNOBT,
	BY_CNTBT,
	BY_RMAPBT, /* blocks without a record are free */
	BY_BOTH,   /* remains of bnobt and cntbt */
};

struct look {
	group_t group;
	enum witness witness;
	bool mapped; /* as in struct mend_space */
	struct block_map free, used;
};

static void mark(const struct look *l, const struct block_map *map, const struct blocks *b)
{
	if (b->group.v == l->group.v)
		block_map_mark(map, b->start.v, b->len);
}

static void claim_found(void *ctx, unsigned worker, const struct claim *claim)
{
	const struct look *l = ctx;

	(void)worker;
	mark(l, &l->used, &claim->at);
}

/* Extents staged for copy on write are claimed by their refcount records. */
static void refcount_found(void *ctx, unsigned worker, group_t group, const struct refcount_record *r)
{
	const struct blocks at = { group, { r->start.v }, r->len };
	const struct look *l = ctx;

	(void)worker;
	if (r->cow)
		mark(l, &l->used, &at);
}

static void free_found(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	const struct look *l = ctx;

	(void)worker;
	if (l->witness == (kind == BT_BNO ? BY_BNOBT : BY_CNTBT) || l->witness == BY_BOTH)
		mark(l, &l->free, blocks);
}

static void rmap_found(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	const struct blocks at = { group, { r->start.v }, r->len };
	const struct look *l = ctx;

	(void)worker;
	if (l->witness == BY_RMAPBT || !l->mapped)
		mark(l, &l->used, &at);
}

/*
 * True if the bnobt of a group alone tells what is free: its space account balanced in the last check, and all claims
 * that menders have made since are known.
 */
static bool bnobt_tells(const struct mend *m, group_t group)
{
	const struct repair *now = m->now;

	return !group_is_rt(&now->geo, group) && now->ledger &&
	       ledger_group_balances(now->ledger, group, ACCOUNT_SPACE) &&
	       ag_tree_whole(&now->traverse->ags[group.v], BT_BNO) && !m->round.claims_unknown && !now->run->intents &&
	       !m->intents;
}

/* Traverses the btrees of one AG. */
static int traverse_group(const struct mend *m, const struct scope *scope, const struct sink *sink, agno_t agno)
{
	struct traverse *t = NULL;
	int ret = facts_traverse(m->now, &m->now->geo, scope, sink, &t);

	if (!ret)
		ret = traverse_these_groups(t, &agno, 1);
	traverse_free(t);
	return ret;
}

static int traverse_for(const struct mend *m, struct look *l)
{
	const struct scope scope = { .claims = true };
	static const struct sink_ops ops = {
		.claim = claim_found, .refcount = refcount_found, .free_extent = free_found, .rmap = rmap_found
	};
	const struct sink sink = { &ops, l, &m->now->run->key };

	if (!l->mapped && bnobt_tells(m, l->group))
		return traverse_group(m, &scope, &sink, (agno_t){ l->group.v });
	return mend_gather(m->now, &scope, &sink, NULL, NULL);
}

/* Sets s->free to the runs of set bits in the map. 0 or -ENOMEM. */
static int take_over(const struct mend *m, struct mend_space *s, const struct block_map *map)
{
	size_t room = 0;
	int ret = 0;

	free(s->free);
	s->free = NULL;
	s->nfree = s->next = 0;
	for (uint64_t at = map->from, end; at < map->to && !ret; at = end) {
		at = block_map_next(map, map, at, true);
		end = block_map_next(map, map, at, false);
		ret = add_free(m, s, &room, at, end);
	}
	return ret;
}

/* ---- groups ---- */

static enum witness witness_of(const struct mend *m, const struct mend_space *s)
{
	const struct ag_state *ag = &m->now->traverse->ags[s->which];

	if (s->realtime || ag_tree_whole(ag, BT_BNO))
		return BY_BNOBT;
	if (ag_tree_whole(ag, BT_CNT))
		return BY_CNTBT;
	return m->now->geo.rmapbt && ag_tree_whole(ag, BT_RMAP) ? BY_RMAPBT : BY_BOTH;
}

/* Estimates the number of free blocks of a group, for choosing the one with the most. */
static uint64_t free_blocks_about(const struct mend *m, const struct mend_space *s, uint32_t which)
{
	const struct traverse *t = m->now->traverse;
	const struct ag_state *ag;

	if (s->realtime)
		return t->rt.group[which].free;
	ag = &t->ags[which];
	if (!ag->have_agf || ag_tree_whole(ag, BT_BNO))
		return ag->have_agf ? ag->free_blocks : 0;
	return (uint64_t)ag->agf.freeblks + 1;
}

static uint32_t groups_of(const struct mend *m, const struct mend_space *s)
{
	return s->realtime ? m->now->geo.rgcount : m->now->geo.agcount;
}

static group_t group_numbered(const struct mend *m, const struct mend_space *s, uint32_t which)
{
	return s->realtime ? group_of_rg(&m->now->geo, which) : group_of_ag((agno_t){ which });
}

/*
 * Chooses the group with the most free blocks that has not been searched, preferring those whose bnobt alone tells what
 * is free.  False: there is none.
 */
static bool choose_group(const struct mend *m, struct mend_space *s)
{
	uint64_t most = 0;
	bool most_tells = false;

	for (uint32_t i = 0; i < groups_of(m, s); i++) {
		const uint64_t free = free_blocks_about(m, s, i);
		const bool tells = bnobt_tells(m, group_numbered(m, s, i));

		if (s->seen[i] || !free || (most && (tells != most_tells ? most_tells : free <= most)))
			continue;
		most = free;
		most_tells = tells;
		s->which = i;
	}
	return most > 0;
}

static group_t group_at_hand(const struct mend *m, const struct mend_space *s)
{
	return group_numbered(m, s, s->which);
}

/* Starts the second pass, over free blocks with an owner in the rmapbt. False: already started, or no rmapbt. */
static bool begin_mapped(const struct mend *m, struct mend_space *s)
{
	const bool begin = !s->mapped && m->now->geo.rmapbt;

	if (begin)
		memset(s->seen, 0, groups_of(m, s) * sizeof(*s->seen));
	s->mapped |= begin;
	return begin;
}

/* Moves to the next group if the current one is done. False: no group is left. */
static bool next_part(const struct mend *m, struct mend_space *s)
{
	if (s->from && s->from < group_length(&m->now->geo, group_at_hand(m, s)))
		return true;
	if (!choose_group(m, s) && !(begin_mapped(m, s) && choose_group(m, s)))
		return false;
	s->seen[s->which] = true;
	s->from = 0;
	return true;
}

/* Finds the free extents of the current AG in the survey that came with the check, without another traversal. */
static int look_at_survey(struct mend *m, struct mend_space *s)
{
	const struct survey_ag *ag = &m->survey->ags[s->which];
	struct block_map map;
	int ret = block_map_new(&map, 0, ag->free.to);

	if (!ret) {
		block_map_unite(&map, &ag->free);
		block_map_subtract(&map, &ag->claimed);
		if (!s->mapped)
			block_map_subtract(&map, &ag->mapped);
		ret = take_over(m, s, &map);
	}
	block_map_free(&map);
	s->from = ag->free.to;
	return ret;
}

static int look_at_part(struct mend *m, struct mend_space *s)
{
	struct look l = { .group = group_at_hand(m, s), .witness = witness_of(m, s), .mapped = s->mapped };
	uint64_t end = group_length(&m->now->geo, l.group);
	/* number of blocks in each of the two maps */
	uint64_t most = (m->rc->run->memory.records / 2 / (2 * sizeof(uint64_t)) + 1) * BLOCK_MAP_WORD;
	uint64_t to = end - s->from > most ? s->from + most : end;
	int ret = -ENOMEM;

	if (!s->realtime && !s->from && mend_survey_has(m->survey, (agno_t){ s->which }))
		return look_at_survey(m, s);
	if (!block_map_new(&l.free, s->from, to) && !block_map_new(&l.used, s->from, to)) {
		if (l.witness == BY_RMAPBT)
			block_map_mark(&l.free, s->from, to - s->from);
		ret = traverse_for(m, &l);
	}
	if (!ret) {
		block_map_subtract(&l.free, &l.used);
		/* blocks allocated for an object that is not staged yet: no traversal sees a claim on them */
		if (!s->realtime)
			mend_space_clear_taken(m, (agno_t){ s->which }, &l.free);
		ret = take_over(m, s, &l.free);
	}
	block_map_free(&l.free);
	block_map_free(&l.used);
	s->from = to;
	return ret;
}

/* Replaces s->free by the free extents of the next part. 0, -ENOSPC if no part is left, or another negative errno. */
static int mend_space_look(struct mend *m, struct mend_space *s)
{
	return next_part(m, s) ? look_at_part(m, s) : -ENOSPC;
}

static struct mend_space *space_new(const struct geometry *geo, bool realtime, uint32_t least)
{
	struct mend_space *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->realtime = realtime;
	s->least = least;
	s->seen = calloc((size_t)(realtime ? geo->rgcount : geo->agcount) + 1, sizeof(*s->seen));
	if (s->seen)
		return s;
	free(s);
	return NULL;
}

/* Takes `least` to `want` blocks from the first free extent with enough left. */
static int take_free(struct mend *m, struct mend_space **space, uint32_t least, uint32_t want, fsbno_t *ret_start,
		     uint32_t *ret_len)
{
	const struct geometry *geo = &m->now->geo;
	const bool realtime = space == &m->rt_space;
	struct mend_space *s = *space ? *space : space_new(geo, realtime, least);
	struct free_extent *e;

	*space = s;
	if (!s)
		return -ENOMEM;
	while (s->next == s->nfree || s->free[s->next].end - s->free[s->next].start < least) {
		int ret = 0;

		if (s->next < s->nfree)
			s->next++;
		else
			ret = mend_space_look(m, s);
		if (ret)
			return ret;
	}
	e = &s->free[s->next];
	*ret_start = realtime ? rtbno_of(geo, s->which, (gbno_t){ e->start })
			      : fsbno_of(geo, (agno_t){ s->which }, (agbno_t){ (uint32_t)e->start });
	*ret_len = e->end - e->start < want ? (uint32_t)(e->end - e->start) : want;
	e->start += *ret_len;
	return 0;
}

/* True if a run starting at `start` continues the last one. */
static bool continues(const struct mend_taken *taken, fsbno_t start)
{
	const size_t n = taken->count;

	return n && taken->ranges[n - 1].start.v + taken->ranges[n - 1].len == start.v;
}

static int note_taken(struct mend_taken *taken, fsbno_t start, uint32_t len)
{
	if (continues(taken, start)) {
		taken->ranges[taken->count - 1].len += len;
		return 0;
	}
	return array_add(taken->ranges, taken->room, taken->count, (struct taken_range){ start, len });
}

/* Removes blocks from free extents, along with those in front of them in the same extent, which is little. */
static void lose(const struct geometry *geo, struct mend_space *s, fsbno_t block, uint64_t len)
{
	const uint64_t start = agbno_of_fsbno(geo, block).v;

	if (!s || s->which != agno_of_fsbno(geo, block).v)
		return;
	for (size_t i = ordered_behind(s->free, s->nfree, MEMBER(s->free, end), start);
	     i < s->nfree && s->free[i].start < start + len; i++)
		s->free[i].start = s->free[i].end < start + len ? s->free[i].end : start + len;
}

/* Takes blocks of AGs from m->space or m->whole_space. */
static int take(struct mend *m, struct mend_space **space, uint32_t least, uint32_t want, fsbno_t *ret_start,
		uint32_t *ret_len)
{
	const struct geometry *geo = &m->now->geo;
	int ret = take_free(m, space, least, want, ret_start, ret_len);

	if (ret == -ENOSPC &&
	    m->survey) { /* search again without the survey, which does not know blocks that were given up */
		mend_space_forget(m);
		ret = take_free(m, space, least, want, ret_start, ret_len);
	}
	if (ret == -ENOSPC)
		ret = mend_own_take(m, least, want, ret_start, ret_len);
	if (!ret) {
		mend_survey_claim(m->survey, agno_of_fsbno(geo, *ret_start), agbno_of_fsbno(geo, *ret_start), *ret_len);
		lose(geo, space == &m->space ? m->whole_space : m->space, *ret_start, *ret_len);
	}
	m->in_vain += ret == -ENOSPC;
	return ret ? ret : note_taken(&m->taken, *ret_start, *ret_len);
}

int mend_space_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	return take(m, &m->space, 1, want, ret_start, ret_len);
}

int mend_space_take_whole(struct mend *m, uint32_t len, fsbno_t *ret_start)
{
	return take(m, len > 1 ? &m->whole_space : &m->space, len, len, ret_start, &len);
}

int mend_space_take_rt(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	int ret = take_free(m, &m->rt_space, 1, want, ret_start, ret_len);

	m->in_vain += ret == -ENOSPC;
	return ret ? ret : note_taken(&m->rt_taken, *ret_start, *ret_len);
}

static void space_free(struct mend_space **space)
{
	if (*space) {
		free((*space)->seen);
		free((*space)->free);
		mend_survey_free(&(*space)->owners);
	}
	free(*space);
	*space = NULL;
}

/* Finds the first such run in the free extents of the current AG. False: there is none. */
static bool find_shaped(const struct geometry *geo, const struct mend_space *s, const struct space_shape *shape,
			uint64_t *ret_start)
{
	const uint64_t from = ((uint64_t)geo->first_data_agbno + shape->whole - 1) / shape->whole * shape->whole;
	const uint64_t to = (uint64_t)ag_length(geo, (agno_t){ s->which }) / shape->whole * shape->whole;

	for (size_t i = 0; i < s->nfree; i++) {
		uint64_t start = s->free[i].start < from ? from : s->free[i].start;
		uint64_t end = s->free[i].end < to ? s->free[i].end : to;

		start = (start + shape->align - 1) / shape->align * shape->align;
		if (start + shape->len <= end) {
			*ret_start = start;
			return true;
		}
	}
	return false;
}

int mend_space_take_shaped(struct mend *m, const struct space_shape *shape, bool *seen, fsbno_t *ret_start)
{
	struct mend_space s = { .seen = seen };
	uint64_t start;
	bool found = false;
	int ret = 0;

	while (!ret && !found) {
		ret = mend_space_look(m, &s);
		found = !ret && find_shaped(&m->now->geo, &s, shape, &start);
	}
	free(s.free);
	if (ret)
		return ret;
	*ret_start = fsbno_of(&m->now->geo, (agno_t){ s.which }, (agbno_t){ (uint32_t)start });
	mend_space_claim(m, *ret_start, shape->len);
	return note_taken(&m->taken, *ret_start, shape->len);
}

int mend_space_take_this(struct mend *m, fsbno_t block)
{
	mend_space_claim(m, block, 1);
	return note_taken(&m->taken, block, 1);
}

int mend_space_give(struct mend *m, fsbno_t block)
{
	return note_taken(&m->taken, block, 1);
}

void mend_space_clear_taken(const struct mend *m, agno_t agno, struct block_map *free)
{
	const struct geometry *geo = &m->now->geo;

	for (size_t i = 0; i < m->taken.count; i++)
		if (agno_of_fsbno(geo, m->taken.ranges[i].start).v == agno.v)
			block_map_set(free, agbno_of_fsbno(geo, m->taken.ranges[i].start).v, m->taken.ranges[i].len,
				      false);
}

void mend_space_claim(struct mend *m, fsbno_t start, uint64_t len)
{
	const struct geometry *geo = &m->now->geo;
	const agno_t agno = agno_of_fsbno(geo, start);
	const agbno_t agbno = agbno_of_fsbno(geo, start);

	mend_survey_claim(m->survey, agno, agbno, len);
	lose(geo, m->space, start, len);
	lose(geo, m->whole_space, start, len);
	if (m->space && mend_survey_has(&m->space->owners, agno)) {
		block_map_set(&m->space->owners.ags[agno.v].claimed, agbno.v, len, true);
		block_map_set(&m->space->owners.ags[agno.v].again, agbno.v, len, true);
	}
}

int mend_space_owners(struct mend *m, const struct mend_survey **ret_owners)
{
	struct mend_space *s = m->space ? m->space : space_new(&m->now->geo, false, 1);
	int ret = s ? 0 : -ENOMEM;

	m->space = s;
	*ret_owners = NULL;
	/* a new survey: the one that came with the check does not know all changes since then */
	if (!ret && !s->owners.ags)
		ret = mend_survey(m, NULL, NULL, &s->owners);
	if (!ret)
		*ret_owners = &s->owners;
	return ret == -E2BIG ? 0 : ret;
}

int mend_space_alone(struct mend *m, fsbno_t block, bool counted, bool *ret_alone)
{
	const agno_t agno = agno_of_fsbno(&m->now->geo, block);
	const agbno_t agbno = agbno_of_fsbno(&m->now->geo, block);
	const struct mend_survey *owners;
	const struct survey_ag *ag;
	int ret = mend_space_owners(m, &owners);

	*ret_alone = false;
	if (ret || !owners)
		return ret;
	ag = &owners->ags[agno.v];
	*ret_alone = !block_map_get(&ag->again, agbno.v) && !block_map_get(&ag->shared, agbno.v) &&
		     !block_map_get(&ag->free, agbno.v) && (counted || !block_map_get(&ag->claimed, agbno.v));
	return 0;
}

void mend_space_forget_rt(struct mend *m)
{
	space_free(&m->rt_space);
}

void mend_space_forget_survey(struct mend *m)
{
	if (m->survey)
		mend_survey_free(m->survey);
	free(m->survey);
	m->survey = NULL;
}

void mend_space_forget(struct mend *m)
{
	space_free(&m->space);
	space_free(&m->whole_space);
	mend_space_forget_rt(m);
	mend_space_forget_survey(m);
}

void mend_space_outdated(struct mend *m)
{
	mend_space_forget(m);
	m->round.claims_unknown = true;
}
