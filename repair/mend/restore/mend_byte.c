/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores a single byte that has changed since the checksum was stored, as failing disks or bad memory may cause: the
 * checksum shows which byte, and its old value.  In a block of 4 KiB, 1 in 4,000 other changes looks the same by
 * chance, so the byte is restored only if the block then has no other errors.
 *
 * Headers and btrees of AGs come before everything else (mend_group_byte): as long as they are damaged, everything that
 * they point to is taken as lost; and they need not be rebuilt.  Blocks of files and inodes come after the log was
 * searched (mend_byte), which is better evidence, but before menders that keep only what is recognizable, because
 * names, values, symlink targets and inode cores exist nowhere else.
 */
#include <errno.h>
#include <stdlib.h>

#include "libxfs/crc.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "mend/collect/mend_object.h"
#include "repair.h"

#define TARGET_BLOCKS 2u /* maximum: 1024 bytes and headers, in blocks of 1 KiB */

bool mend_group_byte_wants(const struct found *found)
{
	/* without its magic number, a block is not examined further */
	return (found->problem.finding == F_BLOCK_CRC || found->problem.finding == F_BLOCK_MAGIC) &&
	       object_is_of_group(found->place.object);
}

bool mend_byte_wants(const struct found *found)
{
	const enum object object = found->place.object;

	return found->problem.finding == F_BLOCK_CRC && found->place.ino.v != NULL_INO &&
	       (object == OBJ_INODE || object_is_file_block(object));
}

/* Returns the size of a symlink's remote block in bytes: each extent has one header and checksum. 0: unknown. */
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

/* Restores the byte. False: no single byte explains the checksum, or the object has other errors. */
static bool change_back(struct mend *m, const struct object_kind *kind, const struct place *place, uint8_t *bytes,
			size_t size)
{
	uint8_t was;
	size_t at;

	if (!crc_find_byte(bytes, size, kind->at.crc, &at, &was))
		return false;
	bytes[at] = was;
	/* any text may be a symlink target; mend_symlink() corrects other errors of the block */
	return kind->size == SIZE_EXTENT || mend_object_decodes(m, place, bytes);
}

static int put_byte_back(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const struct object_kind *kind = object_kind(found->place.object);
	uint64_t offset;
	uint8_t *bytes;
	size_t size;
	int ret = 0;

	if (!geo->crc || !kind || !object_offset(geo, kind, &found->place, &offset))
		return 0;
	size = kind->size == SIZE_EXTENT ? target_size(m, &found->place) : object_bytes(geo, kind, &found->place);
	bytes = malloc(size + 1);
	if (!bytes)
		return -ENOMEM;
	if (size && !mend_read(m, bytes, offset, size) && change_back(m, kind, &found->place, bytes, size)) {
		ret = mend_write(m, bytes, offset, size);
		if (!ret)
			mend_done(m, found);
	}
	free(bytes);
	return ret;
}

int mend_byte(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret && !mend_exhausted(m); i++)
		ret = put_byte_back(m, &found[i]);
	return ret;
}

int mend_group_byte(struct mend *m, const struct found *found, size_t count)
{
	return mend_byte(m, found, count);
}
