/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects facts for --summary: files and names, to be added up later; and how each file is stored, at once. */
#include "summary.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "ask/table.h"
#include "options.h"
#include "ask/inventory.h"
#include "check/names/search.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "run.h"

struct summary_lane {
	struct stored_sums stored[STORED_NR];
	uint64_t shared, saved; /* blocks */
	uint8_t apart[64];
};

struct summary_asked {
	const struct geometry *geo;
	struct files *files;
	struct names_noted *names;
	struct summary summary;
	unsigned nlanes;
	struct summary_lane lanes[];
};

static int summary_begin(struct repair *rc, void **ret_ctx)
{
	struct summary_asked *asked = calloc(1, sizeof(*asked) + rc->workers * sizeof(asked->lanes[0]));
	const struct query *query = &rc->run->options->query;

	if (!asked)
		return -ENOMEM;
	*ret_ctx = asked;
	asked->geo = asked->summary.geo = &rc->geo;
	asked->nlanes = rc->workers;
	asked->files = files_new(rc, &(struct files_options){ 0 });
	asked->names = search_noted(rc, true);
	asked->summary.now = time(NULL);
	asked->summary.depth = query->summary_depth;
	asked->summary.largest.most = asked->summary.fullest.most = asked->summary.longest.most = query->top;
	return asked->files && asked->names ? 0 : -ENOMEM;
}

/* ---- facts ---- */

static void store(struct summary_lane *lane, enum stored how, uint64_t bytes)
{
	lane->stored[how].files++;
	lane->stored[how].bytes += bytes;
}

/* Counts how the data fork of an inode is stored. */
static void count_data(struct summary_lane *lane, const struct dinode *inode, uint64_t bytes)
{
	const enum fork_format format = inode->fork[DATA_FORK].format;

	switch (inode->ftype) {
	case FT_REG:
		store(lane, format == FMT_BTREE ? STORED_FILE_BTREE : STORED_FILE_EXTENTS, bytes);
		if (inode->reflink)
			store(lane, STORED_REFLINK, bytes);
		break;
	case FT_DIR:
		store(lane,
		      format == FMT_LOCAL   ? STORED_DIR_INLINE
		      : format == FMT_BTREE ? STORED_DIR_BTREE
					    : STORED_DIR_EXTENTS,
		      bytes);
		break;
	case FT_SYMLINK:
		store(lane, format == FMT_LOCAL ? STORED_LINK_INLINE : STORED_LINK_EXTENTS, bytes);
		break;
	default:
		break;
	}
}

/* Counts how its attributes are stored. An empty fork has the extents format, but no extents. */
static void count_attributes(struct summary_lane *lane, const struct dinode *inode, uint64_t bytes)
{
	if (!inode->fork[ATTR_FORK].present)
		return;
	switch (inode->fork[ATTR_FORK].format) {
	case FMT_LOCAL:
		store(lane, STORED_ATTR_INLINE, bytes);
		break;
	case FMT_BTREE:
		store(lane, STORED_ATTR_BTREE, bytes);
		break;
	case FMT_EXTENTS:
		if (inode->fork[ATTR_FORK].nextents)
			store(lane, STORED_ATTR_EXTENTS, bytes);
		break;
	default:
		break;
	}
}

static void summary_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct summary_asked *asked = ctx;
	const uint64_t bytes = inode->nblocks << asked->geo->block_log;

	files_sink.inode(asked->files, worker, inode);
	if (!files_is_users(asked->geo, inode))
		return;
	count_data(&asked->lanes[worker], inode, bytes);
	count_attributes(&asked->lanes[worker], inode, bytes);
}

static void summary_entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct summary_asked *asked = ctx;

	files_sink.entry(asked->files, worker, entry);
	names_noted_add(asked->names, worker, entry);
}

static void summary_mapped(void *ctx, unsigned worker, const struct map_fact *map)
{
	const struct summary_asked *asked = ctx;
	struct summary_lane *lane = &((struct summary_asked *)ctx)->lanes[worker];
	const uint8_t log = asked->geo->block_log;
	const uint64_t size = (map->size >> log) + ((map->size & (asked->geo->block_size - 1)) != 0);
	const uint64_t within = map->blocks - map->beyond;

	if (map->fork != DATA_FORK || map->ftype != FT_REG || map->quota || map->rtfile || !map->whole)
		return;
	if (within < size)
		store(lane, STORED_SPARSE, (size - within) << log);
	if (map->unwritten)
		store(lane, STORED_UNWRITTEN, map->unwritten << log);
	if (map->beyond)
		store(lane, STORED_BEYOND, map->beyond << log);
}

static void summary_refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *record)
{
	struct summary_lane *at = &((struct summary_asked *)ctx)->lanes[worker];

	(void)group;
	if (record->cow || record->refcount < 2)
		return;
	at->shared += record->len;
	at->saved += (uint64_t)record->len * (record->refcount - 1);
}

/* ---- the answer ---- */

static void join(struct summary_asked *asked)
{
	struct summary *summary = &asked->summary;

	for (unsigned i = 0; i < asked->nlanes; i++) {
		const struct summary_lane *lane = &asked->lanes[i];

		for (enum stored how = 0; how < STORED_NR; how++) {
			summary->stored[how].files += lane->stored[how].files;
			summary->stored[how].bytes += lane->stored[how].bytes;
		}
		summary->shared_blocks += lane->shared;
		summary->saved_blocks += lane->saved;
	}
}

static int summary_answer(struct repair *rc, void *ctx, FILE *out)
{
	struct summary_asked *asked = ctx;
	struct summary *summary = &asked->summary;
	const struct ranking *const rankings[] = { &summary->largest, &summary->fullest, &summary->longest };
	const struct answer to = { out, report_answer_page(rc->report), report_answer_json(rc->report) };
	struct paths *paths = NULL;
	int ret = files_settle(asked->files, &rc->dirs);

	join(asked);
	if (!ret)
		ret = summary_add_files(summary, asked->files);
	if (!ret)
		ret = ranking_paths(rankings, 3, rc, asked->names, &paths);
	if (!ret)
		ret = summary_treemap(summary, asked->files, to.page);
	if (!ret)
		ret = summary_tell(summary, asked->files, paths, &to);
	paths_free(paths);
	return ret;
}

static void summary_end(void *ctx)
{
	struct summary_asked *asked = ctx;
	struct summary *summary = &asked->summary;

	for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++)
		usage_table_free(&summary->owners[kind]);
	tree_usage_free(&summary->tree);
	ranking_free(&summary->largest);
	ranking_free(&summary->fullest);
	ranking_free(&summary->longest);
	files_free(asked->files);
	names_noted_free(asked->names);
	free(asked);
}

const struct question question_summary = { .begin = summary_begin,
					   .sink = &(const struct sink_ops){ .inode = summary_inode,
									     .entry = summary_entry,
									     .mapped = summary_mapped,
									     .refcount = summary_refcount },
					   .answer = summary_answer,
					   .end = summary_end,
					   .section = HTML_SUMMARY,
					   .pages = true,
					   .maps = true };
