/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields that every V5 block carries, wherever its header has them (ondisk 00, invariant 4 and section 6). */
#ifndef XFSCK_LIBXFS_V5_H
#define XFSCK_LIBXFS_V5_H

#include "be.h"
#include "check.h"
#include "libxfs/crc.h"

/* What is left to do where the checks below see that not all is as usual. */
bool v5_wrong_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset);
bool v5_newer_lsn(const struct check *c, uint64_t lsn, uint32_t offset);

/* Reports a uuid that is not the file system's metadata uuid. */
static inline bool v5_check_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset)
{
	return memcmp(uuid, c->geo->meta_uuid, 16) == 0 || v5_wrong_uuid(c, uuid, offset);
}

/*
 * Whether a block was written for another place and another owner, as its checksum confirms: what it holds is theirs.
 * Of one alone the number may be what is wrong.  here, ours: whether the block's are right.
 */
static inline bool v5_of_another(const void *block, size_t len, size_t crc_offset, bool here, bool ours)
{
	return !here && !ours && crc_is_right(block, len, crc_offset);
}

/* Reports an LSN ahead of the log head; 0, which is what mkfs writes, and all ones are always fine. */
static inline bool v5_check_lsn(const struct check *c, uint64_t lsn, uint32_t offset)
{
	return lsn <= c->geo->head_lsn.v || v5_newer_lsn(c, lsn, offset);
}

#endif
