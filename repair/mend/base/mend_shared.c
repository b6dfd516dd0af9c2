/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides when blocks claimed by several files count as shared (mend_shared.h). */
#include "mend_shared.h"

#include "libxfs/btree.h"
#include "mend.h"

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
