/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands out blocks to menders: free ones, or else the own blocks of the object being rewritten. */
#include "mend_space.h"
#include "mend_space_look.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "sets/block_map.h"
#include "repair.h"
#include "sets/ordered.h"

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
