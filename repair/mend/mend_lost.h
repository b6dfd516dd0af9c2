/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks that nobody has, by the survey that came with a check: what menders of names need to hear of groups. */
#ifndef XFSCK_REPAIR_MEND_LOST_H
#define XFSCK_REPAIR_MEND_LOST_H

#include "damage.h"

/*
 * Whether there are groups whose accounts of blocks don't balance, and all that is wrong there beside the groups' own
 * trees is that blocks are lost: then the check need not be asked for exact places of blocks before those trees are
 * built anew.  False also where the survey does not tell.
 */
bool mend_lost_is_all(struct mend *m);
/*
 * The same in a round, when inodes and their maps have been mended: what of them the check did not know is in the
 * survey by now, or may be told it.  0 or negative errno.
 */
int mend_lost_is_all_now(struct mend *m, bool *ret_all);
/* Then: the findings of them. 0 or -ENOMEM. */
int mend_lost_add(const struct mend *m, struct damage *damage);

#endif
