/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves of rmapbts that nothing leads to, because a block above them is lost.  Their records tell which blocks lost
 * inodes had, which nothing else does.
 */
#ifndef XFSCK_REPAIR_MEND_STRAYS_H
#define XFSCK_REPAIR_MEND_STRAYS_H

#include "libxfs/btree.h"

struct mend;

/*
 * Tell the records of such leaves, of blocks that are lost, or shared with others; fn is as in struct sink_ops, with
 * lane 0.  Leaves are searched once for each AG; AGs for which that would take more memory than there is are left out.
 * 0 or negative errno.
 */
typedef void mend_stray_fn(void *ctx, unsigned lane, group_t group, const struct rmap_record *record);
int mend_strays_tell(struct mend *m, mend_stray_fn *fn, void *ctx);
void mend_strays_free(struct mend *m);

#endif
