/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inode chunks: the inobt has all of them, the finobt those with free inodes (ondisk 03). */
#ifndef XFSCK_DISK_INOBT_H
#define XFSCK_DISK_INOBT_H

#include <stddef.h>

#include "be.h"

#define INOBT_MAGIC    0x49414233 /* IAB3 */
#define INOBT_MAGIC_V4 0x49414254 /* IABT */
#define FINOBT_MAGIC   0x46494233 /* FIB3 */

#define INODES_PER_CHUNK       64u
#define INODES_PER_HOLEMASKBIT 4u

struct inobt_rec_disk {
	be32_t startino;
	union {
		be32_t freecount; /* without sparse inodes */
		struct {
			be16_t holemask; /* bit h: inodes 4h .. 4h+3 don't exist */
			uint8_t count;
			uint8_t freecount;
		} sparse;
	};
	be64_t free; /* bit i: inode startino+i is free */
};
_Static_assert(sizeof(struct inobt_rec_disk) == 16, "inobt record");
_Static_assert(offsetof(struct inobt_rec_disk, freecount) == 4, "inobt record");
_Static_assert(offsetof(struct inobt_rec_disk, sparse.holemask) == 4, "inobt record");
_Static_assert(offsetof(struct inobt_rec_disk, sparse.count) == 6, "inobt record");
_Static_assert(offsetof(struct inobt_rec_disk, sparse.freecount) == 7, "inobt record");
_Static_assert(offsetof(struct inobt_rec_disk, free) == 8, "inobt record");

struct inobt_key_disk {
	be32_t startino;
};
_Static_assert(sizeof(struct inobt_key_disk) == 4, "inobt key");

#endif
