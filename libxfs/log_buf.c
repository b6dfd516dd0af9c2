/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes buffer items in the log: the changed bytes of a metadata block (ondisk 11, "BUF").  A bitmap has the logged
 * chunks; the bytes of each run of set bits are in one or several regions.
 */
#include "log_item.h"

enum buf_field { BUF_FLAGS = 4, BUF_LEN = 6, BUF_BLKNO = 8, BUF_MAP_SIZE = 16, BUF_MAP = 20 };

#define KNOWN_FLAGS (LOG_BUF_INODE | LOG_BUF_CANCEL | LOG_BUF_UDQUOT | LOG_BUF_PDQUOT | LOG_BUF_GDQUOT)

static uint32_t map_bits(const struct log_item *item)
{
	return log_get32(item->regions[0].bytes + BUF_MAP_SIZE, item->big_endian) * 32;
}

static bool map_bit(const struct log_item *item, uint32_t bit)
{
	return log_get32(item->regions[0].bytes + BUF_MAP + (size_t)(bit / 32) * 4, item->big_endian) >> bit % 32 & 1;
}

/* The number of bits in the next run of set bits from `bit` on, or 0; *ret_first: its first bit. */
static uint32_t next_run(const struct log_item *item, uint32_t bit, uint32_t *ret_first)
{
	uint32_t bits = map_bits(item), end;

	while (bit < bits && !map_bit(item, bit))
		bit++;
	for (end = bit; end < bits && map_bit(item, end);)
		end++;
	*ret_first = bit;
	return end - bit;
}

/* Checks that every region holds chunks of one run, and that together they hold all chunks of the map. */
static bool check_regions(const struct check *c, const struct log_item *item, const struct log_buf *buf)
{
	uint32_t bit = 0, chunks, run;

	for (uint32_t i = 1; i < item->nregions; i++) {
		uint32_t len = item->regions[i].len;

		run = next_run(item, bit, &bit);
		if (len == 0 || len % LOG_BUF_CHUNK != 0 || len / LOG_BUF_CHUNK > run)
			return problem_at(c, F_LOG_BUF_REGION, 0, i, len, (uint64_t)run * LOG_BUF_CHUNK);
		chunks = len / LOG_BUF_CHUNK;
		if ((uint64_t)(bit + chunks) * LOG_BUF_CHUNK > (uint64_t)buf->len << SECTOR_LOG)
			return problem_at(c, F_LOG_BUF_MAP, BUF_MAP, 0, (uint64_t)(bit + chunks) * LOG_BUF_CHUNK,
					  (uint64_t)buf->len << SECTOR_LOG);
		bit += chunks;
	}
	run = next_run(item, bit, &bit);
	return run == 0 || problem_at(c, F_LOG_BUF_REGION, 0, item->nregions - 1, 0, (uint64_t)run * LOG_BUF_CHUNK);
}

bool log_buf_decode(const struct check *c, const struct log_item *item, struct log_buf *ret_buf)
{
	const bool be = item->big_endian;
	const struct log_region *format = &item->regions[0];
	struct log_buf buf;
	uint32_t flags, map_size, type;

	if (format->len < BUF_MAP)
		return problem_at(c, F_LOG_ITEM_LEN, 0, 0, format->len, BUF_MAP);
	flags = log_get16(format->bytes + BUF_FLAGS, be);
	type = flags >> LOG_BUF_TYPE_SHIFT;
	buf.flags = flags & ((1u << LOG_BUF_TYPE_SHIFT) - 1);
	buf.len = log_get16(format->bytes + BUF_LEN, be);
	buf.daddr.v = log_get64(format->bytes + BUF_BLKNO, be);
	map_size = log_get32(format->bytes + BUF_MAP_SIZE, be);
	if (!log_sectors_possible(buf.daddr, buf.len))
		return problem_at(c, F_LOG_ITEM_SECTORS, BUF_BLKNO, 0, buf.daddr.v, buf.len);
	if (buf.flags & ~KNOWN_FLAGS)
		return problem_at(c, F_LOG_BUF_FLAGS, BUF_FLAGS, 0, buf.flags, KNOWN_FLAGS);
	if (type >= LB_TYPES)
		return problem_at(c, F_LOG_BUF_TYPE, BUF_FLAGS, 0, type, LB_TYPES - 1);
	buf.type = (enum log_buf_type)type;
	/* a region is at most LOG_REGION_MAX long, as checked before */
	if (map_size > (format->len - BUF_MAP) / 4)
		return problem_at(c, F_LOG_BUF_MAP_SIZE, BUF_MAP_SIZE, 0, map_size, (format->len - BUF_MAP) / 4);
	/* a cancelled buffer was freed and has no logged contents: its map is meaningless */
	if (!(buf.flags & LOG_BUF_CANCEL) && !check_regions(c, item, &buf))
		return false;
	if ((buf.flags & LOG_BUF_CANCEL) && item->nregions != 1)
		return problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, 1);
	*ret_buf = buf;
	return true;
}

bool log_buf_next(const struct log_item *item, struct log_buf_position *position, struct log_buf_range *ret_range)
{
	const struct log_region *region;
	uint32_t bit;

	/* the first region is the format structure */
	if (position->region + 1 >= item->nregions)
		return false;
	region = &item->regions[++position->region];
	if (next_run(item, position->bit, &bit) == 0)
		return false;
	*ret_range = (struct log_buf_range){ region->bytes, bit * LOG_BUF_CHUNK, region->len };
	position->bit = bit + region->len / LOG_BUF_CHUNK;
	return true;
}
