/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the common fields of V5 blocks against the superblock (uuid) and the log (LSN): ondisk 00, invariant 4 and
 * section 6.
 */
#include "libxfs/v5.h"

#include "libxfs/crc.h"

static uint64_t number_at(const void *block, uint32_t offset, unsigned bytes)
{
	const uint8_t *at = (const uint8_t *)block + offset;

	return bytes == sizeof(be32_t) ? be32_get(*(const be32_t *)at) : be64_get(*(const be64_t *)at);
}

uint64_t v5_blkno(const void *block, const struct v5_header *header)
{
	return number_at(block, header->blkno, sizeof(be64_t));
}

uint64_t v5_owner(const void *block, const struct v5_header *header)
{
	return number_at(block, header->owner, header->owner_bytes);
}

bool v5_check_header(const struct check *c, const void *block, size_t len, const struct v5_header *header,
		     xdaddr_t daddr, uint64_t owner)
{
	bool here, ours, known, fits;

	crc_check(c, block, len, header->crc);
	here = check_eq(c, F_BLOCK_BLKNO, header->blkno, v5_blkno(block, header), daddr.v);
	if (header->lsn)
		v5_check_lsn(c, number_at(block, header->lsn, sizeof(be64_t)), header->lsn);
	known = v5_check_uuid(c, (const uint8_t *)block + header->uuid, header->uuid);
	ours = check_eq(c, F_BLOCK_OWNER, header->owner, v5_owner(block, header), owner);
	/*
	 * an AG number as the owner proves nothing: all file systems have btrees of the same AGs, often at the same
	 * places
	 */
	fits = known ? here || ours : here && ours && header->owner_bytes != sizeof(be32_t);
	/* crc_is_right(), since crc_check() does not compute the checksum of blocks known to be right */
	return fits || !crc_is_right(block, len, header->crc);
}

bool v5_wrong_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset)
{
	be64_t got[2], want[2];
	unsigned differs;

	memcpy(got, uuid, sizeof(got));
	memcpy(want, c->geo->meta_uuid, sizeof(want));
	/* a problem has room for 8 bytes: report the first half that differs */
	differs = be64_get(got[0]) == be64_get(want[0]);
	return problem(c, F_BLOCK_UUID, offset, be64_get(got[differs]), be64_get(want[differs]));
}

bool v5_newer_lsn(const struct check *c, uint64_t lsn, uint32_t offset)
{
	uint64_t head = c->geo->head_lsn.v;

	/* all ones marks blocks that never go through the log */
	return lsn == NULL_LSN || head == 0 || problem(c, F_BLOCK_LSN, offset, lsn, head);
}
