/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes: written anew from every one that can be made out (ondisk 07).
 */
#include "mend_attr.h"

#include <errno.h>

static int mend_one(struct mend *m, const struct found *found)
{
	struct attr_items items = { 0 };
	struct mend_inode inode;
	int ret = mend_inode_load(m, found->place.ino, &inode);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (inode.inode.fork[ATTR_FORK].present && inode.inode.fork[ATTR_FORK].ok) {
		ret = attr_items_collect(m, &inode, &items);
		if (!ret)
			ret = attr_write(m, &inode, &items);
		if (!ret)
			mend_done(m, found);
		attr_items_free(&items);
	}
	mend_inode_free(&inode);
	return ret == -ENOSPC ? 0 : ret;
}

int mend_attr(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		if (found[i].place.ino.v != NULL_INO && (!i || found[i].place.ino.v != found[i - 1].place.ino.v))
			ret = mend_one(m, &found[i]);
	return ret;
}
