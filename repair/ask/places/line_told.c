/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a byte of the line is, in words and as JSON. */
#include "line_told.h"

#include <inttypes.h>

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
