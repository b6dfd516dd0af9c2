/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the header of a block of an attribute value that is too large for its leaf (ondisk 07, "Remote values").  The
 * caller, who has the leaf entry, checks that the blocks of a value are contiguous and add up to its length.
 */
#include "libxfs/da.h"
#include "libxfs/v5.h"
#include "disk/attr.h"

uint32_t attr_remote_capacity(const struct geometry *g)
{
	return g->block_size - (g->crc ? (uint32_t)sizeof(struct attr_remote_disk) : 0);
}

/* Kernels before 4.3 wrote 0 as LSN, all others NULL_LSN. */
static void check_lsn(const struct check *c, uint64_t lsn)
{
	if (lsn != 0 && lsn != NULL_LSN)
		problem(c, F_ATTR_REMOTE_LSN, offsetof(struct attr_remote_disk, lsn), lsn, NULL_LSN);
}

bool attr_remote_decode(const struct check *c, const void *block, const struct da_expect *expect,
			struct attr_remote *ret_remote)
{
	/* without the LSN, which check_lsn() checks */
	static const struct v5_header header = {
		.crc = offsetof(struct attr_remote_disk, crc),
		.uuid = offsetof(struct attr_remote_disk, uuid),
		.blkno = offsetof(struct attr_remote_disk, blkno),
		.owner = offsetof(struct attr_remote_disk, owner),
		.owner_bytes = sizeof(be64_t),
	};
	const struct attr_remote_disk *hdr = block;
	uint32_t capacity = attr_remote_capacity(c->geo);
	uint32_t offset = be32_get(hdr->offset);
	uint32_t bytes = be32_get(hdr->bytes);
	uint32_t most;

	if (!check_eq(c, F_BLOCK_MAGIC, offsetof(struct attr_remote_disk, magic), be32_get(hdr->magic),
		      DA_MAGIC_ATTR_VALUE))
		return false;
	check_lsn(c, be64_get(hdr->lsn));
	if (!v5_check_header(c, block, c->geo->block_size, &header, expect->daddr, expect->owner.v))
		return false;

	if (offset >= ATTR_MAX_VALUE || offset % capacity != 0)
		return problem(c, F_ATTR_REMOTE_OFFSET, offsetof(struct attr_remote_disk, offset), offset,
			       offset - offset % capacity);
	most = capacity < ATTR_MAX_VALUE - offset ? capacity : ATTR_MAX_VALUE - offset;
	if (bytes == 0 || bytes > most)
		return problem(c, F_ATTR_REMOTE_BYTES, offsetof(struct attr_remote_disk, bytes), bytes, most);
	ret_remote->offset = offset;
	ret_remote->bytes = bytes;
	return true;
}
