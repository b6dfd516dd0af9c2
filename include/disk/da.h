/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header that the blocks of hash trees share (directories: ondisk 06,
 * attributes: ondisk 07), and their nodes.
 */
#ifndef XFSCK_DISK_DA_H
#define XFSCK_DISK_DA_H

#include <stddef.h>

#include "be.h"

#define DA_MAGIC_NODE	    0x3ebe
#define DA_MAGIC_DIR_LEAF1  0x3df1
#define DA_MAGIC_DIR_LEAFN  0x3dff
#define DA_MAGIC_ATTR_LEAF  0x3bee
#define DA_MAGIC_ATTR_VALUE 0x5841524du /* XARM; 32 bits, at offset 0 */

#define DA_MAGIC_NODE_V4      0xfebe
#define DA_MAGIC_DIR_LEAF1_V4 0xd2f1
#define DA_MAGIC_DIR_LEAFN_V4 0xd2ff
#define DA_MAGIC_ATTR_LEAF_V4 0xfbee

#define DA_MAX_DEPTH 5

/* bytes of the headers of da nodes and of all directory blocks */
#define DA_HEADER_SIZE	  64u
#define DA_HEADER_SIZE_V4 16u

struct da_blkinfo_disk {
	be32_t forw; /* dablk of the right sibling, 0: none */
	be32_t back;
	be16_t magic;
	be16_t pad;
	le32_t crc; /* this and the rest: not in version 4 */
	be64_t blkno;
	be64_t lsn;
	uint8_t uuid[16];
	be64_t owner;
};
_Static_assert(sizeof(struct da_blkinfo_disk) == 56, "da blkinfo");
_Static_assert(offsetof(struct da_blkinfo_disk, magic) == 8, "da blkinfo");
_Static_assert(offsetof(struct da_blkinfo_disk, crc) == 12, "da blkinfo");
_Static_assert(offsetof(struct da_blkinfo_disk, blkno) == 16, "da blkinfo");
_Static_assert(offsetof(struct da_blkinfo_disk, lsn) == 24, "da blkinfo");
_Static_assert(offsetof(struct da_blkinfo_disk, uuid) == 32, "da blkinfo");
_Static_assert(offsetof(struct da_blkinfo_disk, owner) == 48, "da blkinfo");

#define DA_BLKINFO_SIZE_V4 12u
_Static_assert(offsetof(struct da_blkinfo_disk, crc) == DA_BLKINFO_SIZE_V4, "da blkinfo");

/* after the blkinfo of either size */
struct da_node_counts_disk {
	be16_t count;
	be16_t level; /* 1: parent of leaves */
};
_Static_assert(DA_BLKINFO_SIZE_V4 + sizeof(struct da_node_counts_disk) == DA_HEADER_SIZE_V4, "da node header");

struct da_node_header_disk {
	struct da_blkinfo_disk info;
	struct da_node_counts_disk n;
	be32_t pad;
};
_Static_assert(sizeof(struct da_node_header_disk) == DA_HEADER_SIZE, "da node header");
_Static_assert(offsetof(struct da_node_header_disk, n.count) == 56, "da node header");
_Static_assert(offsetof(struct da_node_header_disk, n.level) == 58, "da node header");

struct da_node_entry_disk {
	be32_t hashval; /* highest of the child */
	be32_t before;	/* dablk of the child */
};
_Static_assert(sizeof(struct da_node_entry_disk) == 8, "da node entry");
_Static_assert(offsetof(struct da_node_entry_disk, before) == 4, "da node entry");

#endif
