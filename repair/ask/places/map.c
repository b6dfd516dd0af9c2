/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --map: the extents of a file, as xfs_bmap tells them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/sb.h"
#include "line_told.h"
#include "map_table.h"
#include "options.h"
#include "ask/inventory.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/json_out.h"
#include "report/words.h"
#include "ask/names/resolve.h"
#include "run.h"
#include "where.h"

/* Everything is looked up when the check is over. */
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

/* The inode that the user means: a path begins with a slash. 0, -ENOENT or another negative errno. */
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
