/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free space for menders.  One AG or realtime group after the other, the one with most of it first:
 * what the bnobt, or the bitmap, has as free and nobody claims.  Two witnesses, since one of the two may be damaged.
 * Where the bnobt is lost, the cntbt or the rmapbt knows as well as it did; where none of the three is whole, what the
 * first two still have.  Blocks that the rmapbt has as somebody's come last: an inode may turn up that claims them.  A
 * bit per block for each witness is all that it takes; a group too large for that is looked at in parts.
 */
#include "mend_space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "block_map.h"
#include "mend_own.h"
#include "mend_survey.h"

struct extent {
	uint64_t start, end;
};

struct mend_space {
	bool realtime;
	bool mapped;	/* there are no others left than those that the rmapbt has as somebody's */
	bool *seen;	/* AGs, or realtime groups, that have been looked at */
	uint32_t which; /* of them: whose extents these are */
	uint64_t from;	/* block of it that is to be looked at next; its end: nothing is left of it */
	struct extent *free;
	size_t nfree, next;
	struct mend_survey owners; /* once it was asked for: mend_space_owners() */
};

static int add_extent(struct mend_space *s, size_t *room, uint64_t start, uint64_t end)
{
	if (start >= end)
		return 0;
	if (array_grow(&s->free, room, s->nfree, sizeof(*s->free)))
		return -ENOMEM;
	s->free[s->nfree++] = (struct extent){ start, end };
	return 0;
}

/* Free blocks, but for those that can't be read: who can't read may not be able to write. */
static int add_free(const struct mend *m, struct mend_space *s, size_t *room, uint64_t start, uint64_t end)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t base = ag_offset(geo, (agno_t){ s->which }), bad, len;

	if (s->realtime) { /* nothing has been read there; whole extents only */
		start = (start + geo->rextsize - 1) / geo->rextsize * geo->rextsize;
		return add_extent(s, room, start, end / geo->rextsize * geo->rextsize);
	}

	while (start < end) {
		uint64_t to = end, next = end;

		if (device_unreadable(m->rc->device, base + (start << geo->block_log), (end - start) << geo->block_log,
				      &bad, &len)) {
			to = (bad - base) >> geo->block_log;
			next = ((bad + len - 1 - base) >> geo->block_log) + 1;
		}
		if (add_extent(s, room, start, to))
			return -ENOMEM;
		start = next;
	}
	return 0;
}

/* ---- both witnesses ---- */

/* Who says what is free (ondisk 12, S1 and S8). */
enum witness {
	BY_BNOBT,
	BY_CNTBT,
	BY_RMAPBT, /* has all that is used */
	BY_BOTH,   /* what is left of bnobt and cntbt */
};

struct look {
	group_t group;
	enum witness witness;
	bool mapped; /* of struct mend_space */
	struct block_map free, used;
};

static void mark(const struct look *l, const struct block_map *map, const struct blocks *b)
{
	if (b->group.v == l->group.v)
		block_map_mark(map, b->start.v, b->len);
}

static void claim_found(void *ctx, unsigned lane, const struct claim *claim)
{
	const struct look *l = ctx;

	(void)lane;
	mark(l, &l->used, &claim->at);
}

/* What is staged for copy on write is claimed by the refcount btree. */
static void refcount_found(void *ctx, unsigned lane, group_t group, const struct refcount_record *r)
{
	const struct blocks at = { group, { r->start.v }, r->len };
	const struct look *l = ctx;

	(void)lane;
	if (r->cow)
		mark(l, &l->used, &at);
}

static void free_found(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks)
{
	const struct look *l = ctx;

	(void)lane;
	if (l->witness == (kind == BT_BNO ? BY_BNOBT : BY_CNTBT) || l->witness == BY_BOTH)
		mark(l, &l->free, blocks);
}

static void rmap_found(void *ctx, unsigned lane, group_t group, const struct rmap_record *r)
{
	const struct blocks at = { group, { r->start.v }, r->len };
	const struct look *l = ctx;

	(void)lane;
	if (l->witness == BY_RMAPBT || !l->mapped)
		mark(l, &l->used, &at);
}

