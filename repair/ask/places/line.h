/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line numbers all blocks of a file system, for sorting and searching: first those of the AGs as on the data
 * device, then those of the realtime groups, one after another.
 */
#ifndef XFSCK_REPAIR_LINE_H
#define XFSCK_REPAIR_LINE_H

#include "base/sink.h"
#include "geometry.h"
#include "report/json_out.h"
#include "where.h"

/* What bytes of a device belong to. */
enum line_area {
	LINE_BLOCKS, /* of an AG or a realtime group */
	LINE_LOG,    /* the external log */
	LINE_BEHIND, /* beyond the end of the file system or of a realtime group */
	LINE_NONE,   /* there is no such device */
};

/* Bytes of a device in a single area. */
struct line_range {
	enum line_area area;
	uint64_t start, end; /* LINE_BLOCKS: bytes of the line, block_size per block */
};

/* Returns the number of blocks of the line. */
static inline uint64_t line_length(const struct geometry *geo)
{
	return geo->dblocks + geo->rblocks;
}

/* Returns the block of the line; the group must exist. */
static inline uint64_t line_of(const struct geometry *geo, group_t group, gbno_t block)
{
	if (!group_is_rt(geo, group))
		return (uint64_t)group.v * geo->agblocks + block.v;
	return geo->dblocks + (group.v - geo->agcount) * geo->rgblocks + block.v;
}

/* Returns the group of a block of the line, and its block there. */
group_t line_group(const struct geometry *geo, uint64_t block, gbno_t *ret_block);
/* Returns the byte address of a block of the line on its device. */
uint64_t line_device_byte(const struct geometry *geo, uint64_t block);

/* Returns the first area of these bytes of a device, start < end; *ret_next: the byte of the device after it. */
struct line_range line_range_of(const struct geometry *geo, enum device_role device, uint64_t start, uint64_t end,
				uint64_t *ret_next);
/* Converts a place to bytes of its device. False: it does not exist. */
bool line_where(const struct geometry *geo, const struct where *where, uint64_t *ret_start, uint64_t *ret_end);

/* Prints places of the line. */

/* Returns the address of a byte of the line on its device. */
uint64_t line_byte(const struct geometry *geo, uint64_t byte);
/* Prints the block of a byte: "AG 0 block 77". */
void line_print(FILE *out, const struct geometry *geo, uint64_t byte);
/* Sets "byte", "agno" and "agbno", or "rgno" and "rgbno". */
void line_json(struct report_json *json, json_t *object, const struct geometry *geo, uint64_t byte);

#endif
