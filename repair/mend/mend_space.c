/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free space for menders.  One AG or realtime group after the other, the one with most of it first, is looked at whole:
 * what the bnobt, or the bitmap, has as free and nobody claims.  Two witnesses, since one of the two may be damaged.
 */
#include "mend_space.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "mend_evidence.h"

struct extent {
	uint64_t start, end;
};

struct mend_space {
	bool realtime;
	bool *seen;	/* AGs, or realtime groups, that have been looked at */
	uint32_t which; /* of them: whose extents these are */
	struct extent *free;
	size_t nfree, next;
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

/* Of the records of one group: the free extents without what is claimed. Claims and extents are sorted by start. */
static int find_free(const struct mend *m, struct mend_space *s, const struct evidence_records *r)
{
	uint64_t used = 0; /* end of the claims so far */
	size_t claim = 0, nclaims = 0, room = 0;

	while (nclaims < r->nuses && r->uses[nclaims].kind == USE_CLAIM)
		nclaims++;
	for (size_t i = nclaims; i < r->nuses; i++) {
		uint64_t at = r->uses[i].start, end = at + r->uses[i].len;

		if (r->uses[i].kind != USE_FREE)
			continue;
		while (at < end) {
			uint64_t to = end;

			for (; claim < nclaims && r->uses[claim].start <= at; claim++)
				if (r->uses[claim].start + r->uses[claim].len > used)
					used = r->uses[claim].start + r->uses[claim].len;
			if (claim < nclaims && r->uses[claim].start < to)
				to = r->uses[claim].start;
			if (used > at)
				at = used;
			if (at < to && add_free(m, s, &room, at, to))
				return -ENOMEM;
			at = to > at ? to : at;
		}
	}
	return 0;
}

/* The group with the most free blocks that has not been looked at. False: there is none. */
static bool choose_group(const struct mend *m, struct mend_space *s)
{
	const struct traverse *t = m->now->traverse;
	uint64_t most = 0;

	for (uint32_t i = 0; i < (s->realtime ? m->now->geo.rgcount : m->now->geo.agcount); i++) {
		uint64_t free = s->realtime ? t->rt.group[i].free : t->ags[i].have_agf ? t->ags[i].free_blocks : 0;

		if (s->seen[i] || free <= most)
			continue;
		most = free;
		s->which = i;
	}
	return most > 0;
}

static int look_at_group(struct mend *m, struct mend_space *s)
{
	const group_t group = s->realtime ? group_of_rg(&m->now->geo, s->which) : group_of_ag((agno_t){ s->which });
	struct mend_evidence evidence;
	int ret;

	s->seen[s->which] = true;
	free(s->free);
	s->free = NULL;
	s->nfree = s->next = 0;
	ret = mend_evidence_of_group(m->now, group, MEND_SPACE, NULL, m->rc->memory.records / 2, &evidence);
	if (!ret)
		ret = find_free(m, s, &evidence.records);
	mend_evidence_free(&evidence);
	return ret == -E2BIG ? 0 : ret; /* another group may be smaller */
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
	while (s->next == s->nfree) {
		int ret = choose_group(m, s) ? look_at_group(m, s) : -ENOSPC;

		if (ret)
			return ret;
	}
	e = &s->free[s->next];
	*ret_start = realtime ? rtbno_of(geo, s->which, (gbno_t){ e->start })
			      : fsbno_of(geo, (agno_t){ s->which }, (agbno_t){ (uint32_t)e->start });
	*ret_len = e->end - e->start < want ? (uint32_t)(e->end - e->start) : want;
	e->start += *ret_len;
	s->next += e->start == e->end;
	return 0;
}

static int note_taken(struct mend_taken **taken, size_t *count, size_t *room, fsbno_t start, uint32_t len)
{
	struct mend_taken *last = *count ? &(*taken)[*count - 1] : NULL;

	if (last && last->start.v + last->len == start.v) {
		last->len += len;
		return 0;
	}
	if (array_grow(taken, room, *count, sizeof(**taken)))
		return -ENOMEM;
	(*taken)[(*count)++] = (struct mend_taken){ start, len };
	return 0;
}

int mend_space_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	int ret = take(m, &m->space, false, want, ret_start, ret_len);

	return ret ? ret : note_taken(&m->taken, &m->ntaken, &m->taken_room, *ret_start, *ret_len);
}

int mend_space_take_rt(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	int ret = take(m, &m->rt_space, true, want, ret_start, ret_len);

	return ret ? ret : note_taken(&m->rt_taken, &m->nrt_taken, &m->rt_taken_room, *ret_start, *ret_len);
}

bool mend_space_took(const struct mend *m, fsbno_t block, bool realtime)
{
	const struct mend_taken *taken = realtime ? m->rt_taken : m->taken;
	size_t count = realtime ? m->nrt_taken : m->ntaken;

	for (size_t i = 0; i < count; i++)
		if (block.v - taken[i].start.v < taken[i].len)
			return true;
	return false;
}

static void space_free(struct mend_space **space)
{
	if (*space) {
		free((*space)->seen);
		free((*space)->free);
	}
	free(*space);
	*space = NULL;
}

void mend_space_forget(struct mend *m)
{
	space_free(&m->space);
	space_free(&m->rt_space);
}
