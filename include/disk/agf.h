/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header of an AG's free space on the disk: sector 1 of the AG (ondisk
 * 02).  Field names are the usual ones without their agf_.
 */
#ifndef XFSCK_DISK_AGF_H
#define XFSCK_DISK_AGF_H

#include <stddef.h>

#include "be.h"

#define AGF_MAGIC   0x58414746u /* XAGF */
#define AGF_VERSION 1u

struct agf_disk {
	be32_t magicnum;
	be32_t versionnum;
	be32_t seqno;	 /* AG number */
	be32_t length;	 /* blocks */
	be32_t bno_root; /* agbno */
	be32_t cnt_root;
	be32_t rmap_root;
	be32_t bno_level; /* height */
	be32_t cnt_level;
	be32_t rmap_level;
	be32_t flfirst; /* AGFL slot */
	be32_t fllast;
	be32_t flcount;
	be32_t freeblks;
	be32_t longest; /* blocks */
	be32_t btreeblks;
	uint8_t uuid[16];
	be32_t rmap_blocks;
	be32_t refcount_blocks;
	be32_t refcount_root;
	be32_t refcount_level;
	uint8_t spare64[112];
	be64_t lsn;
	le32_t crc;
	be32_t spare2;
};

_Static_assert(sizeof(struct agf_disk) == 224, "AGF");
_Static_assert(offsetof(struct agf_disk, bno_root) == 16, "AGF");
_Static_assert(offsetof(struct agf_disk, bno_level) == 28, "AGF");
_Static_assert(offsetof(struct agf_disk, flfirst) == 40, "AGF");
_Static_assert(offsetof(struct agf_disk, freeblks) == 52, "AGF");
_Static_assert(offsetof(struct agf_disk, uuid) == 64, "AGF");
_Static_assert(offsetof(struct agf_disk, rmap_blocks) == 80, "AGF");
_Static_assert(offsetof(struct agf_disk, spare64) == 96, "AGF");
_Static_assert(offsetof(struct agf_disk, lsn) == 208, "AGF");
_Static_assert(offsetof(struct agf_disk, crc) == 216, "AGF");
_Static_assert(offsetof(struct agf_disk, spare2) == 220, "AGF");

#endif
