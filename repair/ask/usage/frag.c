/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --frag: fragmentation of files. Compares the number of extents with the least possible one if extents could have any
 * length, like `frag` of xfs_db, and finds the worst files.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "ask/histogram.h"
#include "ask/inventory.h"
#include "ask/ranking.h"
#include "ask/table.h"
#include "cache.h"
#include "check/names/search.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/json_out.h"
#include "report/words.h"
#include "run.h"

/* Kinds of forks that options of xfs_db's `frag` distinguish: x(symbol, name). */
#define FRAG_KINDS(x)                                                                                                  \
	x(FILES, "files") x(REALTIME, "realtime files") x(DIRECTORIES, "directories") x(SYMLINKS, "symbolic links")    \
		x(ATTRIBUTES, "attributes") x(QUOTA, "quota files") x(RTMETA, "realtime metadata")

enum frag_kind {
#define x(symbol, name) FRAG_##symbol,
	FRAG_KINDS(x)
#undef x
		FRAG_KIND_NR,
};

struct frag_sums {
	uint64_t forks; /* with extents */
	uint64_t extents;
	uint64_t ideal;
	uint64_t blocks;
};

/* Indexes of ranked.fact[] for a file or directory. */
enum { FRAG_EXTENTS, FRAG_IDEAL, FRAG_SIZE, FRAG_JUMPS, FRAG_WRITTEN };

/* The result, when all facts are in. */
struct frag {
	struct frag_sums of[FRAG_KIND_NR];
	struct histogram files; /* user files by number of extents; weights are extents */
	struct ranking worst_files, worst_directories;
	uint64_t unknown; /* forks with a damaged extent map, whose extents are not all counted */
	uint32_t block_size;
	enum device_medium medium;
};

/* Prints the answer: figures, as text, page and the JSON line "frag". */

/*
 * Costs of a medium, as in the tests' model (tests/tools/disktime.c): a seek over a tenth of a disk and half a turn, or
 * the latency of flash memory.
 */
#define DISK_SEEK  10e-3 /* seconds */
#define DISK_RATE  150e6 /* bytes per second */
#define FLASH_SEEK 90e-6
#define FLASH_RATE 500e6

static const char *frag_kind_name(enum frag_kind kind)
{
	static const char *const names[] = {
#define x(symbol, name) name,
		FRAG_KINDS(x)
#undef x
	};

	return names[kind];
}

/*
 * Estimates the seconds for reading this many bytes in sequence, with this many jumps. An unknown medium counts as a
 * disk.
 */
static double frag_seconds(enum device_medium medium, uint64_t jumps, uint64_t bytes)
{
	if (medium == MEDIUM_FLASH)
		return (double)jumps * FLASH_SEEK + (double)bytes / FLASH_RATE;
	return (double)jumps * DISK_SEEK + (double)bytes / DISK_RATE;
}

/* Returns the sums of all kinds. */
static struct frag_sums frag_all(const struct frag *frag)
{
	struct frag_sums all = { 0 };

	for (enum frag_kind kind = 0; kind < FRAG_KIND_NR; kind++) {
		all.forks += frag->of[kind].forks;
		all.extents += frag->of[kind].extents;
		all.ideal += frag->of[kind].ideal;
		all.blocks += frag->of[kind].blocks;
	}
	return all;
}

/* Returns the percentage of extents beyond the ideal number, as in xfs_db. */
static double frag_factor(const struct frag_sums *sums)
{
	return sums->extents ? (double)(sums->extents - sums->ideal) * 100.0 / (double)sums->extents : 0.0;
}

static void sums_row(struct table *table, const struct frag *frag, const char *name, const struct frag_sums *sums)
{
	table_text(table, "%s", name);
	table_number(table, sums->forks);
	table_number(table, sums->extents);
	table_number(table, sums->ideal);
	table_real(table, frag_factor(sums), "%.2f%%", frag_factor(sums));
	table_number(table, sums->blocks);
	if (sums->extents)
		table_bytes(table, sums->blocks * frag->block_size / sums->extents);
	else
		table_text(table, "-");
}

