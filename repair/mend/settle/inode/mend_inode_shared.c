/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that share blocks according to the refcount btree, but lack the flag that says so (ondisk 04).  This comes
 * after it is settled who has which blocks, because the flag follows from that.
 */
#include <errno.h>

#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"

static int set_reflink(struct mend *m, const struct found *found)
{
	struct mend_inode inode;
	struct dinode_disk *disk;
	int ret = mend_inode_decode(m, found->place.ino, &inode);

	if (ret)
		return mend_left(m, found, 1, ret);
	disk = mend_inode_disk(&inode);
	/* only regular files may share blocks */
	if (inode.inode.ftype == FT_REG && !(be64_get(disk->flags2) & DIFLAG2_REFLINK)) {
		disk->flags2 = be64_put(be64_get(disk->flags2) | DIFLAG2_REFLINK);
		ret = mend_inode_store(m, &inode);
		if (!ret)
			mend_done(m, found);
	}
	mend_inode_free(&inode);
	return ret;
}

int mend_inode_shared(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, set_reflink);
}
