/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores directories that became regular files by a damaged mode.  Their blocks don't contradict the mode (ondisk
 * 04), but the first one starts with a `.` that points to the inode, and the link count includes that.  These two
 * records make the correction certain.
 */
#include <errno.h>
#include <stdlib.h>

#include "disk/dir.h"
#include "libxfs/da.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "mend/base/menders.h"

bool mend_inode_mode_wants(const struct found *found)
{
	return found->problem.finding == F_INODE_NLINK_COUNT && found->problem.got == found->problem.want + 1;
}

/* True if a block is the first one of this directory, by its header and a `.` that points to the directory. */
static bool begins_directory(const struct geometry *geo, const uint8_t *block, xino_t ino, fsbno_t fsbno)
{
	const struct check check = check_silent(geo);
	const struct dir_blkhdr_disk *header = (const void *)block;
	const struct dir_entry_disk *dot = (const void *)(block + (geo->crc ? DA_HEADER_SIZE : DA_HEADER_SIZE_V4));
	const enum da_magic magic = da_identify(&check, block, geo->block_size);

	if (magic != DA_DIR_BLOCK && magic != DA_DIR_DATA)
		return false;
	if (geo->crc && (be64_get(header->owner) != ino.v || be64_get(header->blkno) != daddr_of_fsbno(geo, fsbno).v))
		return false;
	return be64_get(dot->inumber) == ino.v && dot->namelen == 1 && dot->name[0] == '.';
}

/* True if an inode may be a directory, apart from its mode and blocks. */
static bool may_be_directory(const struct geometry *geo, const struct dinode *inode)
{
	return inode->ftype == FT_REG && !inode->realtime && !inode->metadata && inode->fork[DATA_FORK].nextents &&
	       inode->size && inode->size % geo->dir_block_size == 0 &&
	       dinode_internal_type(geo, inode->ino) == FT_UNKNOWN;
}

/* True if an inode's first block is the first block of a directory. */
static bool is_directory(struct mend *m, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *block = malloc(geo->block_size);
	const struct bmap_record *first;
	struct mend_inode inode;
	bool is = false;

	if (block && !mend_inode_load(m, ino, &inode)) {
		first = inode.fork[DATA_FORK].extents;
		is = inode.fork[DATA_FORK].count && !first->off.v &&
		     !mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, first->start)), geo->block_size) &&
		     begins_directory(geo, block, ino, first->start);
		mend_inode_free(&inode);
	}
	free(block);
	return is;
}

static int make_directory(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	struct dinode_disk *disk = mend_inode_disk(inode);

	if (!may_be_directory(&m->now->geo, &inode->inode) || !is_directory(m, inode->ino))
		return 0;
	disk->mode = be16_put((uint16_t)((be16_get(disk->mode) & ~MODE_TYPE) | MODE_DIR));
	return mend_inode_store_done(m, inode, found);
}

int mend_inode_mode(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, mend_inode_decode, make_directory);
}
