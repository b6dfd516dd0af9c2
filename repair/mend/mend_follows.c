/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows from what was mended.  Most of it is for the next check to find; what a mender knows for certain it says
 * at once, and that is mended in the same round.
 */
#include <errno.h>

#include "array.h"
#include "mend.h"

int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found)
{
	struct mend_following *f = &m->follows[kind];

	if (array_grow(&f->found, &f->room, f->count, sizeof(*f->found)) || !found_copy(&f->found[f->count], found))
		return -ENOMEM;
	f->count++;
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
