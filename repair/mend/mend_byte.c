/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of files in which one byte has changed since their checksum was stored, as a failing disk or bad memory does
 * it: the checksum tells which one, and what it was.  That another change happens to look like it has odds of 1 in
 * 4,000 for a block of 4 KiB, so the block must be one in which nothing else is wrong then.  This comes before menders
 * that keep what they can make out, since names, values and targets have no other witness.
 */
#include <errno.h>
#include <stdlib.h>

#include "libxfs/crc.h"
#include "mend/inode/mend_inode.h"

#define TARGET_BLOCKS 2u /* at most: 1024 bytes and headers, in blocks of 1 KiB */

bool mend_byte_may_help(const struct found *found)
{
	if (found->problem.finding != F_BLOCK_CRC || found->place.ino.v == NULL_INO)
		return false;
	switch (found->place.object) {
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_ATTR_LEAF:
	case OBJ_ATTR_REMOTE:
	case OBJ_BMBT:
	case OBJ_SYMLINK:
		return true;
	default:
		return false;
	}
}

/* Of a target: all of an extent has one header and one checksum. 0: it is not known. */
static size_t target_size(struct mend *m, const struct place *place)
{
	const struct geometry *geo = &m->now->geo;
	const fsbno_t start = fsbno_of(geo, place->agno, place->agbno);
	struct mend_inode inode;
	size_t size = 0;

	if (mend_inode_load(m, place->ino, &inode))
		return 0;
	for (size_t i = 0; i < inode.fork[DATA_FORK].count; i++) {
		const struct bmap_record *extent = &inode.fork[DATA_FORK].extents[i];

		if (extent->start.v == start.v && extent->len <= TARGET_BLOCKS)
			size = (size_t)extent->len << geo->block_log;
	}
	mend_inode_free(&inode);
	return size;
}

static size_t size_of(struct mend *m, const struct place *place)
{
	switch (place->object) {
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
		return m->now->geo.dir_block_size;
	case OBJ_SYMLINK:
		return target_size(m, place);
	default:
		return m->now->geo.block_size;
	}
}

/* Change the byte back. False: that makes no sense of the block. */
static bool change_back(struct mend *m, const struct found *found, uint8_t *block, size_t size)
{
	const size_t crc_offset = found->problem.offset;
	uint8_t was;
	size_t at;

	if (crc_offset + sizeof(le32_t) > size || !crc_find_byte(block, size, crc_offset, &at, &was))
		return false;
	block[at] = was;
	/* who mends targets looks at nothing else in the block than what has a checksum */
	return found->place.object == OBJ_SYMLINK || mend_block_decodes(m, &found->place, block);
}

static int mend_one(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const struct place *place = &found->place;
	uint64_t offset;
	uint8_t *block;
	size_t size;
	int ret = 0;

	if (!geo->crc || !agbno_valid(geo, place->agno, place->agbno) ||
	    (place->fileoff.v > UINT32_MAX && place->object != OBJ_BMBT))
		return 0;
	size = size_of(m, place);
	offset = bytes_of_daddr(daddr_of(geo, place->agno, place->agbno));
	block = malloc(size + 1);
	if (!block)
		return -ENOMEM;
	if (size && !mend_read(m, block, offset, size) && change_back(m, found, block, size)) {
		ret = mend_write(m, block, offset, size);
		if (!ret)
			mend_done(m, found);
	}
	free(block);
	return ret;
}

int mend_byte(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret && !mend_exhausted(m); i++)
		ret = mend_one(m, &found[i]);
	return ret;
}
