/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts between bytes of devices and blocks of the line. */
#include "line.h"

#include <inttypes.h>

/* Prints places as text and as JSON. */

uint64_t line_byte(const struct geometry *geo, uint64_t byte)
{
	return line_device_byte(geo, byte >> geo->block_log) + (byte & (geo->block_size - 1));
}

void line_print(FILE *out, const struct geometry *geo, uint64_t byte)
{
	gbno_t block;
	const group_t group = line_group(geo, byte >> geo->block_log, &block);

	if (group_is_rt(geo, group))
		fprintf(out, "realtime group %" PRIu32 " block %" PRIu64, group.v - geo->agcount, block.v);
	else
		fprintf(out, "AG %" PRIu32 " block %" PRIu64, group.v, block.v);
}

void line_json(struct report_json *json, json_t *object, const struct geometry *geo, uint64_t byte)
{
	gbno_t block;
	const group_t group = line_group(geo, byte >> geo->block_log, &block);
	const bool rt = group_is_rt(geo, group);

	json_out_set(json, object, "byte", json_out_number(line_byte(geo, byte)));
	json_out_set(json, object, rt ? "rgno" : "agno", json_out_number(rt ? group.v - geo->agcount : group.v));
	json_out_set(json, object, rt ? "rgbno" : "agbno", json_out_number(block.v));
}

static uint32_t rgno_of_line(const struct geometry *geo, uint64_t block)
{
	const uint64_t rgno = (block - geo->dblocks) / geo->rgblocks;

	return rgno < geo->rgcount ? (uint32_t)rgno : geo->rgcount - 1;
}

group_t line_group(const struct geometry *geo, uint64_t block, gbno_t *ret_block)
{
	if (block < geo->dblocks) {
		*ret_block = (gbno_t){ block % geo->agblocks };
		return group_of_ag((agno_t){ (uint32_t)(block / geo->agblocks) });
	}
	*ret_block = (gbno_t){ block - geo->dblocks - rgno_of_line(geo, block) * geo->rgblocks };
	return group_of_rg(geo, rgno_of_line(geo, block));
}

uint64_t line_device_byte(const struct geometry *geo, uint64_t block)
{
	gbno_t in_group;
	const group_t group = line_group(geo, block, &in_group);

	return bytes_of_gbno(geo, group, in_group);
}

/* Returns the first part of bytes [start, end) of the realtime section, relative to its first block. */
static struct line_range rt_range(const struct geometry *geo, uint64_t start, uint64_t end, uint64_t *ret_next)
{
	const uint64_t between = (geo->zone_gaps ? 1ull << geo->rgblklog : geo->rgblocks) << geo->block_log;
	const uint64_t rgno = geo->rgcount > 1 ? start / between : 0;
	const uint64_t first = rgno * between;
	uint64_t length, line;

	if (rgno >= geo->rgcount) {
		*ret_next = end;
		return (struct line_range){ .area = LINE_BEHIND };
	}
	length = group_length(geo, group_of_rg(geo, (uint32_t)rgno)) << geo->block_log;
	if (start - first >= length) {
		*ret_next = geo->rgcount > rgno + 1 ? smaller(end, first + between) : end;
		return (struct line_range){ .area = LINE_BEHIND };
	}
	*ret_next = smaller(end, first + length);
	line = line_of(geo, group_of_rg(geo, (uint32_t)rgno), (gbno_t){ 0 }) << geo->block_log;
	return (struct line_range){ LINE_BLOCKS, line + (start - first), line + (*ret_next - first) };
}

/* The same for bytes that begin at `base`. */
static struct line_range rt_range_behind(const struct geometry *geo, uint64_t base, uint64_t start, uint64_t end,
					 uint64_t *ret_next)
{
	const struct line_range range = rt_range(geo, start - base, end - base, ret_next);

	*ret_next += base;
	return range;
}

static struct line_range data_range(const struct geometry *geo, uint64_t start, uint64_t end, uint64_t *ret_next)
{
	const uint64_t length = geo->dblocks << geo->block_log, rt = geo->rtstart << geo->block_log;

	if (start < length) {
		*ret_next = smaller(end, length);
		return (struct line_range){ LINE_BLOCKS, start, *ret_next };
	}
	if (geo->rtstart && geo->rgcount && start >= rt)
		return rt_range_behind(geo, rt, start, end, ret_next);
	*ret_next = geo->rtstart && start < rt ? smaller(end, rt) : end;
	return (struct line_range){ .area = LINE_BEHIND };
}

/* Returns the first part of bytes of the external log. */
static struct line_range log_range(const struct geometry *geo, uint64_t start, uint64_t end, uint64_t *ret_next)
{
	const uint64_t length = (uint64_t)geo->logblocks << geo->block_log;

	*ret_next = start < length ? smaller(end, length) : end;
	return (struct line_range){ .area = geo->logstart.v ? LINE_NONE : start < length ? LINE_LOG : LINE_BEHIND };
}

struct line_range line_range_of(const struct geometry *geo, enum device_role device, uint64_t start, uint64_t end,
				uint64_t *ret_next)
{
	*ret_next = end;
	if (device == ROLE_DATA)
		return data_range(geo, start, end, ret_next);
	if (device == ROLE_LOG)
		return log_range(geo, start, end, ret_next);
	if (!geo->rgcount)
		return (struct line_range){ .area = LINE_NONE };
	return rt_range_behind(geo, geo->rtstart << geo->block_log, start, end, ret_next);
}

/* Gets the first byte of a block of a group; false: there is no such block. */
static bool block_bytes(const struct geometry *geo, group_t group, uint64_t block, uint64_t *ret_start)
{
	if (group.v >= group_count(geo) || block >= group_length(geo, group))
		return false;
	*ret_start = line_device_byte(geo, line_of(geo, group, (gbno_t){ block }));
	return true;
}

/* Returns the group with this number; an invalid group if there is none. */
static group_t group_numbered(const struct geometry *geo, bool rt, uint64_t number)
{
	if (number >= (rt ? geo->rgcount : geo->agcount))
		return (group_t){ group_count(geo) };
	return rt ? group_of_rg(geo, (uint32_t)number) : group_of_ag((agno_t){ (uint32_t)number });
}

bool line_where(const struct geometry *geo, const struct where *where, uint64_t *ret_start, uint64_t *ret_end)
{
	const bool rt = where->device == ROLE_REALTIME;
	const unsigned log = rt ? geo->rgblklog : geo->agblock_log;
	uint64_t length = geo->block_size;
	bool exists = true;

	if (where->unit == WHERE_BYTE || where->unit == WHERE_SECTOR) {
		length = where->unit == WHERE_BYTE ? 1 : SECTOR_SIZE;
		exists = !__builtin_mul_overflow(where->number, length, ret_start);
		if (exists && rt && geo->rtstart) /* relative to the realtime section */
			exists = !__builtin_add_overflow(*ret_start, geo->rtstart << geo->block_log, ret_start);
	} else if (where->unit == WHERE_FSBLOCK) {
		exists = block_bytes(geo, group_numbered(geo, rt, where->number >> log),
				     where->number & ((1ull << log) - 1), ret_start);
	} else {
		exists = block_bytes(geo, group_numbered(geo, rt, where->group), where->number, ret_start);
	}
	return exists && !__builtin_add_overflow(*ret_start, length, ret_end);
}
