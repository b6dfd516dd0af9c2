/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes which objects menders could not mend, and why, so that the report can list what stays damaged. */

#include "array.h"
#include "libxfs/btree.h"
#include "mend.h"
#include "mend_table.h"
#include "sets/ordered.h"

static const int errors[LEFT_NR] = {
	[LEFT_NO_ROOM] = -ENOSPC,
	[LEFT_UNREADABLE] = -ENOENT,
	[LEFT_TOO_LARGE] = -E2BIG,
	[LEFT_NOT_PLANNED] = -ECANCELED,
};

static struct left_object object_of(const struct found *found, enum mend_kind kind, enum left_reason reason)
{
	const struct place *place = &found->place;

	return (struct left_object){ place->ino, place->ino.v == NULL_INO ? place->agno : (agno_t){ NO_AGNO },
				     place->ino.v == NULL_INO ? place->rgno : NO_RGNO, kind, reason };
}

int mend_left(struct mend *m, const struct found *found, size_t count, int error)
{
	struct mend_left *left = &m->left;
	enum left_reason reason = 0;

	while (reason < LEFT_NR && errors[reason] != error)
		reason++;
	if (reason == LEFT_NR)
		return error;
	for (size_t i = 0; i < count; i++)
		if (array_add(left->v, left->room, left->count, object_of(&found[i], m->kind, reason)))
			return -ENOMEM;
	return 0;
}

#define ORDER(v) MEMBERS(MEMBER(v, ino), MEMBER(v, agno), MEMBER(v, rgno), MEMBER(v, kind), MEMBER(v, reason))

static bool is_left(const struct mend_left *left, struct left_object object)
{
	return ordered_same(left->v, left->count, &object, ORDER(left->v)) < left->count;
}

uint64_t mend_left_count(struct mend *m, enum left_reason reason, const struct found *found, size_t count)
{
	struct mend_left *left = &m->left;
	uint64_t n = 0;

	left->count = ordered_unique(left->v, left->count, ORDER(left->v));
	for (size_t i = 0; i < count; i++)
		n += is_left(left, object_of(&found[i], mend_of(&found[i]), reason));
	return n;
}

/* True if the mender of this finding left its object. */
static bool mend_is_left(struct mend *m, const struct found *found)
{
	for (enum left_reason reason = 0; reason < LEFT_NR; reason++)
		if (mend_left_count(m, reason, found, 1))
			return true;
	return false;
}

void mend_left_free(struct mend *m)
{
	free(m->left.v);
	m->left = (struct mend_left){ 0 };
}

bool mend_shared_is_claim(const struct found *found)
{
	return found->problem.finding == F_SPACE_CLAIMED_TWICE && found->place.object == OBJ_DATA_FORK &&
	       found->problem.want < OWNER_COW && found->problem.want != found->place.ino.v;
}

bool mend_shared_settled(struct mend *m, const struct found *found)
{
	if (!mend_shared_is_claim(found))
		return true;
	m->share.wanted = true;
	return m->share.allowed && !mend_is_left(m, found);
}
