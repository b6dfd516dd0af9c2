/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of features that the user asks for (-c). */
#ifndef XFSCK_REPAIR_FEATURES_H
#define XFSCK_REPAIR_FEATURES_H

#include <stdbool.h>

struct mend;
struct repair;

/* Whether these changes are possible: if not, the user is told before a long run. PHASE_DONE or PHASE_FAILED. */
enum phase_result features_examine(struct repair *rc);
/*
 * Once nothing else is wrong, stage superblocks with these features.  *ret_changed: something was changed, so that
 * everything must be checked again.  0 or negative errno.
 */
int features_change(struct mend *m, bool *ret_changed);

#endif
