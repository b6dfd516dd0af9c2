/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often blocks are shared, and extents staged for copy on write (ondisk 03). */
#ifndef XFSCK_DISK_REFCOUNTBT_H
#define XFSCK_DISK_REFCOUNTBT_H

#include <stddef.h>

#include "be.h"

#define REFCOUNTBT_MAGIC   0x52334643 /* R3FC */
#define RTREFCOUNTBT_MAGIC 0x52434e54 /* RCNT */

#define REFCOUNT_COW 0x80000000u /* in startblock, of keys as well: a staging extent */

struct refcount_rec_disk {
	be32_t startblock;
	be32_t blockcount;
	be32_t refcount;
};
_Static_assert(sizeof(struct refcount_rec_disk) == 12, "refcount record");
_Static_assert(offsetof(struct refcount_rec_disk, blockcount) == 4, "refcount record");
_Static_assert(offsetof(struct refcount_rec_disk, refcount) == 8, "refcount record");

struct refcount_key_disk {
	be32_t startblock;
};
_Static_assert(sizeof(struct refcount_key_disk) == 4, "refcount key");

#endif
