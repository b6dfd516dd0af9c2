/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves and loads findings for a checkpoint. Values that locate a finding are checked against the geometry on loading,
 * except inode numbers, which are checked wherever an inode is read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "findings_shelf.h"
#include "geometry.h"
#include "sets/save.h"

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
