/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The collection of findings. Each worker adds to a small lane of its own; a full lane is emptied, under a lock, onto
 * one shelf per kind of finding. A shelf keeps the first findings by found_compare(), FINDINGS_SHOWN or as many as
 * findings_keep() says, each once with the number of times it was reported, and counts the rest.
 *
 * The result does not depend on threads: a finding among the first of all is also among the first of any subset, so
 * neither it nor a report of it is ever dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "findings_shelf.h"
#include "report.h"

struct findings *findings_new(unsigned workers)
{
	struct findings *f = calloc(1, sizeof(*f) + workers * sizeof(struct lane));

	if (!f)
		return NULL;
	pthread_mutex_init(&f->lock, NULL);
	f->lane_count = workers;
	f->kept = FINDINGS_SHOWN;
	return f;
}

void findings_keep(struct findings *f, uint32_t count)
{
	f->kept = count;
}

void shelf_clear(struct shelf *s)
{
	for (uint32_t k = 0; k < s->count; k++)
		found_drop(&s->found[k]);
	free(s->found);
	*s = (struct shelf){ 0 };
}

void findings_free(struct findings *f)
{
	if (!f)
		return;
	for (unsigned i = 0; i < FINDING_NR; i++)
		shelf_clear(&f->shelves[i]);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static int compare_found(const void *a, const void *b)
{
	return found_compare(a, b);
}

void shelf_settle(struct shelf *s, uint32_t most)
{
	uint32_t kept = 0;

	if (s->count == 0)
		return;
	qsort(s->found, s->count, sizeof(*s->found), compare_found);
	for (uint32_t i = 1; i < s->count; i++) {
		if (found_compare(&s->found[kept], &s->found[i])) {
			s->found[++kept] = s->found[i];
		} else {
			s->found[kept].times += s->found[i].times;
			s->found[kept].reported |= s->found[i].reported;
			found_drop(&s->found[i]);
		}
	}
	s->count = kept + 1;
	while (s->count > most) {
		s->excess += s->found[--s->count].times;
		found_drop(&s->found[s->count]);
	}
	if (s->count == most) {
		s->full = true;
		s->bound = s->found[s->count - 1];
	}
}

/* Makes room for one more finding. False: out of memory. */
static bool shelf_reserve(struct shelf *s, uint32_t most)
{
	size_t fit = (size_t)2 * most, capacity = s->capacity ? (size_t)2 * s->capacity : 16;
	struct found *found;

	if (s->count < s->capacity)
		return true;
	if (s->capacity < fit) {
		if (capacity > fit)
			capacity = fit;
		found = reallocarray(s->found, capacity, sizeof(*found));
		if (found) {
			s->found = found;
			s->capacity = (uint32_t)capacity;
			return true;
		}
	}
	shelf_settle(s, most);
	return s->count < s->capacity;
}

/* Adds a copy of a finding, or only counts it. False: it is only counted for lack of memory. */
static bool shelf_add(struct shelf *s, uint32_t most, const struct found *found)
{
	const bool beyond = s->full && found_compare(found, &s->bound) > 0;

	if (!beyond && shelf_reserve(s, most) && found_copy(&s->found[s->count], found)) {
		s->count++;
		return true;
	}
	s->excess += found->times;
	return beyond;
}

/* Effects that are dropped if their cause was reported for the same place. */
static const struct {
	enum finding cause, effect;
} consequences[] = {
	{ F_DIR_DOTDOT_DANGLING, F_DIR_DOTDOT_PARENT },
	{ F_DIR_DOTDOT_DANGLING, F_TREE_UNREACHABLE },
};

static void drop_consequences(const struct shelf *causes, struct shelf *effects)
{
	uint32_t kept = 0;

	for (uint32_t i = 0, k = 0; i < effects->count; i++) {
		struct found *effect = &effects->found[i];

		while (k < causes->count && place_compare(&causes->found[k].place, &effect->place) < 0)
			k++;
		if (k < causes->count && place_compare(&causes->found[k].place, &effect->place) == 0)
			found_drop(effect);
		else
			effects->found[kept++] = *effect;
	}
	effects->full &= effects->count == kept; /* else the bound may be among the dropped */
	effects->count = kept;
}

static void lane_empty(struct findings *f, struct lane *lane)
{
	pthread_mutex_lock(&f->lock);
	for (unsigned i = 0; i < lane->count; i++)
		f->starved |= !shelf_add(&f->shelves[lane->found[i].problem.finding], f->kept, &lane->found[i]);
	pthread_mutex_unlock(&f->lock);
	lane->count = 0;
}

void findings_add(struct findings *f, unsigned worker, const struct place *place, const struct problem *problem)
{
	struct lane *l = &f->lanes[worker];

	l->found[l->count] = (struct found){ *place, *problem, 1, false };
	if (place->name.len)
		l->found[l->count].place.name.bytes = memcpy(l->names[l->count], place->name.bytes, place->name.len);
	l->count++;
	if (l->count == LANE_ROOM)
		lane_empty(f, l);
}

/* Frees memory that a shelf does not need; it grows again if more are added. */
static void shelf_trim(struct shelf *s)
{
	struct found *found = s->count ? reallocarray(s->found, s->count, sizeof(*found)) : NULL;

	if (s->count && !found)
		return; /* the shelf stays as large as it was */
	if (!s->count)
		free(s->found);
	s->found = found;
	s->capacity = s->count;
}

static void note_filled(struct findings *f)
{
	f->nfilled = 0;
	for (unsigned i = 0; i < FINDING_NR; i++)
		if (f->shelves[i].count)
			f->filled[f->nfilled++] = i;
}

void findings_empty_lanes(struct findings *f)
{
	for (unsigned i = 0; i < f->lane_count; i++)
		lane_empty(f, &f->lanes[i]);
}

void findings_settle(struct findings *f)
{
	findings_empty_lanes(f);
	for (unsigned i = 0; i < FINDING_NR; i++)
		shelf_settle(&f->shelves[i], f->kept);
	for (size_t i = 0; i < sizeof(consequences) / sizeof(consequences[0]); i++)
		drop_consequences(&f->shelves[consequences[i].cause], &f->shelves[consequences[i].effect]);
	for (unsigned i = 0; i < FINDING_NR; i++)
		shelf_trim(&f->shelves[i]);
	note_filled(f);
}

uint64_t findings_bytes(const struct findings *f)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < FINDING_NR; i++)
		bytes += (uint64_t)f->shelves[i].capacity * sizeof(struct found);
	return bytes;
}

