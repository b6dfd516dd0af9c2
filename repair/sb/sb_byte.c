/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores a superblock in which one byte has changed since its checksum was stored: the checksum identifies the byte
 * and its old value (crc_byte.c).  For fields that only the primary has, or if there is no other superblock, there is
 * no other evidence.  The changed byte may be in the sector size, so all sizes are tried.
 */
#include "sb_candidates.h"

#include "disk/sb.h"
#include "libxfs/crc.h"

/* True if the candidate is a superblock of version 5, with this sector size, and without a fault. */
static bool makes_sense(const struct sb_candidate *candidate, uint32_t size)
{
	return candidate->usable && candidate->geo.crc && candidate->geo.sector_size == size &&
	       sb_candidate_faults(candidate) == 0;
}

bool sb_byte_put_back(uint8_t *bytes, struct sb_candidate *candidate)
{
	for (uint32_t size = SECTOR_SIZE; size <= SB_READ_BYTES; size *= 2) {
		struct sb_candidate changed_back;
		uint8_t was, is;
		size_t at;

		if (!crc_find_byte(bytes, size, offsetof(struct sb_disk, crc), &at, &was))
			continue;
		is = bytes[at];
		bytes[at] = was;
		sb_candidate_decode(&changed_back, bytes, candidate->position);
		if (makes_sense(&changed_back, size)) {
			*candidate = changed_back;
			candidate->put_back = true;
			return true;
		}
		bytes[at] = is;
	}
	return false;
}
