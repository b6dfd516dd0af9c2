/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes features as the user asks (-c). */
#ifndef XFSCK_REPAIR_FEATURES_H
#define XFSCK_REPAIR_FEATURES_H

#include <stdbool.h>

struct mend;
struct repair;

/* Reports wanted features that the file system can't have, before a long run.  Returns PHASE_DONE or PHASE_FAILED. */
enum phase_result features_examine(struct repair *rc);
/*
 * Stages superblocks with the wanted features, once nothing else is wrong.  Sets *ret_changed if anything changed, so
 * that everything must be checked again.  Returns 0 or a negative errno.
 */
int features_change(struct mend *m, bool *ret_changed);

#endif
