/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reverse mappings: who owns a range of blocks (ondisk 03). */
#ifndef XFSCK_DISK_RMAPBT_H
#define XFSCK_DISK_RMAPBT_H

#include <stddef.h>

#include "be.h"

#define RMAPBT_MAGIC   0x524d4233 /* RMB3 */
#define RTRMAPBT_MAGIC 0x4d415052 /* MAPR */

/* bits of the field `offset` */
#define RMAP_OFFSET_ATTR      (1ull << 63)
#define RMAP_OFFSET_BMBT      (1ull << 62)
#define RMAP_OFFSET_UNWRITTEN (1ull << 61)
#define RMAP_OFFSET_MASK      ((1ull << 54) - 1)

struct rmap_rec_disk {
	be32_t startblock;
	be32_t blockcount;
	be64_t owner;
	be64_t offset;
};
_Static_assert(sizeof(struct rmap_rec_disk) == 24, "rmap record");
_Static_assert(offsetof(struct rmap_rec_disk, blockcount) == 4, "rmap record");
_Static_assert(offsetof(struct rmap_rec_disk, owner) == 8, "rmap record");
_Static_assert(offsetof(struct rmap_rec_disk, offset) == 16, "rmap record");

struct rmap_key_disk {
	be32_t startblock;
	be64_t owner;
	be64_t offset;
};
_Static_assert(sizeof(struct rmap_key_disk) == 20, "rmap key");
_Static_assert(offsetof(struct rmap_key_disk, owner) == 4, "rmap key");
_Static_assert(offsetof(struct rmap_key_disk, offset) == 12, "rmap key");

/* a node's keys for a child */
struct rmap_range_disk {
	struct rmap_key_disk low;
	struct rmap_key_disk high;
};
_Static_assert(sizeof(struct rmap_range_disk) == 40, "rmap key range");

#endif