static int tell_kinds(const struct frag *frag, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to,
					"<Fragmentation=kind|number=number|extents=extents|ideal=ideal|factor=factor|"
					"=blocks|average extent",
					SIZE_MAX);
	const struct frag_sums all = frag_all(frag);

	for (enum frag_kind kind = 0; kind < FRAG_KIND_NR; kind++) {
		sums_row(table, frag, frag_kind_name(kind), &frag->of[kind]);
		if (!frag->of[kind].forks && kind != FRAG_FILES && kind != FRAG_DIRECTORIES && kind != FRAG_ATTRIBUTES)
			table_hide(table);
	}
	sums_row(table, frag, "all", &all);
	return table_end(table, to, line, "kinds");
}

static int tell_histogram(const struct frag *frag, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to, "Extents of a file=from|<|=to|+files=files|+extents=extents", SIZE_MAX);

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++)
		if (frag->files.of[i].count)
			histogram_cells(table, &frag->files, i);
	answer_space(to);
	return table_end(table, to, line, "files_by_extents");
}

static void seconds_cell(struct table *table, double seconds)
{
	struct words words = { 0 };

	if (seconds >= 60)
		words_add_duration(&words, (uint64_t)(seconds + 0.5));
	else if (seconds >= 1)
		words_add(&words, "%.1f s", seconds);
	else
		words_add(&words, "%.*f ms", seconds < 0.01 ? 1 : 0, seconds * 1e3);
	table_real(table, seconds, "%s", words.text);
}

static int tell_worst(const struct frag *frag, const struct ranking *worst, const char *columns, struct paths *paths,
		      const struct answer *to, json_t *line, const char *name)
{
	struct table *table = table_new(to, columns, SIZE_MAX);

	for (size_t i = 0; i < worst->count; i++) {
		const struct ranked *item = &worst->v[i];
		const uint64_t bytes = item->fact[FRAG_WRITTEN] * frag->block_size;

		table_number(table, item->fact[FRAG_EXTENTS]);
		table_number(table, item->fact[FRAG_IDEAL]);
		table_bytes(table, item->fact[FRAG_SIZE]);
		table_number(table, item->fact[FRAG_JUMPS]);
		seconds_cell(table, frag_seconds(frag->medium, item->fact[FRAG_JUMPS], bytes));
		seconds_cell(table, frag_seconds(frag->medium, bytes > 0, bytes));
		table_id(table, item->id);
		table_path(table, paths, item->id);
	}
	if (worst->count)
		answer_space(to);
	return table_end(table, to, line, name);
}

static void print_estimate(const struct frag *frag, const struct answer *to)
{
	const bool flash = frag->medium == MEDIUM_FLASH;

	answer_space(to);
	answer_say(to, "The time is an estimate of reading in sequence from %s: %.2g ms a seek, %.0f MB/s.",
		   flash ? "flash memory" : "a disk", (flash ? FLASH_SEEK : DISK_SEEK) * 1e3,
		   (flash ? FLASH_RATE : DISK_RATE) / 1e6);
	if (frag->medium == MEDIUM_UNKNOWN)
		answer_say(to, "The system does not say what the device is: -o medium=flash or disk does.");
}

static void print_unknown(const struct frag *frag, const struct answer *to)
{
	struct words words = { 0 };

	if (!frag->unknown)
		return;
	words_add_count(&words, frag->unknown, "extent map is", "extent maps are");
	answer_space(to);
	answer_say(to, "%s damaged, so not all extents are counted.", words.text);
}

static void set_outcome(struct report_json *json, json_t *line, const struct frag *frag)
{
	static const char *const media[] = {
		[MEDIUM_UNKNOWN] = "unknown", [MEDIUM_FLASH] = "flash", [MEDIUM_DISK] = "disk"
	};

	json_out_set(json, line, "medium", json_string(media[frag->medium]));
	json_out_set(json, line, "unknown", json_out_number(frag->unknown));
	json_out_put(json, line);
}

#define WORST_COLUMNS                                                                                                  \
	"extents=extents|ideal=ideal|size=size|seeks=seeks|to read=seconds|in one "                                    \
	"piece=seconds_ideal|inode=ino|<Worst "

/* Prints the answer. 0 or negative errno. */
static int frag_tell(const struct frag *frag, struct paths *paths, const struct answer *to)
{
	json_t *line = to->json ? json_out_line(to->json, "frag") : NULL;
	int ret = tell_kinds(frag, to, line);

	if (!ret)
		ret = tell_histogram(frag, to, line);
	if (!ret)
		ret = tell_worst(frag, &frag->worst_files, WORST_COLUMNS "files=path", paths, to, line, "worst_files");
	if (!ret)
		ret = tell_worst(frag, &frag->worst_directories, WORST_COLUMNS "directories=path", paths, to, line,
				 "worst_directories");
	if (!ret && (frag->worst_files.count || frag->worst_directories.count))
		print_estimate(frag, to);
	if (!ret)
		print_unknown(frag, to);
	if (to->json)
		set_outcome(to->json, line, frag);
	return ret;
}