static int traverse_for(const struct mend *m, struct look *l)
{
	const struct scope scope = { .claims = true };
	struct sink_ops ops = sink_of_nothing;
	const struct sink sink = { &ops, l, &m->now->key };

	ops.claim = claim_found;
	ops.refcount = refcount_found;
	ops.free_extent = free_found;
	ops.rmap = rmap_found;
	superblock_facts(&m->now->geo, &sink);
	return facts_gather(m->now, &m->now->geo, &scope, &ops, l);
}

void mend_space_clear_taken(const struct mend *m, agno_t agno, struct block_map *free)
{
	const struct geometry *geo = &m->now->geo;

	for (size_t i = 0; i < m->taken.count; i++)
		if (agno_of_fsbno(geo, m->taken.runs[i].start).v == agno.v)
			block_map_set(free, agbno_of_fsbno(geo, m->taken.runs[i].start).v, m->taken.runs[i].len, false);
}

static bool is_free(const struct look *l, uint64_t block)
{
	return block_map_get(&l->free, block) && !block_map_get(&l->used, block);
}

static int add_all_free(const struct mend *m, struct mend_space *s, const struct look *l)
{
	const uint64_t to = l->free.to;
	size_t room = 0;
	int ret = 0;

	for (uint64_t at = l->free.from, end; at < to && !ret; at = end) {
		for (end = at; end < to && is_free(l, end);)
			end++;
		if (end > at)
			ret = add_free(m, s, &room, at, end);
		while (end < to && !is_free(l, end))
			end++;
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

/* Only to choose by. */
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

/* The group with the most free blocks that has not been looked at. False: there is none. */
static bool choose_group(const struct mend *m, struct mend_space *s)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < groups_of(m, s); i++) {
		uint64_t free = free_blocks_about(m, s, i);

		if (s->seen[i] || free <= most)
			continue;
		most = free;
		s->which = i;
	}
	return most > 0;
}

static group_t group_at_hand(const struct mend *m, const struct mend_space *s)
{
	return s->realtime ? group_of_rg(&m->now->geo, s->which) : group_of_ag((agno_t){ s->which });
}

/* What the rmapbt has as somebody's does if there is nothing else. False: that has been looked at, too. */
static bool begin_mapped(const struct mend *m, struct mend_space *s)
{
	const bool begin = !s->mapped && m->now->geo.rmapbt;

	if (begin)
		memset(s->seen, 0, groups_of(m, s) * sizeof(*s->seen));
	s->mapped |= begin;
	return begin;
}

/* The next group, unless something is left of the one at hand. False: there is none. */
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

/* What the survey that came with the check says, without another look. */
static int look_at_survey(struct mend *m, struct mend_space *s)
{
	const struct survey_ag *ag = &m->survey->ags[s->which];
	struct look l = { 0 };
	int ret = block_map_new(&l.free, 0, ag->free.to);

	free(s->free);
	s->free = NULL;
	s->nfree = s->next = 0;
	if (!ret) {
		block_map_unite(&l.free, &ag->free);
		block_map_subtract(&l.free, &ag->claimed);
		if (!s->mapped)
			block_map_subtract(&l.free, &ag->mapped);
		ret = add_all_free(m, s, &l);
	}
	block_map_free(&l.free);
	s->from = ag->free.to;
	return ret;
}

