/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of a plan in the end. */
#ifndef XFSCK_REPAIR_PLAN_END_H
#define XFSCK_REPAIR_PLAN_END_H

#include "repair.h"

struct damage;
struct mend;

/*
 * Write the plan that the user wants; or tell what a plan lacks: which of its fixes must come along, as what is left
 * waits for them, and which others were made, so that nothing is written.  left: the last check's damage.  If that
 * fails, the reason is reported.
 */
enum phase_result plan_end(struct mend *m, const struct damage *left);

#endif
