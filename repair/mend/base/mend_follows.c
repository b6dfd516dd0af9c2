/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that menders add because of what they mended, so that it is mended in the same round.  A mender adds only
 * what it knows for certain; other consequences are found by the next check.
 */
#include <errno.h>

#include "array.h"
#include "mend.h"
#include "repair.h"

int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found)
{
	struct mend_following *f = &m->follows[kind];

	if (array_grow(&f->found, &f->room, f->count, sizeof(*f->found)) || !found_copy(&f->found[f->count], found))
		return -ENOMEM;
	f->count++;
	return 0;
}

struct place mend_place_of_inode(const struct geometry *geo, xino_t ino)
{
	struct place place = place_of(OBJ_INODE);

	place.ino = ino;
	place.agno = agno_of_ino(geo, ino);
	place.agbno = agbno_of_agino(geo, agino_of_ino(geo, ino));
	return place;
}

int mend_follows_inode(struct mend *m, enum mend_kind kind, enum finding finding, xino_t ino)
{
	const struct found found = { .place = mend_place_of_inode(&m->now->geo, ino),
				     .problem = { finding, 0, NO_INDEX, 0, 0 },
				     .times = 1 };

	return mend_follows(m, kind, &found);
}

int mend_follows_pptr(struct mend *m, xino_t ino, xino_t parent, const uint8_t *name, uint8_t namelen)
{
	struct found lacks = { .place = place_of(OBJ_INODE),
			       .problem = { F_PPTR_LACKS, 0, NO_INDEX, 0, parent.v },
			       .times = 1 };

	lacks.place.agno = agno_of_ino(&m->now->geo, ino);
	lacks.place.ino = ino;
	lacks.place.name = (struct name_view){ name, namelen };
	return m->now->geo.parent ? mend_follows(m, MEND_pptr, &lacks) : 0;
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