/* Returns the smallest of the next findings of all shelves, within the first `most` of each shelf; NULL at the end. */
static const struct found *next_of(struct findings *f, uint32_t most)
{
	struct shelf *first = NULL;

	for (unsigned i = 0; i < f->nfilled; i++) {
		struct shelf *s = &f->shelves[f->filled[i]];

		if (s->taken < s->count && s->taken < most &&
		    (!first || found_compare(&s->found[s->taken], &first->found[first->taken]) < 0))
			first = s;
	}
	return first ? &first->found[first->taken++] : NULL;
}

const struct found *findings_next(struct findings *f)
{
	return next_of(f, UINT32_MAX);
}

const struct found *findings_next_shown(struct findings *f)
{
	return next_of(f, FINDINGS_SHOWN);
}

int findings_unreported(struct findings *f, const struct found ***ret_found, size_t *ret_count)
{
	const struct found *found;
	size_t room = 0;
	int ret = 0;

	*ret_found = NULL;
	*ret_count = 0;
	findings_rewind(f);
	while (!ret && (found = findings_next_shown(f)))
		if (!found->reported)
			ret = array_add(*ret_found, room, *ret_count, found);
	return ret;
}

bool findings_any(struct findings *f, found_fn *fn, void *ctx)
{
	const struct found *found;
	bool any = false;

	findings_rewind(f);
	while (!any && (found = findings_next(f)))
		any = fn(ctx, found);
	findings_rewind(f);
	return any;
}

void findings_rewind(struct findings *f)
{
	for (unsigned i = 0; i < FINDING_NR; i++)
		f->shelves[i].taken = 0;
	note_filled(f);
}

bool findings_cut(const struct findings *f)
{
	for (unsigned i = 0; i < FINDING_NR; i++)
		if (f->shelves[i].excess)
			return true;
	return false;
}

bool findings_starved(const struct findings *f)
{
	return f->starved;
}

uint64_t findings_excess(const struct findings *f, enum finding finding)
{
	const struct shelf *s = &f->shelves[finding];
	uint64_t excess = s->excess - s->excess_reported;

	for (uint32_t k = FINDINGS_SHOWN; k < s->count; k++)
		excess += s->found[k].reported ? 0 : s->found[k].times;
	return excess;
}

void findings_mark_reported(struct findings *f)
{
	for (unsigned i = 0; i < FINDING_NR; i++) {
		struct shelf *s = &f->shelves[i];

		for (uint32_t k = 0; k < s->count; k++)
			s->found[k].reported = true;
		s->excess_reported = s->excess;
	}
}
