/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of features that the user asks for: -c. */
#ifndef XFSCK_REPAIR_FEATURES_H
#define XFSCK_REPAIR_FEATURES_H

#include "mend/mend.h"

/* Whether this file system can have them: else that is said, before a long run, with PHASE_FAILED. */
enum phase_result features_examine(struct repair *rc);
/* Once nothing else is wrong: stage them. *ret_changed: what was checked is out of date. 0 or negative errno. */
int features_change(struct mend *m, bool *ret_changed);

#endif
