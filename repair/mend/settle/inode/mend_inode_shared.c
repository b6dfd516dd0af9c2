/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that share blocks according to the refcount btree, but lack the flag that says so (ondisk 04).  This comes
 * after it is settled who has which blocks, because the flag follows from that.
 */
#include <errno.h>

#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"

static int set_reflink(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	struct dinode_disk *disk = mend_inode_disk(inode);

	/* only regular files may share blocks */
	if (inode->inode.ftype != FT_REG || be64_get(disk->flags2) & DIFLAG2_REFLINK)
		return 0;
	disk->flags2 = be64_put(be64_get(disk->flags2) | DIFLAG2_REFLINK);
	return mend_inode_store_done(m, inode, found);
}

int mend_inode_shared(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, mend_inode_decode, set_reflink);
}
