/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --map: the extents of a file, as xfs_bmap shows them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "ask/inventory.h"
#include "check/names/search.h"
#include "check/facts.h"
#include "disk/sb.h"
#include "holders.h"
#include "line.h"
#include "mend/base/mend_lanes.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/json_out.h"
#include "report/words.h"
#include "run.h"
#include "sets/ordered.h"
#include "spans.h"
#include "where.h"
#include "check/walk/traverse.h"

/*
 * Reads the extents of a fork again, and splits them as FS_IOC_GETBMAPX does: up to the end of the file, unless extents
 * beyond it are intentional, and with separate shared parts.
 */

struct extent {
	uint64_t offset; /* blocks */
	uint64_t len;	 /* blocks */
	uint64_t start;	 /* block of the line (line.h), or EXTENT_HOLE */
	bool unwritten;
	bool shared;
};

#define EXTENT_HOLE UINT64_MAX

/* Start with { 0 }. */
struct extents {
	struct extent *v; /* by offset, including holes */
	size_t count, room;
	struct holder holder; /* the inode */
};

struct reading {
	const struct geometry *geo;
	xino_t ino;
	uint8_t flags; /* RMAP_ATTR if the attribute fork is wanted */
	struct mend_lanes lanes;
	struct mend_lanes shared; /* shared spans of blocks of the line */
};

static void claim(void *ctx, unsigned worker, const struct claim *claim)
{
	struct reading *reading = ctx;
	const struct extent extent = { .offset = claim->offset,
				       .len = claim->at.len,
				       .start = line_of(reading->geo, claim->at.group, claim->at.start),
				       .unwritten = claim->flags & RMAP_UNWRITTEN };

	if (claim->owner == reading->ino.v && (claim->flags & (RMAP_ATTR | RMAP_BMBT)) == reading->flags)
		mend_lanes_add(&reading->lanes, worker, &extent);
}

/* Takes the shared ranges of groups [group, end) from the check. 0 or the lanes' error. */
static int take_shared(const struct repair *rc, uint32_t group, uint32_t end, struct reading *reading)
{
	int ret = 0;

	for (; group < end; group++) {
		const struct shared *shared = &rc->traverse->shared[group];

		for (size_t i = 0; i < shared->count && !ret; i++) {
			const struct shared_range *range = &shared->v[i];
			const uint64_t start = line_of(&rc->geo, (group_t){ group }, (gbno_t){ range->start });

			ret = mend_lanes_add(&reading->shared, 0,
					     &(struct span){ start, start + (range->end - range->start) });
		}
	}
	return ret;
}

/* Adds an extent up to `end`. 0 or -ENOMEM. */
static int add(struct extents *extents, struct extent extent, uint64_t end)
{
	if (extent.offset >= end)
		return 0;
	if (extent.len > end - extent.offset)
		extent.len = end - extent.offset;
	return array_add(extents->v, extents->room, extents->count, extent);
}

/* Adds the shared and unshared parts of an extent. 0 or -ENOMEM. */
static int add_parts(struct extents *extents, struct extent extent, uint64_t end, const struct span *shared,
		     size_t nshared)
{
	size_t i = extent.unwritten ? nshared : ordered_behind(shared, nshared, MEMBER(shared, end), extent.start);
	int ret = 0;

	while (extent.len && !ret) {
		struct extent part = extent;
		uint64_t change = UINT64_MAX;

		part.shared = i < nshared && shared[i].start <= extent.start;
		if (i < nshared)
			change = part.shared ? shared[i++].end : shared[i].start;
		if (change - extent.start < extent.len)
			part.len = change - extent.start;
		ret = add(extents, part, end);
		extent.offset += part.len;
		extent.start += part.len;
		extent.len -= part.len;
	}
	return ret;
}

/* Returns the end of the extents to show, in blocks. */
static uint64_t shown_end(const struct geometry *geo, const struct holder *holder, enum fork fork)
{
	return fork == ATTR_FORK || holder->keeps_more ? UINT64_MAX : blocks_of_bytes(geo, holder->size);
}

