/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that several files claim without a record in the refcount btree.  If the menders of extent maps find all these
 * claims right, they change no map: the refcount btree lacks a record.
 */
#ifndef XFSCK_REPAIR_MEND_SHARED_H
#define XFSCK_REPAIR_MEND_SHARED_H

#include <stdbool.h>

struct found;
struct mend;

/* True if the finding reports blocks claimed by the data forks of several files. */
bool mend_shared_is_claim(const struct found *found);
/*
 * True if the refcount btree of the finding's AG may be rebuilt because of it.  For such a claim, only as a last
 * resort, and not if a mender failed to correct an extent map.
 */
bool mend_shared_settled(struct mend *m, const struct found *found);

#endif
