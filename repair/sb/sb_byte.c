/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A superblock in which one byte has changed since its checksum was stored: the checksum tells which one, and what it
 * was (crc_byte.c).  What only the primary says has no other witness, and the rest has none where there is no other
 * superblock.  How long the sector is can be what has changed, so all sizes are tried.
 */
#include "sb_candidates.h"

#include "disk/sb.h"
#include "libxfs/crc.h"

/* With the byte put back it is a superblock, of this sector size, in which nothing is wrong. */
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