static int arrange(const struct geometry *geo, struct extents *extents, enum fork fork, const struct extent *all,
		   size_t count, const struct span *shared, size_t nshared)
{
	const uint64_t end = shown_end(geo, &extents->holder, fork);
	const uint64_t file_end = fork == ATTR_FORK ? 0 : blocks_of_bytes(geo, extents->holder.size);
	uint64_t at = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		if (all[i].offset > at)
			ret = add(extents, (struct extent){ at, all[i].offset - at, EXTENT_HOLE, false, false }, end);
		if (!ret)
			ret = add_parts(extents, all[i], end, shared, nshared);
		at = all[i].offset + all[i].len;
	}
	if (count && at < file_end && !ret)
		ret = add(extents, (struct extent){ at, file_end - at, EXTENT_HOLE, false, false }, end);
	return ret;
}

/* Reads the properties of the inode. 0, -ENOENT or another negative errno. */
static int read_inode(struct repair *rc, xino_t ino, struct extents *extents)
{
	struct ino_set set = { 0 };
	struct holders holders = { 0 };
	int ret = ino_set_put(&set, ino);

	if (!ret)
		ret = holders_look(rc, &set, &holders);
	if (!ret && !holders.count)
		ret = -ENOENT;
	if (!ret)
		extents->holder = holders.v[0];
	holders_free(&holders);
	ino_set_free(&set);
	return ret;
}

/*
 * Reads the extents of a fork up to the end of the file, or all if those beyond it are intentional, with holes up to
 * the end, split into shared and unshared parts. 0; -ENOENT: the inode is not in use; or another negative errno. Call
 * extents_free() in either case.
 */
static int extents_read(struct repair *rc, xino_t ino, enum fork fork, struct extents *ret_extents)
{
	static const struct sink_ops ops = { .claim = claim };
	const struct scope scope = { .claims = true };
	struct reading reading = { .geo = &rc->geo, .ino = ino, .flags = fork == ATTR_FORK ? RMAP_ATTR : 0 };
	struct span *shared = NULL;
	struct extent *all = NULL;
	size_t count = 0, nshared = 0;
	int ret = read_inode(rc, ino, ret_extents);

	if (!ret)
		ret = mend_lanes_new(&reading.lanes, rc, sizeof(struct extent));
	if (!ret)
		ret = mend_lanes_new(&reading.shared, rc, sizeof(struct span));
	if (!ret)
		ret = facts_gather_near(rc, &scope, &ino, 1, &ops, &reading);
	if (!ret && fork == DATA_FORK && ret_extents->holder.reflink)
		ret = ret_extents->holder.realtime ? take_shared(rc, rc->geo.agcount, group_count(&rc->geo), &reading)
						   : take_shared(rc, 0, rc->geo.agcount, &reading);
	if (!ret)
		ret = mend_lanes_join(&reading.lanes, &all, &count);
	if (!ret)
		ret = mend_lanes_join(&reading.shared, &shared, &nshared);
	if (!ret) {
		ordered_sort(all, count, MEMBERS(MEMBER(all, offset)));
		ret = arrange(&rc->geo, ret_extents, fork, all, count, shared, spans_join(shared, nshared));
	}
	mend_lanes_free(&reading.lanes);
	mend_lanes_free(&reading.shared);
	free(all);
	free(shared);
	return ret;
}

static void extents_free(struct extents *extents)
{
	free(extents->v);
	*extents = (struct extents){ 0 };
}

/*
 * The columns of xfs_bmap(8), in sectors of 512 bytes. They are as wide as their widest entry, but no narrower than
 * usual, so that output can be compared.
 */

struct map_shape {
	const struct geometry *geo;
	bool realtime;	/* data of a realtime file, without AGs */
	uint64_t unit;	/* stripe unit, in sectors; 0: none */
	uint64_t width; /* stripe width, in sectors; 0: none */
};

#define RANGE_WIDTH 16
#define AG_WIDTH    2
#define TOTAL_WIDTH 5
#define RANGE_ROOM  48

/* Octal digits of the flags column. */
#define FLAG_SHARED	 0100000u
#define FLAG_UNWRITTEN	 0010000u
#define FLAG_UNIT_BEGIN	 0001000u /* begins off a stripe unit */
#define FLAG_UNIT_END	 0000100u /* ends off a stripe unit */
#define FLAG_WIDTH_BEGIN 0000010u /* likewise for the stripe width */
#define FLAG_WIDTH_END	 0000001u

