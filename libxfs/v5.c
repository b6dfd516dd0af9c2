/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields that every V5 block has in common, checked against what the
 * superblock (uuid) and the log (LSN) say: ondisk 00, invariant 4 and section 6.
 */
#include "libxfs/v5.h"

bool v5_wrong_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset)
{
	be64_t got[2], want[2];
	unsigned differs;

	memcpy(got, uuid, sizeof(got));
	memcpy(want, c->geo->meta_uuid, sizeof(want));
	/* a problem has room for half of it: the first that is wrong */
	differs = be64_get(got[0]) == be64_get(want[0]);
	return problem(c, F_BLOCK_UUID, offset, be64_get(got[differs]), be64_get(want[differs]));
}

bool v5_newer_lsn(const struct check *c, uint64_t lsn, uint32_t offset)
{
	uint64_t head = c->geo->head_lsn.v;

	/* all ones marks blocks that never go through the log */
	return lsn == NULL_LSN || head == 0 || problem(c, F_BLOCK_LSN, offset, lsn, head);
}
