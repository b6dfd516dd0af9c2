/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes which inodes there was no room to mend, so that the user is told of those that stay damaged. */
#include "mend_left.h"

#include "array.h"
#include "mend.h"
#include "mend_of.h"
#include "sets/ordered.h"

int mend_left(struct mend *m, const struct found *found, size_t count, int error)
{
	struct mend_left *left = &m->left;

	for (size_t i = 0; i < count && error == -ENOSPC; i++)
		if (found[i].place.ino.v != NULL_INO &&
		    array_add(left->v, left->room, left->count, (struct no_room){ found[i].place.ino, m->kind }))
			return -ENOMEM;
	return error == -ENOSPC || error == -ENOENT ? 0 : error;
}

/* True if there was no room for the mender of this finding. */
static bool had_no_room(const struct mend_left *left, const struct found *found)
{
	const enum mend_kind kind = mend_of(found);
	size_t i = ordered_from(left->v, left->count, MEMBER(left->v, ino), found->place.ino.v);

	for (; i < left->count && left->v[i].ino.v == found->place.ino.v; i++)
		if (left->v[i].kind == kind)
			return true;
	return false;
}

uint64_t mend_left_without_room(struct mend *m, const struct found *found, size_t count)
{
	struct mend_left *left = &m->left;
	uint64_t n = 0;

	left->count = ordered_unique(left->v, left->count, MEMBERS(MEMBER(left->v, ino), MEMBER(left->v, kind)));
	for (size_t i = 0; i < count; i++)
		n += had_no_room(left, &found[i]);
	return n;
}

void mend_left_free(struct mend *m)
{
	free(m->left.v);
	m->left = (struct mend_left){ 0 };
}