struct widths {
	int offset, block, agno, in_ag, total;
};

/* An extent as text, in sectors. */
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

static void map_table_print(FILE *out, const struct map_shape *shape, const struct extents *extents)
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

/* Everything is looked up after the check. */
static int map_begin(struct repair *rc, void **ret_ctx)
{
	(void)rc;
	*ret_ctx = NULL;
	return 0;
}

static void map_end(void *ctx)
{
	(void)ctx;
}

/* Finds the inode given by path, which begins with a slash, or by number. 0, -ENOENT or another negative errno. */
static int find_inode(const struct repair *rc, const char *text, xino_t *ret_ino)
{
	if (text[0] == '/')
		return resolve_path(rc, text, ret_ino);
	return where_number(text, strlen(text), &ret_ino->v) && ino_valid(&rc->geo, *ret_ino) ? 0 : -ENOENT;
}

static struct map_shape shape_of(const struct repair *rc, const struct extents *extents, enum fork fork)
{
	const struct sb_disk *sb = (const struct sb_disk *)rc->primary;
	const unsigned log = rc->geo.block_log - SECTOR_LOG;

	return (struct map_shape){ .geo = &rc->geo,
				   .realtime = fork == DATA_FORK && extents->holder.realtime,
				   .unit = (uint64_t)be32_get(sb->unit) << log,
				   .width = (uint64_t)be32_get(sb->width) << log };
}

static void put_extent(struct report_json *json, const struct geometry *geo, const struct extent *extent)
{
	json_t *line = json_out_line(json, "extent");
	const bool hole = extent->start == EXTENT_HOLE;

	json_out_set(json, line, "offset", json_out_number(extent->offset << geo->block_log));
	json_out_set(json, line, "bytes", json_out_number(extent->len << geo->block_log));
	json_out_set(json, line, "hole", json_boolean(hole));
	if (!hole) {
		line_json(json, line, geo, extent->start << geo->block_log);
		json_out_set(json, line, "unwritten", json_boolean(extent->unwritten));
		json_out_set(json, line, "shared", json_boolean(extent->shared));
	}
	json_out_put(json, line);
}

static void put_map(struct report_json *json, const struct geometry *geo, const struct extents *extents,
		    const char *name, enum fork fork)
{
	json_t *line = json_out_line(json, "map");

	json_out_set(json, line, "file", json_out_string(name));
	json_out_set(json, line, "ino", json_out_number(extents->holder.ino.v));
	json_out_set(json, line, "fork", json_string(fork == ATTR_FORK ? "attributes" : "data"));
	json_out_set(json, line, "size", json_out_number(extents->holder.size));
	json_out_set(json, line, "realtime", json_boolean(fork == DATA_FORK && extents->holder.realtime));
	json_out_set(json, line, "extents", json_out_number(extents->count));
	json_out_put(json, line);
	for (size_t i = 0; i < extents->count; i++)
		put_extent(json, geo, &extents->v[i]);
}

static int map_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct query *query = &rc->run->options->query;
	const enum fork fork = query->map_attributes ? ATTR_FORK : DATA_FORK;
	struct report_json *json = report_answer_json(rc->report);
	struct extents extents = { 0 };
	struct words sentence = { 0 };
	struct map_shape shape;
	xino_t ino = { 0 };
	int ret = find_inode(rc, query->map, &ino);

	(void)ctx;
	if (!ret)
		ret = extents_read(rc, ino, fork, &extents);
	if (ret == -ENOENT) {
		words_add(&sentence, "--map: there is no file %s", query->map);
		trouble(rc, sentence.text);
	}
	if (!ret) {
		shape = shape_of(rc, &extents, fork);
		fprintf(out, extents.count ? "%s:\n" : "%s: no extents\n", query->map);
		if (extents.count)
			map_table_print(out, &shape, &extents);
		if (json)
			put_map(json, &rc->geo, &extents, query->map, fork);
	}
	extents_free(&extents);
	return ret;
}

const struct question question_map = { .begin = map_begin,
				       .sink = &(const struct sink_ops){ 0 },
				       .answer = map_answer,
				       .end = map_end,
				       .section = HTML_EXTENTS };
