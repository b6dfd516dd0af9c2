/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line: all blocks of a file system under one number, so that they can be sorted and searched.  Those of the AGs
 * come first, as they lie on the device of the data, then those of the realtime groups, one after the other.
 */
#ifndef XFSCK_REPAIR_LINE_H
#define XFSCK_REPAIR_LINE_H

#include "base/sink.h"
#include "geometry.h"
#include "report/json_out.h"
#include "where.h"

/* What bytes of a device belong to. */
enum line_part {
	LINE_BLOCKS, /* of an AG or a realtime group */
	LINE_LOG,    /* the log on a device of its own */
	LINE_BEHIND, /* they lie behind the end of the file system, or of its groups */
	LINE_NONE,   /* there is no such device */
};

/* Bytes of a device, all of the same part. */
struct line_piece {
	enum line_part part;
	uint64_t start, end; /* LINE_BLOCKS: bytes of the line, which is block_size bytes a block */
};

/* Blocks of the line. */
static inline uint64_t line_length(const struct geometry *geo)
{
	return geo->dblocks + geo->rblocks;
}

/* The block of the line; the group must exist. */
static inline uint64_t line_of(const struct geometry *geo, group_t group, gbno_t block)
{
	if (!group_is_rt(geo, group))
		return (uint64_t)group.v * geo->agblocks + block.v;
	return geo->dblocks + (group.v - geo->agcount) * geo->rgblocks + block.v;
}

/* The group that a block of the line is in, and the block there. */
group_t line_group(const struct geometry *geo, uint64_t block, gbno_t *ret_block);
/* Where a block of the line lies on its device, in bytes. */
uint64_t line_device_byte(const struct geometry *geo, uint64_t block);

/* The first of these bytes of a device, start < end, that are of one part; *ret_next: the byte of the device behind. */
struct line_piece line_piece_of(const struct geometry *geo, enum device_role device, uint64_t start, uint64_t end,
				uint64_t *ret_next);
/* The bytes of its device that a place means.  False: that is behind the end of whatever it may be. */
bool line_where(const struct geometry *geo, const struct where *where, uint64_t *ret_start, uint64_t *ret_end);

/* Prints where a byte of the line is. */

/* Where a byte of the line lies on its device. */
uint64_t line_byte(const struct geometry *geo, uint64_t byte);
/* Print its block: "AG 0 block 77". */
void line_print(FILE *out, const struct geometry *geo, uint64_t byte);
/* Set "byte", "agno" and "agbno", or "rgno" and "rgbno". */
void line_json(struct report_json *json, json_t *object, const struct geometry *geo, uint64_t byte);

#endif
