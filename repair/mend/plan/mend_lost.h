/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lost blocks, by the survey that came with a check: what menders of lost names and extents need to know of groups. */
#ifndef XFSCK_REPAIR_MEND_LOST_H
#define XFSCK_REPAIR_MEND_LOST_H

#include <stdbool.h>

struct damage;
struct mend;

/*
 * Whether some groups' accounts don't balance, and lost blocks, together with what is wrong in the groups' own space
 * trees, explain that: then these trees can be built anew without locating exact differences.  False also if the survey
 * can't tell.
 */
bool mend_lost_is_all(struct mend *m);
/*
 * The same within a round, after inodes and their maps have been mended: claims that the check could not know are added
 * to the survey first, if they can be read now.  0 or negative errno.
 */
int mend_lost_is_all_now(struct mend *m, bool *ret_all);
/* If so: add a finding for each run of lost blocks. 0 or -ENOMEM. */
int mend_lost_add(const struct mend *m, struct damage *damage);

#endif
