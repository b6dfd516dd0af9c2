/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout of metadumps (ondisk 13). */
#ifndef XFSCK_DISK_METADUMP_H
#define XFSCK_DISK_METADUMP_H

#include <assert.h>
#include <stddef.h>

#include "be.h"

#define METADUMP1_MAGIC 0x5846534du /* XFSM */
#define METADUMP2_MAGIC 0x584d4432u /* XMD2 */

#define METADUMP1_BLOCK	    512u /* bytes of each block, including index blocks */
#define METADUMP1_BLOCK_LOG 9u
#define METADUMP1_MOST	    63u /* blocks per index block */

/* in `info`; without the first one, the others mean nothing */
#define METADUMP1_FLAGS	     0x01u
#define METADUMP1_OBFUSCATED 0x02u
#define METADUMP1_FULLBLOCKS 0x04u

/* Version 1: an index block, in front of the blocks that it lists. */
struct metadump1_disk {
	be32_t magic;
	be16_t count; /* of blocks that follow; less than METADUMP1_MOST in the last index block */
	uint8_t block_log;
	uint8_t info;
	be64_t daddr[METADUMP1_MOST]; /* the address of each, in units of a block */
};
_Static_assert(sizeof(struct metadump1_disk) == METADUMP1_BLOCK, "metadump");

#define METADUMP2_VERSION     2u
#define METADUMP2_OBFUSCATED  0x01u /* in compat */
#define METADUMP2_FULLBLOCKS  0x02u
#define METADUMP2_RT	      0x01u /* in incompat: there may be extents of the realtime device */
#define METADUMP2_INCOMPAT    METADUMP2_RT
#define METADUMP2_DEVICE_LOG  54u /* shift of the device in addr: 0 data, 1 log, 2 realtime */
#define METADUMP2_DEVICE_MASK 3u

/* Version 2: the head of the dump. */
struct metadump2_disk {
	be32_t magic;
	be32_t version;
	be32_t compat;
	be32_t incompat;
	be64_t reserved;
};
_Static_assert(sizeof(struct metadump2_disk) == 24, "metadump");

/* In front of each extent, whose contents follow. */
struct metadump2_extent_disk {
	be64_t addr; /* sector, and device */
	be32_t len;  /* sectors */
};
_Static_assert(sizeof(struct metadump2_extent_disk) == 12, "metadump");

#endif
