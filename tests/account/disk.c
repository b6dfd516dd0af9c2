/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds an inode by the superblock (ondisk 01), and reads single fields of its core (ondisk 04). */
#include "disk.h"

#include <unistd.h>

#define FLAGS2_OF_MAPS                                                                                                 \
	UINT64_C(0x12) /* shared blocks and wide extent counters: not reported, since users never see these flags */

static bool read_be(int fd, uint64_t at, unsigned bytes, uint64_t *ret)
{
	uint8_t raw[8];
	uint64_t value = 0;

	if (pread(fd, raw, bytes, (off_t)at) != (ssize_t)bytes)
		return false;
	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | raw[i];
	*ret = value;
	return true;
}

/* The byte offset of an inode. */
static bool find_inode(int sound, uint64_t ino, uint64_t *ret)
{
	uint64_t block_size, ag_blocks, inode_size, inodes_log, ag_log;

	if (!read_be(sound, 4, 4, &block_size) || !read_be(sound, 84, 4, &ag_blocks) ||
	    !read_be(sound, 104, 2, &inode_size) || !read_be(sound, 123, 1, &inodes_log) ||
	    !read_be(sound, 124, 1, &ag_log) || inodes_log + ag_log > 63)
		return false;
	const uint64_t in_ag = ino & ((UINT64_C(1) << (inodes_log + ag_log)) - 1);

	*ret = (ino >> (inodes_log + ag_log)) * ag_blocks * block_size + in_ag * inode_size;
	return true;
}

static bool read_time(int fd, uint64_t inode, unsigned offset, int64_t *ret_value)
{
	const uint64_t bigtime = 8, epoch = UINT64_C(1) << 31;
	uint64_t version, flags2 = 0, raw;

	if (!read_be(fd, inode + 4, 1, &version) || (version == 3 && !read_be(fd, inode + 120, 8, &flags2)) ||
	    !read_be(fd, inode + offset, 8, &raw))
		return false;
	*ret_value = flags2 & bigtime ? (int64_t)(raw / 1000000000 - epoch) : (int32_t)(raw >> 32);
	return true;
}

bool disk_field(int image, int sound, uint64_t ino, enum field field, int64_t *ret_value)
{
	static const struct {
		uint8_t offset, bytes;
	} places[FIELD_NR] = {
		[FIELD_MODE] = { 2, 2 },	 [FIELD_UID] = { 8, 4 },      [FIELD_GID] = { 12, 4 },
		[FIELD_SIZE] = { 56, 8 },	 [FIELD_ATIME] = { 32, 0 },   [FIELD_MTIME] = { 40, 0 },
		[FIELD_CTIME] = { 48, 0 },	 [FIELD_BTIME] = { 144, 0 },  [FIELD_GENERATION] = { 92, 4 },
		[FIELD_FLAGS] = { 90, 2 },	 [FIELD_FLAGS2] = { 120, 8 }, [FIELD_EXTSIZE] = { 72, 4 },
		[FIELD_COWEXTSIZE] = { 128, 4 }, [FIELD_PROJECT] = { 20, 2 },
	};
	uint64_t inode, value, high = 0;

	if (!find_inode(sound, ino, &inode))
		return false;
	if (!places[field].bytes)
		return read_time(image, inode, places[field].offset, ret_value);
	if (!read_be(image, inode + places[field].offset, places[field].bytes, &value) ||
	    (field == FIELD_PROJECT && !read_be(image, inode + 22, 2, &high)))
		return false;
	if (field == FIELD_FLAGS2)
		value &= ~FLAGS2_OF_MAPS;
	*ret_value = (int64_t)(high << 16 | value);
	return true;
}