static int look_at_part(struct mend *m, struct mend_space *s)
{
	struct look l = { .group = group_at_hand(m, s), .witness = witness_of(m, s), .mapped = s->mapped };
	uint64_t end = group_length(&m->now->geo, l.group);
	uint64_t most = (m->rc->memory.records / 2 / (2 * sizeof(uint64_t)) + 1) * BLOCK_MAP_WORD; /* in either map */
	uint64_t to = end - s->from > most ? s->from + most : end;
	int ret = -ENOMEM;

	if (!s->realtime && !s->from && mend_survey_has(m->survey, (agno_t){ s->which }))
		return look_at_survey(m, s);
	free(s->free);
	s->free = NULL;
	s->nfree = s->next = 0;
	if (!block_map_new(&l.free, s->from, to) && !block_map_new(&l.used, s->from, to)) {
		if (l.witness == BY_RMAPBT)
			block_map_mark(&l.free, s->from, to - s->from);
		ret = traverse_for(m, &l);
	}
	/* an object that is not written yet has no claim on it that anybody could see */
	if (!s->realtime)
		mend_space_clear_taken(m, (agno_t){ s->which }, &l.free);
	if (!ret)
		ret = add_all_free(m, s, &l);
	block_map_free(&l.free);
	block_map_free(&l.used);
	s->from = to;
	return ret;
}

static struct mend_space *space_new(const struct geometry *geo, bool realtime)
{
	struct mend_space *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->realtime = realtime;
	s->seen = calloc((size_t)(realtime ? geo->rgcount : geo->agcount) + 1, sizeof(*s->seen));
	if (s->seen)
		return s;
	free(s);
	return NULL;
}

