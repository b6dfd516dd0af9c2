/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations that a crash left for log recovery. */
#ifndef XFSCK_REPAIR_MEND_CRASH_H
#define XFSCK_REPAIR_MEND_CRASH_H

#include <stdbool.h>
#include <stddef.h>

struct found;
struct mend;

/*
 * Completes the operations that a crash left for log recovery.  damage: all findings; if there are any, completes only
 * those operations that must precede mending.  *ret_again: something was done, so that everything must be checked
 * again; false: nothing was, and what is pending is left to the next mount.  0 or negative errno.
 */
int mend_crash(struct mend *m, const struct found *damage, size_t count, bool *ret_again);
/*
 * After all checks: what the interrupted operations changed in files counts as the state before the repair, because the
 * next mount would have completed them.  0 or negative errno.
 */
int mend_crash_before(struct mend *m);
/* At the end of all rounds: marks those operations as done if the repair is proven, else as pending again. */
void mend_crash_end(struct mend *m, bool proven);

#endif
