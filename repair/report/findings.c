/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The collection of findings. Each worker adds to a small lane of its own; a full lane is emptied, under a lock, onto
 * one shelf per kind of finding. A shelf keeps the first findings by found_compare(), FINDINGS_SHOWN or as many as
 * findings_keep() says, each once with the number of times it was reported, and counts the rest.
 *
 * The result does not depend on threads: a finding among the first of all is also among the first of any subset, so
 * neither it nor a report of it is ever dropped.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "findings.h"
#include "geometry.h"
#include "report.h"
#include "sets/save.h"

#define LANE_ROOM 32

struct lane {
	unsigned count;
	struct found found[LANE_ROOM];
	uint8_t names[LANE_ROOM][UINT8_MAX]; /* the name of each finding */
};

struct shelf {
	struct found *found; /* each owns its name; sorted and without duplicates after shelf_settle() */
	uint32_t count;
	uint32_t capacity;	  /* at most twice `kept` */
	uint32_t taken;		  /* already returned by findings_next() */
	bool full;		  /* findings greater than `bound` are only counted */
	struct found bound;	  /* a copy of the last finding that is kept; shares its name */
	uint64_t excess;	  /* findings that are only counted ... */
	uint64_t excess_reported; /* ... and how many of these were reported */
};

struct findings {
	pthread_mutex_t lock; /* for the shelves, while threads add */
	struct shelf shelves[FINDING_NR];
	unsigned filled[FINDING_NR], nfilled; /* shelves that are not empty */
	uint32_t kept;			      /* the most findings that a shelf keeps */
	bool starved;			      /* a finding that should be kept was only counted for lack of memory */
	unsigned lane_count;
	struct lane lanes[];
};

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

/* Frees all findings of a shelf. */
static void shelf_clear(struct shelf *s)
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

/* Sorts a shelf, merges equal findings, and keeps the `most` smallest. */
static void shelf_settle(struct shelf *s, uint32_t most)
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

/* Moves the findings in all lanes onto the shelves. */
static void findings_empty_lanes(struct findings *f)
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

/*
 * Saves and loads findings for a checkpoint. Values that locate a finding are checked against the geometry on loading,
 * except inode numbers, which are checked wherever an inode is read.
 */

static void save_found(const struct found *found, struct saver *s)
{
	const struct place *p = &found->place;
	const struct problem *problem = &found->problem;

	save_number(s, p->object);
	/* absent values are all ones: adding 1 makes them 0, which saves as one byte */
	save_number(s, (uint32_t)(p->agno.v + 1));
	save_number(s, (uint32_t)(p->agbno.v + 1));
	save_number(s, p->ino.v + 1);
	save_number(s, p->fileoff.v + 1);
	save_number(s, p->name.len);
	save_bytes(s, p->name.bytes, p->name.len);
	save_number(s, (uint32_t)(p->rgno + 1));
	save_number(s, p->rgbno.v + 1);
	save_number(s, problem->offset);
	save_number(s, (uint32_t)(problem->index + 1));
	save_number(s, problem->got);
	save_number(s, problem->want);
	save_number(s, found->times);
	save_number(s, found->reported);
}

/* Loads a finding; name: room for the name of its place. */
static struct found load_found(enum finding finding, const struct geometry *geo, uint8_t name[static UINT8_MAX],
			       struct loader *l)
{
	struct found found = { .problem.finding = finding };
	struct place *p = &found.place;
	struct problem *problem = &found.problem;

	p->object = (enum object)load_at_most(l, OBJECT_NR - 1);
	p->agno.v = (uint32_t)load_at_most(l, geo->agcount) - 1;
	p->agbno.v = (uint32_t)load_at_most(l, geo->agblocks) - 1;
	p->ino.v = load_number(l) - 1;
	p->fileoff.v = load_number(l) - 1;
	p->name = (struct name_view){ name, (uint8_t)load_at_most(l, UINT8_MAX) };
	load_bytes(l, name, p->name.len);
	p->rgno = (uint32_t)load_at_most(l, geo->rgcount) - 1;
	p->rgbno.v = load_number(l) - 1;
	problem->offset = (uint32_t)load_at_most(l, UINT32_MAX);
	problem->index = (uint32_t)load_at_most(l, UINT32_MAX) - 1;
	problem->got = load_number(l);
	problem->want = load_number(l);
	found.times = (uint32_t)load_at_most(l, UINT32_MAX);
	found.reported = load_bool(l);
	return found;
}

void findings_save(struct findings *f, struct saver *s)
{
	findings_empty_lanes(f);
	for (unsigned i = 0; i < FINDING_NR; i++) {
		struct shelf *shelf = &f->shelves[i];

		shelf_settle(shelf, f->kept); /* after this the last finding of a full shelf is its bound */
		save_number(s, shelf->count);
		for (uint32_t k = 0; k < shelf->count; k++)
			save_found(&shelf->found[k], s);
		save_number(s, shelf->full);
		save_number(s, shelf->excess);
		save_number(s, shelf->excess_reported);
	}
	save_number(s, f->starved);
}

static void load_shelf(struct shelf *shelf, enum finding finding, const struct geometry *geo, struct loader *l)
{
	const size_t count = load_count(l);
	uint8_t name[UINT8_MAX];

	shelf_clear(shelf);
	for (size_t k = 0; k < count && load_good(l); k++) {
		const struct found found = load_found(finding, geo, name, l);
		size_t room = shelf->capacity;

		if (!load_good(l))
			break;
		if (array_grow(&shelf->found, &room, shelf->count, sizeof(*shelf->found)) ||
		    !found_copy(&shelf->found[shelf->count], &found))
			load_failed(l, -ENOMEM);
		else
			shelf->count++;
		shelf->capacity = (uint32_t)room;
	}
	shelf->full = load_bool(l);
	shelf->excess = load_number(l);
	shelf->excess_reported = load_number(l);
	if (shelf->full && shelf->count)
		shelf->bound = shelf->found[shelf->count - 1];
	if ((shelf->full && !shelf->count) || shelf->excess_reported > shelf->excess)
		load_refuse(l);
}

void findings_load(struct findings *f, const struct geometry *geo, struct loader *l)
{
	for (unsigned i = 0; i < f->lane_count; i++)
		f->lanes[i].count = 0;
	for (unsigned i = 0; i < FINDING_NR && load_good(l); i++)
		load_shelf(&f->shelves[i], (enum finding)i, geo, l);
	f->starved = load_bool(l);
}
