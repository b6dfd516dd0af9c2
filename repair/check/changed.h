/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a repair has changed since the first check, as objects: inodes in use, with all that hangs from them.  What was
 * staged tells it; whether anything else has changed, too, is answered on the safe side.
 */
#ifndef XFSCK_REPAIR_CHANGED_H
#define XFSCK_REPAIR_CHANGED_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

struct repair;

/* A block outside of inode chunks that has changed. */
struct changed_block {
	fsbno_t at;
	bool group; /* as it is now, it says of blocks whose they are, and nothing else: AGF, AGFL, their btrees */
	bool before, after; /* one of the inodes claims it; atomic */
};

struct changed {
	const char *unknown; /* not NULL: what else has changed, or why that can't be told; then there is no more */
	xino_t *inos;	     /* in ascending order: those that have changed, or that findings are about */
	size_t ninos;
	struct changed_block *blocks; /* in ascending order */
	size_t nblocks, blocks_room;
};

/* rc: the first check.  0 or negative errno; call changed_free() either way. */
int changed_find(struct repair *rc, struct changed *ret);
void changed_free(struct changed *changed);
/* Note that these blocks are claimed by one of the inodes, before the repair or after it.  Any thread may call it. */
void changed_claimed(struct changed *changed, fsbno_t start, uint64_t len, bool after);
/* True if all blocks are claimed before and after. */
bool changed_all_claimed(const struct changed *changed);
/* True if all of them are claimed now, or are groups': then no other inode holds anything else than before. */
bool changed_files_known(const struct changed *changed);

#endif
