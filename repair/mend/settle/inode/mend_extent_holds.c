/* SPDX-License-Identifier: GPL-2.0-or-later */
/* True if an extent may lead to a block, by what is in there. */
#include <stdlib.h>

#include "disk/symlink.h"
#include "libxfs/da.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"

bool mend_extent_may_hold(struct mend *m, xino_t ino, enum fork which, uint64_t off, fsbno_t fsbno)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t *block = malloc(geo->block_size);
	struct mend_inode inode;
	bool is = false;

	if (block && !mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size) &&
	    !mend_inode_decode(m, ino, &inode)) {
		const enum da_magic magic = da_identify(&check, block, geo->block_size);
		const bool first = off == 0;
		const bool symlink = be32_get(((const struct symlink_disk *)block)->magic) == SYMLINK_MAGIC;

		if (which == ATTR_FORK)
			is = !first || magic == DA_ATTR_LEAF || magic == DA_NODE;
		else if (inode.inode.ftype == FT_DIR)
			is = first ? magic == DA_DIR_BLOCK || magic == DA_DIR_DATA : magic != DA_UNKNOWN;
		else if (inode.inode.ftype == FT_SYMLINK)
			is = geo->crc ? symlink : block[0] != '\0';
		else
			is = magic == DA_UNKNOWN && !(geo->crc && symlink);
		mend_inode_free(&inode);
	}
	free(block);
	return is;
}
