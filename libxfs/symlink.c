/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes targets of symbolic links, in the inode or in extents of their own (ondisk 08).  Size and format come from
 * the inode; the caller checks that the extents of one target are contiguous and add up to the size.
 */
#include "libxfs/da.h"
#include "libxfs/v5.h"
#include "disk/symlink.h"

/* Checks invariant 1: the target ends at its size, not before. */
static bool check_target(const struct check *c, const uint8_t *target, size_t len, uint32_t offset)
{
	const uint8_t *nul = memchr(target, '\0', len);

	return !nul || problem(c, F_SYMLINK_NUL, offset + (uint32_t)(nul - target), (uint64_t)(nul - target), len);
}

bool symlink_local_check(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size)
{
	uint64_t most = smaller(fork_size, SYMLINK_MAX_SIZE);

	if (size == 0 || size > most)
		return problem(c, F_INODE_SIZE, 0, size, most);
	return check_target(c, fork, (size_t)size, 0);
}

/*
 * True if an extent at block `before` can start at byte `offset` of the target.  Every extent before it is full except
 * for its header, so the offset is smaller than the space before it by one header per extent: at least one, and at most
 * as many as there are blocks.
 */
static bool offset_possible(const struct geometry *g, dablk_t before, uint32_t offset)
{
	uint64_t space = (uint64_t)before.v << g->block_log;
	uint64_t header = sizeof(struct symlink_disk);

	if (before.v == 0)
		return offset == 0;
	return offset < space && (space - offset) % header == 0 && (space - offset) / header <= before.v;
}

/*
 * Decodes an extent in version 4, which holds nothing but bytes of the target, whose length only the inode has.  The
 * last extent holds the rest of the target; any other one counts as full.
 */
static bool decode_raw(const struct check *c, const uint8_t *extent, size_t len, uint64_t start, uint64_t size,
		       struct symlink_part *ret_part)
{
	uint64_t rest = size - start;

	if (start >= size || start >= SYMLINK_MAX_SIZE)
		return problem(c, F_SYMLINK_OFFSET, 0, start, 0);
	ret_part->offset = (uint32_t)start;
	ret_part->bytes = (uint32_t)(rest <= len && len - rest < c->geo->block_size ? rest : len);
	check_target(c, extent, (size_t)smaller(rest, len), 0);
	return true;
}

bool symlink_remote_decode(const struct check *c, const void *extent, size_t len, const struct da_expect *expect,
			   uint64_t size, struct symlink_part *ret_part)
{
	static const struct v5_header header = V5_HEADER(symlink_disk, );
	const struct symlink_disk *hdr = extent;
	uint32_t offset = be32_get(hdr->offset);
	uint32_t bytes = be32_get(hdr->bytes);
	uint64_t most;

	if (!c->geo->crc)
		return decode_raw(c, extent, len, (uint64_t)expect->dablk.v << c->geo->block_log, size, ret_part);
	if (!check_eq(c, F_BLOCK_MAGIC, offsetof(struct symlink_disk, magic), be32_get(hdr->magic), SYMLINK_MAGIC))
		return false;
	if (!v5_check_header(c, extent, len, &header, expect->daddr, expect->owner.v))
		return false;

	if (!offset_possible(c->geo, expect->dablk, offset) || offset >= SYMLINK_MAX_SIZE)
		return problem(c, F_SYMLINK_OFFSET, offsetof(struct symlink_disk, offset), offset, 0);
	most = smaller(len - sizeof(*hdr), SYMLINK_MAX_SIZE - offset);
	if (bytes == 0 || bytes > most)
		return problem(c, F_SYMLINK_BYTES, offsetof(struct symlink_disk, bytes), bytes, most);
	ret_part->offset = offset;
	ret_part->bytes = bytes;
	check_target(c, (const uint8_t *)(hdr + 1), bytes, sizeof(*hdr));
	return true;
}
