/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An AG's free list on the disk: sector 3 of the AG (ondisk 02).  The header,
 * in version 5; the rest of the sector is an array of be32 agbnos, the slots
 * of a ring whose active part the AGF describes.  Field names are the usual
 * ones without their agfl_.
 */
#ifndef XFSCK_DISK_AGFL_H
#define XFSCK_DISK_AGFL_H

#include <stdbool.h>
#include <stddef.h>

#include "be.h"

#define AGFL_MAGIC 0x5841464cu /* XAFL */

struct agfl_disk {
	be32_t magicnum;
	be32_t seqno; /* AG number */
	uint8_t uuid[16];
	be64_t lsn;
	le32_t crc;
};

_Static_assert(sizeof(struct agfl_disk) == 36, "AGFL");
_Static_assert(offsetof(struct agfl_disk, uuid) == 8, "AGFL");
_Static_assert(offsetof(struct agfl_disk, lsn) == 24, "AGFL");
_Static_assert(offsetof(struct agfl_disk, crc) == 32, "AGFL");

/* Bytes in front of the slots. */
static inline uint32_t agfl_header_size(bool crc)
{
	return crc ? (uint32_t)sizeof(struct agfl_disk) : 0;
}

/* Slots in an AGFL of sector_size bytes. */
static inline uint32_t agfl_slots(bool crc, uint32_t sector_size)
{
	return (sector_size - agfl_header_size(crc)) / (uint32_t)sizeof(be32_t);
}

#endif
