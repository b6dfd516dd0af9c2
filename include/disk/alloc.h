/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free extents, by block number in the bnobt and by size in the cntbt (ondisk 03). */
#ifndef XFSCK_DISK_ALLOC_H
#define XFSCK_DISK_ALLOC_H

#include <stddef.h>

#include "be.h"

#define BNOBT_MAGIC    0x41423342 /* AB3B */
#define BNOBT_MAGIC_V4 0x41425442 /* ABTB */
#define CNTBT_MAGIC    0x41423343 /* AB3C */
#define CNTBT_MAGIC_V4 0x41425443 /* ABTC */

/* a record; keys in nodes have the same form */
struct alloc_rec_disk {
	be32_t startblock;
	be32_t blockcount;
};
_Static_assert(sizeof(struct alloc_rec_disk) == 8, "alloc record");
_Static_assert(offsetof(struct alloc_rec_disk, blockcount) == 4, "alloc record");

#endif
