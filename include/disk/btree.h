/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Headers of btree blocks: the short form, with 32-bit pointers, in the trees of an AG (ondisk 03), and the long form,
 * with 64-bit pointers, in extent maps (ondisk 05) and the trees of realtime groups (ondisk 09).  Records, or keys and
 * pointers, start right after.
 */
#ifndef XFSCK_DISK_BTREE_H
#define XFSCK_DISK_BTREE_H

#include <stddef.h>

#include "be.h"

/* bytes in version 4, whose headers end after the siblings */
#define BTREE_SHORT_SIZE_V4 16
#define BTREE_LONG_SIZE_V4  24

struct btree_short_disk {
	be32_t magic;
	be16_t level; /* 0: leaf */
	be16_t numrecs;
	be32_t leftsib; /* agbno, all ones: none */
	be32_t rightsib;
	be64_t blkno;
	be64_t lsn;
	uint8_t uuid[16];
	be32_t owner; /* AG number */
	le32_t crc;
};
_Static_assert(sizeof(struct btree_short_disk) == 56, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, level) == 4, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, numrecs) == 6, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, leftsib) == 8, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, rightsib) == 12, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, blkno) == BTREE_SHORT_SIZE_V4, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, lsn) == 24, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, uuid) == 32, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, owner) == 48, "short btree header");
_Static_assert(offsetof(struct btree_short_disk, crc) == 52, "short btree header");

struct btree_long_disk {
	be32_t magic;
	be16_t level; /* 0: leaf */
	be16_t numrecs;
	be64_t leftsib; /* fsbno, all ones: none */
	be64_t rightsib;
	be64_t blkno;
	be64_t lsn;
	uint8_t uuid[16];
	be64_t owner; /* inode number */
	le32_t crc;
	be32_t pad;
};
_Static_assert(sizeof(struct btree_long_disk) == 72, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, level) == offsetof(struct btree_short_disk, level), "btree headers");
_Static_assert(offsetof(struct btree_long_disk, numrecs) == offsetof(struct btree_short_disk, numrecs),
	       "btree headers");
_Static_assert(offsetof(struct btree_long_disk, leftsib) == 8, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, rightsib) == 16, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, blkno) == BTREE_LONG_SIZE_V4, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, lsn) == 32, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, uuid) == 40, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, owner) == 56, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, crc) == 64, "long btree header");
_Static_assert(offsetof(struct btree_long_disk, pad) == 68, "long btree header");

#endif
