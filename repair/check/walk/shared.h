/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which blocks of an AG files may share, by the refcount btree, which is read before the first inode is looked at. */
#ifndef XFSCK_REPAIR_SHARED_H
#define XFSCK_REPAIR_SHARED_H

#include "ag_state.h"

/* Make the ranges searchable once all have been added, in any order. 0 or -ENOMEM. */
int shared_settle(struct ag_state *ag, uint32_t ag_blocks);
/* Whether any of len > 0 blocks from start is shared. */
bool shared_any(const struct ag_state *ag, agbno_t start, uint32_t len);

#endif
