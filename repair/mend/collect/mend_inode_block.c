/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which inodes a block holds: those of version 3 have their numbers (ondisk 04). */
#include <stddef.h>
#include <string.h>

#include "libxfs/crc.h"
#include "mend_inode.h"

const struct dinode_disk *mend_inode_in(const struct geometry *geo, const uint8_t *block, unsigned index)
{
	return (const struct dinode_disk *)(block + ((size_t)index << geo->inode_log));
}

/* Whether these bytes are an inode, of any number, with a right checksum. */
static bool is_whole(const struct geometry *geo, const struct dinode_disk *inode)
{
	return be16_get(inode->magic) == DINODE_MAGIC &&
	       memcmp(inode->uuid, geo->meta_uuid, sizeof(inode->uuid)) == 0 &&
	       crc_is_right(inode, geo->inode_size, offsetof(struct dinode_disk, crc));
}

bool mend_inode_lies_at(const struct geometry *geo, const uint8_t *block, unsigned index, xino_t first)
{
	const struct dinode_disk *inode = mend_inode_in(geo, block, index);

	return be64_get(inode->ino) == first.v + index && is_whole(geo, inode);
}

unsigned mend_inodes_at(const struct geometry *geo, const uint8_t *block, xino_t first)
{
	unsigned n = 0;

	for (unsigned i = 0; i < geo->inodes_per_block; i++)
		n += mend_inode_lies_at(geo, block, i, first);
	return n;
}

xino_t mend_inodes_first(const struct geometry *geo, uint64_t ino)
{
	return (xino_t){ ino & ~(uint64_t)(geo->inodes_per_block - 1) };
}

bool mend_inodes_home(const struct geometry *geo, const uint8_t *block, xino_t *ret_first)
{
	for (unsigned i = 0; i < geo->inodes_per_block && geo->crc; i++) {
		const struct dinode_disk *inode = mend_inode_in(geo, block, i);

		if (!is_whole(geo, inode))
			continue;
		*ret_first = mend_inodes_first(geo, be64_get(inode->ino));
		return ino_valid(geo, *ret_first) &&
		       2 * mend_inodes_at(geo, block, *ret_first) >= geo->inodes_per_block;
	}
	return false;
}

void mend_inodes_fill(const struct geometry *geo, uint8_t *block, const uint8_t *from, xino_t first)
{
	for (unsigned i = 0; i < geo->inodes_per_block; i++) {
		uint8_t *inode = block + ((size_t)i << geo->inode_log);

		if (mend_inode_lies_at(geo, block, i, first))
			continue;
		memset(inode, 0, geo->inode_size);
		if (mend_inode_lies_at(geo, from, i, first))
			memcpy(inode, mend_inode_in(geo, from, i), geo->inode_size);
	}
}