struct frag_lane {
	struct frag frag;
	int error;
	uint8_t apart[64]; /* keeps lanes on separate cache lines */
};

struct frag_asked {
	struct names_noted *names;
	unsigned nlanes;
	struct frag_lane lanes[];
};

static int frag_begin(struct repair *rc, void **ret_ctx)
{
	struct frag_asked *asked = calloc(1, sizeof(*asked) + rc->workers * sizeof(asked->lanes[0]));
	const size_t most = rc->run->options->query.top;

	if (!asked)
		return -ENOMEM;
	asked->nlanes = rc->workers;
	for (unsigned i = 0; i < asked->nlanes; i++)
		asked->lanes[i].frag.worst_files.most = asked->lanes[i].frag.worst_directories.most = most;
	asked->names = search_noted(rc, true);
	*ret_ctx = asked;
	return asked->names ? 0 : -ENOMEM;
}

/* Returns the kind of a fork; FRAG_KIND_NR: none, as in xfs_db. */
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

/* Ranks a file or directory that has more extents than the ideal. 0 or -ENOMEM. */
static int rank(struct ranking *ranking, const struct map_fact *map)
{
	if (map->extents == map->ranges)
		return 0;
	return ranking_add(ranking, &(struct ranked){ .rank = map->extents - map->ranges,
						      .id = map->ino.v,
						      .fact = { [FRAG_EXTENTS] = map->extents,
								[FRAG_IDEAL] = map->ranges,
								[FRAG_SIZE] = map->size,
								[FRAG_JUMPS] = map->jumps,
								[FRAG_WRITTEN] = map->blocks - map->unwritten } });
}

static void frag_mapped(void *ctx, unsigned worker, const struct map_fact *map)
{
	struct frag_lane *at = &((struct frag_asked *)ctx)->lanes[worker];
	struct frag *frag = &at->frag;
	const enum frag_kind kind = kind_of(map);
	struct frag_sums *sums = &frag->of[kind];
	int error = 0;

	if (kind == FRAG_KIND_NR)
		return;
	frag->unknown += !map->whole;
	sums->forks += map->extents > 0;
	sums->extents += map->extents;
	sums->ideal += map->ranges;
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

static void frag_entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	names_noted_add(((struct frag_asked *)ctx)->names, worker, entry);
}

/* Joins all lanes into the first. 0 or negative errno. */
static int join(struct frag_asked *asked)
{
	struct frag *all = &asked->lanes[0].frag;
	int ret = asked->lanes[0].error;

	for (unsigned i = 1; i < asked->nlanes && !ret; i++) {
		struct frag *frag = &asked->lanes[i].frag;

		for (enum frag_kind kind = 0; kind < FRAG_KIND_NR; kind++) {
			all->of[kind].forks += frag->of[kind].forks;
			all->of[kind].extents += frag->of[kind].extents;
			all->of[kind].ideal += frag->of[kind].ideal;
			all->of[kind].blocks += frag->of[kind].blocks;
		}
		all->unknown += frag->unknown;
		histogram_join(&all->files, &frag->files);
		ret = asked->lanes[i].error;
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
	struct frag *frag = &asked->lanes[0].frag;
	const struct ranking *const rankings[] = { &frag->worst_files, &frag->worst_directories };
	const struct answer to = { out, report_answer_page(rc->report), report_answer_json(rc->report) };
	struct paths *paths = NULL;
	int ret = join(asked);

	frag->block_size = rc->geo.block_size;
	frag->medium = device_medium(rc->run->device);
	if (!ret)
		ret = ranking_paths(rankings, 2, rc, asked->names, &paths);
	if (!ret)
		ret = frag_tell(frag, paths, &to);
	paths_free(paths);
	return ret;
}

static void frag_end(void *ctx)
{
	struct frag_asked *asked = ctx;

	names_noted_free(asked->names);
	for (unsigned i = 0; i < asked->nlanes; i++) {
		ranking_free(&asked->lanes[i].frag.worst_files);
		ranking_free(&asked->lanes[i].frag.worst_directories);
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