/* From the first free extent that is left: up to `want` blocks. */
static int take(struct mend *m, struct mend_space **space, bool realtime, uint32_t want, fsbno_t *ret_start,
		uint32_t *ret_len)
{
	const struct geometry *geo = &m->now->geo;
	struct mend_space *s = *space ? *space : space_new(geo, realtime);
	struct extent *e;

	*space = s;
	if (!s)
		return -ENOMEM;
	while (s->next == s->nfree || s->free[s->next].start == s->free[s->next].end) {
		int ret = 0;

		if (s->next < s->nfree)
			s->next++;
		else
			ret = next_part(m, s) ? look_at_part(m, s) : -ENOSPC;
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

static int note_taken(struct mend_taken *taken, fsbno_t start, uint32_t len)
{
	struct taken_run *last = taken->count ? &taken->runs[taken->count - 1] : NULL;

	if (last && last->start.v + last->len == start.v) {
		last->len += len;
		return 0;
	}
	if (array_grow(&taken->runs, &taken->room, taken->count, sizeof(*taken->runs)))
		return -ENOMEM;
	taken->runs[taken->count++] = (struct taken_run){ start, len };
	return 0;
}

int mend_space_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	int ret = take(m, &m->space, false, want, ret_start, ret_len);

	if (ret == -ENOSPC && m->survey) { /* which may have too much in use by now */
		mend_space_forget(m);
		ret = take(m, &m->space, false, want, ret_start, ret_len);
	}
	if (ret == -ENOSPC)
		ret = mend_own_take(m, want, ret_start, ret_len);
	if (!ret)
		mend_survey_claim(m->survey, agno_of_fsbno(&m->now->geo, *ret_start),
				  agbno_of_fsbno(&m->now->geo, *ret_start), *ret_len);
	return ret ? ret : note_taken(&m->taken, *ret_start, *ret_len);
}

int mend_space_take_rt(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	int ret = take(m, &m->rt_space, true, want, ret_start, ret_len);

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

/* The first such run of a group's free extents; false: there is none. */
static bool find_run(const struct geometry *geo, const struct mend_space *s, const struct space_run *run,
		     uint64_t *ret_start)
{
	const uint64_t from = ((uint64_t)geo->first_data_agbno + run->whole - 1) / run->whole * run->whole;
	const uint64_t to = (uint64_t)ag_length(geo, (agno_t){ s->which }) / run->whole * run->whole;

	for (size_t i = 0; i < s->nfree; i++) {
		uint64_t start = s->free[i].start < from ? from : s->free[i].start;
		uint64_t end = s->free[i].end < to ? s->free[i].end : to;

		start = (start + run->align - 1) / run->align * run->align;
		if (start + run->len <= end) {
			*ret_start = start;
			return true;
		}
	}
	return false;
}

int mend_space_take_run(struct mend *m, const struct space_run *run, bool *seen, fsbno_t *ret_start)
{
	struct mend_space s = { .seen = seen };
	uint64_t start;
	bool found = false;
	int ret = 0;

	while (!ret && !found) {
		ret = next_part(m, &s) ? look_at_part(m, &s) : -ENOSPC;
		found = !ret && find_run(&m->now->geo, &s, run, &start);
	}
	free(s.free);
	if (ret)
		return ret;
	*ret_start = fsbno_of(&m->now->geo, (agno_t){ s.which }, (agbno_t){ (uint32_t)start });
	mend_space_lose(m, *ret_start, run->len);
	return note_taken(&m->taken, *ret_start, run->len);
}

int mend_space_spent(struct mend *m, fsbno_t block)
{
	return note_taken(&m->taken, block, 1);
}

bool mend_space_took(const struct mend *m, fsbno_t block, bool realtime)
{
	const struct mend_taken *taken = realtime ? &m->rt_taken : &m->taken;

	if (!realtime && ino_set_has(&m->notes.reused, (xino_t){ block.v }))
		return true;
	for (size_t i = 0; i < taken->count; i++)
		if (block.v - taken->runs[i].start.v < taken->runs[i].len)
			return true;
	return false;
}

static bool ends_by(const void *element, const void *key)
{
	return ((const struct extent *)element)->end <= *(const uint64_t *)key;
}

/* What lies before them in an extent is given up, too: there is more. */
static void lose(struct mend_space *s, uint64_t start, uint64_t len)
{
	for (size_t i = array_lower_bound(s->free, s->nfree, sizeof(*s->free), &start, ends_by);
	     i < s->nfree && s->free[i].start < start + len; i++)
		s->free[i].start = s->free[i].end < start + len ? s->free[i].end : start + len;
}

void mend_space_lose(struct mend *m, fsbno_t start, uint64_t len)
{
	const struct geometry *geo = &m->now->geo;
	const agno_t agno = agno_of_fsbno(geo, start);
	const agbno_t agbno = agbno_of_fsbno(geo, start);

	mend_survey_claim(m->survey, agno, agbno, len);
	if (!m->space)
		return;
	if (mend_survey_has(&m->space->owners, agno)) {
		block_map_set(&m->space->owners.ags[agno.v].claimed, agbno.v, len, true);
		block_map_set(&m->space->owners.ags[agno.v].again, agbno.v, len, true);
	}
	if (agno.v == m->space->which)
		lose(m->space, agbno.v, len);
}

/* Not by the survey that came with the check: what has changed since it need not have. */
static int survey_owners(struct mend *m, struct mend_survey *owners)
{
	const uint32_t agcount = m->now->geo.agcount;
	bool *all = calloc(agcount, sizeof(*all));
	int ret = -ENOMEM;

	if (all) {
		memset(all, true, agcount * sizeof(*all));
		ret = mend_survey(m, all, NULL, owners);
	}
	free(all);
	return ret;
}

int mend_space_owners(struct mend *m, const struct mend_survey **ret_owners)
{
	struct mend_space *s = m->space;
	int ret = s ? 0 : -E2BIG;

	*ret_owners = NULL;
	if (!ret && !s->owners.ags)
		ret = survey_owners(m, &s->owners);
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

static int block_order(const void *a, const void *b)
{
	const fsbno_t *x = a, *y = b;

	return (x->v > y->v) - (x->v < y->v);
}

size_t mend_space_unique(fsbno_t *blocks, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(blocks, count, sizeof(*blocks), block_order);
	for (size_t i = 0; i < count; i++)
		if (!kept || blocks[kept - 1].v != blocks[i].v)
			blocks[kept++] = blocks[i];
	return kept;
}

int mend_space_reuse(struct mend *m, fsbno_t block)
{
	int ret = ino_set_put(&m->notes.reused, (xino_t){ block.v });

	mend_space_lose(m, block, 1);
	return ret;
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
	mend_space_forget_rt(m);
	mend_space_forget_survey(m);
}
