/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations that a crash left to the kernel's recovery. */
#ifndef XFSCK_REPAIR_MEND_CRASH_H
#define XFSCK_REPAIR_MEND_CRASH_H

#include <stdbool.h>
#include <stddef.h>

struct found;
struct mend;

/*
 * Complete the operations that a crash left to the kernel's recovery.  damage: all findings; if there is
 * damage, only those operations are completed that must be before it is mended.  *ret_again: something was done, so
 * everything must be checked again; false: nothing was, and what waits is left to the next mount.  0 or negative errno.
 */
int mend_crash(struct mend *m, const struct found *damage, size_t count, bool *ret_again);
/* At the end of all rounds: those operations are done if the repair is proven, else they wait for recovery again. */
void mend_crash_end(struct mend *m, bool proven);

#endif
