/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The realtime section on the disk (ondisk 09): its superblock, and the header of the blocks of bitmap and summary.
 * Without realtime groups these blocks have no header, and all of a block is words.
 */
#ifndef XFSCK_DISK_RT_H
#define XFSCK_DISK_RT_H

#include <stddef.h>

#include "be.h"

#define RTSB_MAGIC	0x46726f67u /* Frog */
#define RTBITMAP_MAGIC	0x424d505au /* BMPZ */
#define RTSUMMARY_MAGIC 0x53554d59u /* SUMY */

/* the first block of the realtime device; the rest of it is zero */
struct rtsb_disk {
	be32_t magicnum;
	le32_t crc; /* of the whole block */
	be32_t pad;
	char fname[12];
	uint8_t uuid[16];
	uint8_t meta_uuid[16];
};
_Static_assert(sizeof(struct rtsb_disk) == 56, "realtime superblock");
_Static_assert(offsetof(struct rtsb_disk, fname) == 12, "realtime superblock");
_Static_assert(offsetof(struct rtsb_disk, uuid) == 24, "realtime superblock");
_Static_assert(offsetof(struct rtsb_disk, meta_uuid) == 40, "realtime superblock");

struct rt_header_disk {
	be32_t magic;
	le32_t crc;
	be64_t owner;
	be64_t blkno;
	be64_t lsn;
	uint8_t uuid[16];
};
_Static_assert(sizeof(struct rt_header_disk) == 48, "realtime block header");
_Static_assert(offsetof(struct rt_header_disk, owner) == 8, "realtime block header");
_Static_assert(offsetof(struct rt_header_disk, blkno) == 16, "realtime block header");
_Static_assert(offsetof(struct rt_header_disk, lsn) == 24, "realtime block header");
_Static_assert(offsetof(struct rt_header_disk, uuid) == 32, "realtime block header");

#define RT_WORD_BITS 32u /* extents per word of the bitmap, the first in the lowest bit; a set bit: free */

#endif
