/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of xfs_bmap(8): numbers are of 512-byte sectors; columns are as wide as the widest entry, but at least as
 * wide as usual, so that the output can be compared with that program's.
 */
#include "map_table.h"

#include <inttypes.h>
#include <string.h>

#include "line.h"

#define RANGE_WIDTH 16
#define AG_WIDTH    2
#define TOTAL_WIDTH 5
#define RANGE_ROOM  48

/* Octal digits of the column of flags. */
#define FLAG_SHARED	 0100000u
#define FLAG_UNWRITTEN	 0010000u
#define FLAG_UNIT_BEGIN	 0001000u /* it does not begin on a stripe unit */
#define FLAG_UNIT_END	 0000100u /* it does not end on one */
#define FLAG_WIDTH_BEGIN 0000010u /* the same for the stripe width */
#define FLAG_WIDTH_END	 0000001u

struct widths {
	int offset, block, agno, in_ag, total;
};

/* An extent in words, in sectors. */
struct row {
	char offset[RANGE_ROOM]; /* "[0..7]:" */
	char block[RANGE_ROOM];	 /* "96..103", or "hole" */
	char agno[RANGE_ROOM];	 /* "0" */
	char in_ag[RANGE_ROOM];	 /* "(96..103)" */
	char total[RANGE_ROOM];
	bool hole;
	unsigned flags;
};

static void print_range(char *text, const char *before, uint64_t start, uint64_t count, const char *behind)
{
	snprintf(text, RANGE_ROOM, "%s%" PRIu64 "..%" PRIu64 "%s", before, start, start + count - 1, behind);
}

static unsigned flags_of(const struct map_shape *shape, const struct extent *extent, uint64_t start, uint64_t end)
{
	unsigned flags = (extent->shared ? FLAG_SHARED : 0) | (extent->unwritten ? FLAG_UNWRITTEN : 0);

	if (!shape->unit || shape->realtime)
		return flags;
	flags |= (start % shape->unit ? FLAG_UNIT_BEGIN : 0) | (end % shape->unit ? FLAG_UNIT_END : 0);
	if (shape->width)
		flags |= (start % shape->width ? FLAG_WIDTH_BEGIN : 0) | (end % shape->width ? FLAG_WIDTH_END : 0);
	return flags;
}

static struct row row_of(const struct map_shape *shape, const struct extent *extent)
{
	const struct geometry *geo = shape->geo;
	const unsigned log = geo->block_log - SECTOR_LOG;
	const uint64_t count = extent->len << log;
	struct row row = { .hole = extent->start == EXTENT_HOLE };
	uint64_t start;
	gbno_t in_group;
	group_t group;

	print_range(row.offset, "[", extent->offset << log, count, "]:");
	snprintf(row.total, sizeof(row.total), "%" PRIu64, count);
	if (row.hole) {
		strcpy(row.block, "hole");
		return row;
	}
	start = line_device_byte(geo, extent->start) >> SECTOR_LOG;
	group = line_group(geo, extent->start, &in_group);
	print_range(row.block, "", start, count, "");
	if (!shape->realtime) {
		snprintf(row.agno, sizeof(row.agno), "%" PRIu32, group.v);
		print_range(row.in_ag, "(", in_group.v << log, count, ")");
	}
	row.flags = flags_of(shape, extent, start, start + count);
	return row;
}

static void widen(int *width, const char *text)
{
	if ((int)strlen(text) > *width)
		*width = (int)strlen(text);
}

static struct widths widths_of(const struct map_shape *shape, const struct extents *extents)
{
	struct widths widths = { RANGE_WIDTH, RANGE_WIDTH, 0, RANGE_WIDTH, TOTAL_WIDTH };
	char agcount[RANGE_ROOM];

	for (size_t i = 0; i < extents->count; i++) {
		const struct row row = row_of(shape, &extents->v[i]);

		widen(&widths.offset, row.offset);
		widen(&widths.block, row.block);
		widen(&widths.in_ag, row.in_ag);
		widen(&widths.total, row.total);
		if (shape->realtime && !row.hole)
			widths.in_ag = 0;
	}
	snprintf(agcount, sizeof(agcount), "%" PRIu32, shape->geo->agcount);
	if (!shape->realtime) {
		widths.agno = AG_WIDTH;
		widen(&widths.agno, agcount);
	}
	return widths;
}

static void print_row(FILE *out, const struct map_shape *shape, const struct widths *w, size_t number,
		      const struct row *row)
{
	fprintf(out, "%4zu: %-*s %-*s", number, w->offset, row->offset, w->block, row->block);
	if (shape->realtime && !row->hole)
		fputs("  ", out);
	else
		fprintf(out, " %*s %-*s", w->agno, row->agno, w->in_ag, row->in_ag);
	fprintf(out, " %*s", w->total, row->total);
	if (!row->hole)
		fprintf(out, " %06o", row->flags);
	fputc('\n', out);
}

void map_table_print(FILE *out, const struct map_shape *shape, const struct extents *extents)
{
	const struct widths w = widths_of(shape, extents);

	fprintf(out, "%4s: %-*s %-*s %*s %-*s %*s%s\n", "EXT", w.offset, "FILE-OFFSET", w.block,
		shape->realtime ? "RT-BLOCK-RANGE" : "BLOCK-RANGE", w.agno, shape->realtime ? "" : "AG", w.in_ag,
		shape->realtime ? "" : "AG-OFFSET", w.total, "TOTAL", " FLAGS");
	for (size_t i = 0; i < extents->count; i++) {
		const struct row row = row_of(shape, &extents->v[i]);

		print_row(out, shape, &w, i, &row);
	}
}
