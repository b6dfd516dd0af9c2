/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows from what was mended.  Most of it is for the next check to find; what a mender knows for certain it says
 * at once, and that is mended in the same round.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mend_space.h"

#define FOLLOWS_MAX 4u /* times that what follows has something follow from it */

int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found)
{
	struct mend_following *f = &m->follows[kind];
	struct name_view *name;
	uint8_t *bytes = NULL;

	if (array_grow(&f->found, &f->room, f->count, sizeof(*f->found)))
		return -ENOMEM;
	if (found->place.name.len) {
		bytes = malloc(found->place.name.len);
		if (!bytes)
			return -ENOMEM;
		memcpy(bytes, found->place.name.bytes, found->place.name.len);
	}
	f->found[f->count] = *found;
	name = &f->found[f->count++].place.name;
	name->bytes = bytes;
	return 0;
}

int mend_follows_inode(struct mend *m, enum mend_kind kind, enum finding finding, xino_t ino)
{
	struct found found = { .place = place_of(OBJ_INODE), .problem = { finding, 0, NO_INDEX, 0, 0 }, .times = 1 };

	found.place.ino = ino;
	found.place.agno = agno_of_ino(&m->now->geo, ino);
	found.place.agbno = agbno_of_agino(&m->now->geo, agino_of_ino(&m->now->geo, ino));
	return mend_follows(m, kind, &found);
}

int mend_follows_count(struct mend *m, enum finding finding, uint64_t want)
{
	struct found found = { .place = place_of(OBJ_SUPERBLOCK),
			       .problem = { finding, 0, NO_INDEX, 0, want },
			       .times = 1 };

	if (m->now->geo.counters_lost)
		return 0;
	found.place.agno.v = 0;
	return mend_follows(m, MEND_field, &found);
}

static void following_free(struct mend_following *f)
{
	for (size_t i = 0; i < f->count; i++)
		free((void *)f->found[i].place.name.bytes);
	free(f->found);
	*f = (struct mend_following){ 0 };
}

/* What one way of mending has been told of; what it says itself is for the next time. */
static int mend_kind_of_them(struct mend *m, enum mend_kind kind)
{
	struct mend_following f = m->follows[kind];
	int ret = 0;

	m->follows[kind] = (struct mend_following){ 0 };
	m->kind = kind;
	if (f.count)
		ret = mend_run(m, f.found, f.count);
	following_free(&f);
	return ret;
}

static bool any_left(const struct mend *m)
{
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++)
		if (m->follows[kind].count)
			return true;
	return false;
}

int mend_follows_run(struct mend *m)
{
	const enum mend_kind kind_before = m->kind;
	int ret = 0;

	for (unsigned i = 0; i < FOLLOWS_MAX && any_left(m) && !ret; i++)
		for (enum mend_stage stage = 0; stage < STAGE_NR; stage++)
			for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR && !ret; kind++)
				if (mend_stage(kind) == stage)
					ret = mend_kind_of_them(m, kind);
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++)
		following_free(&m->follows[kind]);
	m->kind = kind_before;
	return ret;
}
