/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who claims blocks that another one claims, too: what tells of a file that may share them. */
#ifndef XFSCK_REPAIR_MEND_CLAIMANT_H
#define XFSCK_REPAIR_MEND_CLAIMANT_H

#include "mend/base/mend.h"

/* Who claims blocks by an extent map. */
struct claimant {
	bool file;   /* they are data of a regular file of users */
	bool beyond; /* they lie behind the file's end, where nobody reads them */
	bool shares; /* the file may share blocks: it has the reflink flag, or may have lost it */
	lsn_t date;  /* 0: unknown */
};

/* The claimant that a finding is about; all zero: not a data fork, or its inode can't be decoded. */
struct claimant claimant_of(struct mend *m, const struct found *found);
/*
 * Whether two findings about the same blocks tell of files that share them: both have them in the same place, and the
 * refcount btree is older than that, since the group's trees are old.  x, y: the claimants that they are about.
 */
bool claimants_seem_to_share(const struct mend *m, const struct found *one, const struct claimant *x,
			     const struct found *other, const struct claimant *y);

#endif
