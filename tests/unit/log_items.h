/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of log items: items that are written field by field, as ondisk 11 has them, in the byte order of either
 * kind of machine.
 */
#ifndef XFSCK_TESTS_LOG_ITEMS_H
#define XFSCK_TESTS_LOG_ITEMS_H

#include <string.h>

#include "reported.h"
#include "libxfs/log_item.h"

enum { REGION_ROOM = 1024, REGIONS_ROOM = 8 };

/* Types of items. */
enum {
	EFI = 0x1236,
	EFD,
	INODE = 0x123b,
	BUF,
	DQUOT,
	QUOTAOFF,
	ICREATE,
	RUI = 0x1240,
	RUD,
	CUI,
	CUD,
	BUI,
	BUD,
	ATTRI,
	ATTRD,
	XMI,
	XMD,
	EFI_RT,
	EFD_RT,
	RUI_RT,
	RUD_RT,
	CUI_RT,
	CUD_RT,
};

/* Byte offsets in an intent of extents: how many there are, its id, the extents. */
enum { COUNT = 4, ID = 8, EXTENTS = 16 };

struct item {
	struct geometry geo;
	bool be;
	uint8_t bytes[REGIONS_ROOM][REGION_ROOM];
	struct log_region regions[REGIONS_ROOM];
	struct log_item item;
	struct reported reported;
	struct check c;
};

/* Two AGs of 16384 blocks of 4096 bytes, 8 inodes each. */
static inline struct geometry item_geometry(void)
{
	return (struct geometry){
		.block_size = 4096,
		.inode_size = 512,
		.sector_size = 512,
		.inodes_per_block = 8,
		.block_log = 12,
		.inode_log = 9,
		.inopb_log = 3,
		.agblock_log = 14,
		.dblocks = 32768,
		.agblocks = 16384,
		.agcount = 2,
		.first_data_agbno = 4,
		.chunk_blocks = 8,
		.sparse_align = 4,
		.version = 5,
		.crc = true,
		.rgblklog = 63,
	};
}

static inline void put_bytes(struct item *i, unsigned region, unsigned at, uint64_t value, unsigned size)
{
	for (unsigned k = 0; k < size; k++)
		i->bytes[region][at + k] = (uint8_t)(value >> 8 * (i->be ? size - 1 - k : k));
}

static inline void item16(struct item *i, unsigned region, unsigned at, uint64_t value)
{
	put_bytes(i, region, at, value, 2);
}

static inline void item32(struct item *i, unsigned region, unsigned at, uint64_t value)
{
	put_bytes(i, region, at, value, 4);
}

static inline void item64(struct item *i, unsigned region, unsigned at, uint64_t value)
{
	put_bytes(i, region, at, value, 8);
}

/* Store a big-endian number, as on the disk, whatever the order of the log. */
static inline void put_be(uint8_t *at, uint64_t value, unsigned size)
{
	for (unsigned k = 0; k < size; k++)
		at[k] = (uint8_t)(value >> 8 * (size - 1 - k));
}

static inline void set_region_len(struct item *i, unsigned region, uint32_t len)
{
	i->regions[region] = (struct log_region){ i->bytes[region], len, 0 };
}

/* Begins a new item whose first region has this length; be: as a big-endian machine writes it. */
static inline void item_begin(struct item *i, bool be, uint16_t type, uint16_t nregions, uint32_t len)
{
	memset(i, 0, sizeof(*i));
	i->geo = item_geometry();
	i->be = be;
	i->item = (struct log_item){ (enum log_item_type)type, be, nregions, i->regions };
	i->c = (struct check){ &i->geo, reported_add, &i->reported };
	set_region_len(i, 0, len);
	item16(i, 0, 0, type);
	item16(i, 0, 2, nregions);
}

static inline void set_nregions(struct item *i, uint16_t nregions)
{
	i->item.nregions = nregions;
	item16(i, 0, 2, nregions);
}

#define assert_only(i, finding, got, want) assert_reported_once(&(i)->reported, finding, got, want)
#define assert_nothing(i)		   assert_int_equal((i)->reported.count, 0)

#endif
