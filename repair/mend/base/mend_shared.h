/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that several files claim, and that the refcount btree does not have as shared.  If the menders of extent maps
 * find that each file has them rightly, no map is changed, and the refcount btree is wrong: it lacks a record.
 */
#ifndef XFSCK_REPAIR_MEND_SHARED_H
#define XFSCK_REPAIR_MEND_SHARED_H

#include <stdbool.h>

struct found;
struct mend;

/* True if the finding is that files claim the same blocks for their data. */
bool mend_shared_is_claim(const struct found *found);
/*
 * True if the refcount btree of the finding's group may be rebuilt because of it.  If it is such a claim, not before
 * nothing else can be mended, and not if a map should be changed, but could not be.
 */
bool mend_shared_settled(struct mend *m, const struct found *found);

#endif
