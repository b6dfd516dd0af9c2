/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free space for menders.  One AG after the other, the one with most of it first, is looked at whole: what the bnobt
 * has as free and nobody claims.  Two witnesses, since one of the two may be what is damaged.
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
	bool *seen;  /* AGs that have been looked at */
	agno_t agno; /* whose extents these are */
	struct extent *free;
	size_t nfree, next;
};

/* Free blocks, but for those that can't be read: who can't read may not be able to write. */
static int add_free(const struct mend *m, struct mend_space *s, size_t *room, uint64_t start, uint64_t end)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t base = bytes_of_daddr(daddr_of(geo, s->agno, (agbno_t){ 0 })), bad, len;

	while (start < end) {
		uint64_t to = end, next = end;

		if (device_unreadable(m->rc->device, base + (start << geo->block_log), (end - start) << geo->block_log,
				      &bad, &len)) {
			to = (bad - base) >> geo->block_log;
			next = ((bad + len - 1 - base) >> geo->block_log) + 1;
		}
		if (start < to) {
			if (array_grow(&s->free, room, s->nfree, sizeof(*s->free)))
				return -ENOMEM;
			s->free[s->nfree++] = (struct extent){ start, to };
		}
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

/* The AG with the most free blocks that has not been looked at. False: there is none. */
static bool choose_group(const struct mend *m, struct mend_space *s)
{
	uint64_t most = 0;

	for (uint32_t ag = 0; ag < m->now->geo.agcount; ag++) {
		const struct ag_state *state = &m->now->traverse->ags[ag];

		if (s->seen[ag] || !state->have_agf || state->free_blocks <= most)
			continue;
		most = state->free_blocks;
		s->agno.v = ag;
	}
	return most > 0;
}

static int look_at_group(struct mend *m, struct mend_space *s)
{
	bool *wanted = calloc(m->now->geo.agcount, sizeof(*wanted));
	struct mend_evidence evidence;
	int ret;

	if (!wanted)
		return -ENOMEM;
	wanted[s->agno.v] = s->seen[s->agno.v] = true;
	free(s->free);
	s->free = NULL;
	s->nfree = s->next = 0;
	ret = mend_evidence_collect(m->now, wanted, MEND_SPACE, NULL, m->rc->memory.records / 2, &evidence);
	if (!ret)
		ret = find_free(m, s, &evidence.records);
	mend_evidence_free(&evidence);
	free(wanted);
	return ret == -E2BIG ? 0 : ret; /* another group may be smaller */
}

int mend_space_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	struct mend_space *s = m->space;
	struct extent *e;

	if (!s) {
		s = m->space = calloc(1, sizeof(*s));
		if (!s)
			return -ENOMEM;
		s->seen = calloc(m->now->geo.agcount, sizeof(*s->seen));
		if (!s->seen)
			return -ENOMEM;
	}
	while (s->next == s->nfree) {
		int ret = choose_group(m, s) ? look_at_group(m, s) : -ENOSPC;

		if (ret)
			return ret;
	}
	e = &s->free[s->next];
	*ret_start = fsbno_of(&m->now->geo, s->agno, (agbno_t){ (uint32_t)e->start });
	*ret_len = e->end - e->start < want ? (uint32_t)(e->end - e->start) : want;
	e->start += *ret_len;
	s->next += e->start == e->end;
	if (m->ntaken && m->taken[m->ntaken - 1].start.v + m->taken[m->ntaken - 1].len == ret_start->v) {
		m->taken[m->ntaken - 1].len += *ret_len;
		return 0;
	}
	if (array_grow(&m->taken, &m->taken_room, m->ntaken, sizeof(*m->taken)))
		return -ENOMEM;
	m->taken[m->ntaken++] = (struct mend_taken){ *ret_start, *ret_len };
	return 0;
}

bool mend_space_took(const struct mend *m, fsbno_t block)
{
	for (size_t i = 0; i < m->ntaken; i++)
		if (block.v - m->taken[i].start.v < m->taken[i].len)
			return true;
	return false;
}

void mend_space_forget(struct mend *m)
{
	if (m->space) {
		free(m->space->seen);
		free(m->space->free);
	}
	free(m->space);
	m->space = NULL;
}
