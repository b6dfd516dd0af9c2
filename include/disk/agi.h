/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header of an AG's inodes on the disk: sector 2 of the AG (ondisk 02).
 * Field names are the usual ones without their agi_.
 */
#ifndef XFSCK_DISK_AGI_H
#define XFSCK_DISK_AGI_H

#include <stddef.h>

#include "be.h"

#define AGI_MAGIC   0x58414749u /* XAGI */
#define AGI_VERSION 1u

#define AGI_UNLINKED_BUCKETS 64u /* an inode is in bucket agino % 64 */

struct agi_disk {
	be32_t magicnum;
	be32_t versionnum;
	be32_t seqno;  /* AG number */
	be32_t length; /* blocks */
	be32_t count;  /* inodes that exist */
	be32_t root;   /* agbno of the inobt root */
	be32_t level;  /* height */
	be32_t freecount;
	be32_t newino;			       /* agino, a hint */
	be32_t dirino;			       /* agino, unused */
	be32_t unlinked[AGI_UNLINKED_BUCKETS]; /* agino */
	uint8_t uuid[16];
	le32_t crc;
	be32_t pad32;
	be64_t lsn;
	be32_t free_root; /* agbno of the finobt root */
	be32_t free_level;
	be32_t iblocks; /* blocks of the inobt */
	be32_t fblocks; /* blocks of the finobt */
};

_Static_assert(sizeof(struct agi_disk) == 344, "AGI");
_Static_assert(offsetof(struct agi_disk, root) == 20, "AGI");
_Static_assert(offsetof(struct agi_disk, freecount) == 28, "AGI");
_Static_assert(offsetof(struct agi_disk, unlinked) == 40, "AGI");
_Static_assert(offsetof(struct agi_disk, uuid) == 296, "AGI");
_Static_assert(offsetof(struct agi_disk, crc) == 312, "AGI");
_Static_assert(offsetof(struct agi_disk, lsn) == 320, "AGI");
_Static_assert(offsetof(struct agi_disk, free_root) == 328, "AGI");
_Static_assert(offsetof(struct agi_disk, iblocks) == 336, "AGI");

#endif
