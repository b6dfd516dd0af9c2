/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places the bad ranges of a device on the line. */
#include "bad_ranges.h"

#include <stdlib.h>

#include "array.h"
#include "sets/ordered.h"

static int place(struct bad_ranges *ranges, const struct geometry *geo, enum device_role device, struct span span,
		 enum bad_state state)
{
	int ret = 0;

	ranges->bytes[state] += span.end - span.start;
	while (span.start < span.end && !ret) {
		uint64_t next;
		const struct line_piece piece = line_piece_of(geo, device, span.start, span.end, &next);

		if (piece.part == LINE_BLOCKS)
			ret = array_add(ranges->v, ranges->room, ranges->count,
					(struct bad_range){ piece.start, piece.end, state == BAD_UNTRIED });
		else if (piece.part == LINE_LOG)
			ranges->log[state] += next - span.start;
		else if (piece.part == LINE_NONE)
			ranges->no_device = true;
		else
			ranges->behind[state] += next - span.start;
		span.start = next;
	}
	return ret;
}

int bad_ranges_place(struct bad_ranges *ranges, const struct geometry *geo, enum device_role device,
		     const struct bad_file *file)
{
	int ret = 0;

	*ranges = (struct bad_ranges){ 0 };
	for (unsigned state = 0; state < BAD_STATES; state++)
		for (size_t i = 0; i < file->of[state].count && !ret; i++)
			ret = place(ranges, geo, device, file->of[state].v[i], state);
	ordered_sort(ranges->v, ranges->count, MEMBERS(MEMBER(ranges->v, start)));
	return ret;
}

void bad_ranges_free(struct bad_ranges *ranges)
{
	free(ranges->v);
	*ranges = (struct bad_ranges){ 0 };
}

size_t bad_ranges_from(const struct bad_ranges *ranges, uint64_t start)
{
	return ordered_behind(ranges->v, ranges->count, MEMBER(ranges->v, end), start);
}
