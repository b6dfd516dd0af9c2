/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Link counts: as many as there are entries (ondisk 12, L1). */
#include <errno.h>

#include "mend_inode.h"

static int set(struct mend *m, const struct found *found)
{
	struct mend_inode inode;
	struct dinode_disk *disk;
	int ret = mend_inode_load(m, found->place.ino, &inode);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	disk = mend_inode_disk(&inode);
	if (disk->version == DINODE_VERSION_1)
		disk->metatype = be16_put((uint16_t)found->problem.want);
	else
		disk->nlink = be32_put((uint32_t)found->problem.want);
	ret = mend_inode_store(m, &inode);
	if (!ret)
		mend_done(m, found);
	mend_inode_free(&inode);
	return ret;
}

int mend_nlink(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = set(m, &found[i]);
	return ret;
}
