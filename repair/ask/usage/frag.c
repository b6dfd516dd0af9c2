/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fragmented files are.  The number of extents is held against the number that would do if each could be of any
 * length, as `frag` of xfs_db does; and the worst files are found.
 */
#include "frag.h"

#include <errno.h>
#include <stdlib.h>

#include "ask/table.h"
#include "options.h"
#include "ask/inventory.h"
#include "ask/ranked_paths.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "run.h"

struct frag_lane {
	struct frag frag;
	int error;
	uint8_t apart[64]; /* keeps the lanes on cache lines of their own */
};

struct frag_asked {
	struct name_places *places;
	unsigned lanes;
	struct frag_lane lane[];
};

const char *frag_kind_name(enum frag_kind kind)
{
	static const char *const names[] = {
#define x(symbol, name) name,
		FRAG_KINDS(x)
#undef x
	};

	return names[kind];
}

static int frag_begin(struct repair *rc, void **ret_ctx)
{
	struct frag_asked *asked = calloc(1, sizeof(*asked) + rc->workers * sizeof(asked->lane[0]));
	const size_t most = rc->run->options->query.top;

	if (!asked)
		return -ENOMEM;
	asked->lanes = rc->workers;
	for (unsigned i = 0; i < asked->lanes; i++)
		asked->lane[i].frag.worst_files.most = asked->lane[i].frag.worst_directories.most = most;
	asked->places = ranked_places(rc);
	*ret_ctx = asked;
	return asked->places ? 0 : -ENOMEM;
}

/* The kind that a fork is of; FRAG_KIND_NR: none, and `frag` of xfs_db leaves it out, too. */
static enum frag_kind kind_of(const struct map_fact *map)
{
	if (map->fork == ATTR_FORK)
		return FRAG_ATTRIBUTES;
	if (map->ftype == FT_DIR)
		return FRAG_DIRECTORIES;
	if (map->ftype == FT_SYMLINK)
		return FRAG_SYMLINKS;
	if (map->ftype != FT_REG)
		return FRAG_KIND_NR;
	if (map->realtime)
		return FRAG_REALTIME;
	return map->rtfile ? FRAG_RTMETA : map->quota ? FRAG_QUOTA : FRAG_FILES;
}

/* Rank a file or directory, if it has more extents than the ideal. 0 or -ENOMEM. */
static int rank(struct ranking *ranking, const struct map_fact *map)
{
	if (map->extents == map->runs)
		return 0;
	return ranking_add(ranking, &(struct ranked){ .rank = map->extents - map->runs,
						      .id = map->ino.v,
						      .fact = { [FRAG_EXTENTS] = map->extents,
								[FRAG_IDEAL] = map->runs,
								[FRAG_SIZE] = map->size,
								[FRAG_JUMPS] = map->jumps,
								[FRAG_WRITTEN] = map->blocks - map->unwritten } });
}

static void frag_mapped(void *ctx, unsigned lane, const struct map_fact *map)
{
	struct frag_lane *at = &((struct frag_asked *)ctx)->lane[lane];
	struct frag *frag = &at->frag;
	const enum frag_kind kind = kind_of(map);
	struct frag_sums *sums = &frag->of[kind];
	int error = 0;

	if (kind == FRAG_KIND_NR)
		return;
	frag->unknown += !map->whole;
	sums->forks += map->extents > 0;
	sums->extents += map->extents;
	sums->ideal += map->runs;
	sums->blocks += map->blocks;
	if (kind == FRAG_DIRECTORIES) {
		error = rank(&frag->worst_directories, map);
	} else if (kind == FRAG_FILES || kind == FRAG_REALTIME) {
		histogram_add(&frag->files, map->extents, map->extents);
		error = rank(&frag->worst_files, map);
	}
	if (error)
		at->error = error;
}

static void frag_entry(void *ctx, unsigned lane, const struct entry_fact *entry)
{
	if (!entry->dot && !entry->dotdot)
		name_places_add(((struct frag_asked *)ctx)->places, lane, entry->directory, entry->target);
}

/* Join all lanes in the first. 0 or negative errno. */
static int join(struct frag_asked *asked)
{
	struct frag *all = &asked->lane[0].frag;
	int ret = asked->lane[0].error;

	for (unsigned i = 1; i < asked->lanes && !ret; i++) {
		struct frag *frag = &asked->lane[i].frag;

		for (enum frag_kind kind = 0; kind < FRAG_KIND_NR; kind++) {
			all->of[kind].forks += frag->of[kind].forks;
			all->of[kind].extents += frag->of[kind].extents;
			all->of[kind].ideal += frag->of[kind].ideal;
			all->of[kind].blocks += frag->of[kind].blocks;
		}
		all->unknown += frag->unknown;
		histogram_join(&all->files, &frag->files);
		ret = asked->lane[i].error;
		if (!ret)
			ret = ranking_join(&all->worst_files, &frag->worst_files);
		if (!ret)
			ret = ranking_join(&all->worst_directories, &frag->worst_directories);
	}
	ranking_sort(&all->worst_files);
	ranking_sort(&all->worst_directories);
	return ret;
}

static int frag_answer(struct repair *rc, void *ctx, FILE *out)
{
	struct frag_asked *asked = ctx;
	struct frag *frag = &asked->lane[0].frag;
	const struct ranking *const rankings[] = { &frag->worst_files, &frag->worst_directories };
	struct report_json *json = report_answer_json(rc->report);
	struct paths *paths = NULL;
	int ret = join(asked);

	frag->block_size = rc->geo.block_size;
	frag->medium = device_medium(rc->run->device);
	if (!ret)
		ret = ranked_paths(rc, asked->places, rankings, 2, &paths);
	if (!ret)
		ret = frag_text(frag, paths, &(struct answer){ out, report_answer_page(rc->report) });
	if (!ret && json)
		frag_json(json, frag, paths);
	paths_free(paths);
	return ret;
}

static void frag_end(void *ctx)
{
	struct frag_asked *asked = ctx;

	name_places_free(asked->places);
	for (unsigned i = 0; i < asked->lanes; i++) {
		ranking_free(&asked->lane[i].frag.worst_files);
		ranking_free(&asked->lane[i].frag.worst_directories);
	}
	free(asked);
}

const struct question question_frag = { .begin = frag_begin,
					.sink = &(const struct sink_ops){ .mapped = frag_mapped, .entry = frag_entry },
					.answer = frag_answer,
					.end = frag_end,
					.section = HTML_FRAG,
					.pages = true,
					.maps = true };
