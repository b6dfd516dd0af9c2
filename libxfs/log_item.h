/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the decoders of log items. */
#ifndef XFSCK_LOG_ITEM_H
#define XFSCK_LOG_ITEM_H

#include "be.h"
#include "libxfs/log_item.h"

#define LOG_BROOT_HEADER_MAX 72u /* of a btree root in memory */
#define LOG_BUF_MAX_SECTORS  (LOG_REGION_MAX >> SECTOR_LOG)

/* Checks that the item has this number of regions, and its first region this many bytes; reports faults. */
bool log_item_shape(const struct check *c, const struct log_item *item, uint32_t nregions, uint32_t len);

/*
 * True if the blocks fit into an AG of full size, after its headers.  The AG may lie beyond the end of the file system:
 * the log may hold the growth of the file system, and changes in its new part.
 */
static inline bool log_extent_possible(const struct geometry *g, uint64_t agno, uint64_t agbno, uint64_t len)
{
	return agno < UINT32_MAX && agbno >= g->first_data_agbno && agbno < g->agblocks && len > 0 &&
	       len <= g->agblocks - agbno;
}

/* True if these can be the sectors of one buffer.  The end of the device is not checked, for the same reason. */
static inline bool log_sectors_possible(xdaddr_t daddr, uint32_t len)
{
	return len > 0 && len <= LOG_BUF_MAX_SECTORS && daddr.v < UINT64_MAX >> (SECTOR_LOG + 1);
}

/* Numbers in log items are in the byte order of the machine that wrote them. */

static inline uint16_t log_get16(const uint8_t *at, bool big_endian)
{
	be16_t d;

	memcpy(&d, at, sizeof(d));
	return big_endian ? be16_get(d) : __builtin_bswap16(be16_get(d));
}

static inline uint32_t log_get32(const uint8_t *at, bool big_endian)
{
	be32_t d;

	memcpy(&d, at, sizeof(d));
	return big_endian ? be32_get(d) : __builtin_bswap32(be32_get(d));
}

static inline uint64_t log_get64(const uint8_t *at, bool big_endian)
{
	be64_t d;

	memcpy(&d, at, sizeof(d));
	return big_endian ? be64_get(d) : __builtin_bswap64(be64_get(d));
}

#endif
