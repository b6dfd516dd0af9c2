/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how fragmented files are, and derives the figures that are told. */
#include <inttypes.h>

#include "frag.h"
#include "ask/histogram_table.h"
#include "ask/ranked_paths.h"
#include "report/words.h"
#include "ask/table.h"

/*
 * What a medium takes, as the tests' model of one has it (tests/tools/disktime.c): a seek over a tenth of a disk and
 * half a turn of it, or a flash memory's latency.
 */
#define DISK_SEEK  10e-3 /* seconds */
#define DISK_RATE  150e6 /* bytes per second */
#define FLASH_SEEK 90e-6
#define FLASH_RATE 500e6

double frag_seconds(enum device_medium medium, uint64_t jumps, uint64_t bytes)
{
	if (medium == MEDIUM_FLASH)
		return (double)jumps * FLASH_SEEK + (double)bytes / FLASH_RATE;
	return (double)jumps * DISK_SEEK + (double)bytes / DISK_RATE;
}

struct frag_sums frag_all(const struct frag *frag)
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

double frag_factor(const struct frag_sums *sums)
{
	return sums->extents ? (double)(sums->extents - sums->ideal) * 100.0 / (double)sums->extents : 0.0;
}

static void sums_row(struct table *table, const struct frag *frag, const char *name, const struct frag_sums *sums)
{
	table_text(table, "%s", name);
	table_number(table, sums->forks);
	table_number(table, sums->extents);
	table_number(table, sums->ideal);
	table_text(table, "%.2f%%", frag_factor(sums));
	if (sums->extents)
		table_bytes(table, sums->blocks * frag->block_size / sums->extents);
	else
		table_text(table, "-");
}

static int print_sums(const struct frag *frag, const struct answer *to)
{
	struct table *table = table_new("<Fragmentation|number|extents|ideal|factor|average extent");
	const struct frag_sums all = frag_all(frag);

	for (enum frag_kind kind = 0; kind < FRAG_KIND_NR; kind++)
		if (frag->of[kind].forks || kind == FRAG_FILES || kind == FRAG_DIRECTORIES || kind == FRAG_ATTRIBUTES)
			sums_row(table, frag, frag_kind_name(kind), &frag->of[kind]);
	sums_row(table, frag, "all", &all);
	return table_end(table, to);
}

static int print_histogram(const struct frag *frag, const struct answer *to)
{
	struct table *table = table_new("Extents of a file|<|+files|+extents");

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++)
		if (frag->files.of[i].count)
			histogram_cells(table, &frag->files, i);
	answer_space(to);
	return table_end(table, to);
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
	table_text(table, "%s", words.text);
}

static int print_worst(const struct frag *frag, const struct ranking *worst, const char *headings, struct paths *paths,
		       const struct answer *to)
{
	struct table *table = table_new(headings);

	for (size_t i = 0; i < worst->count; i++) {
		const struct ranked *item = &worst->v[i];
		const uint64_t bytes = item->fact[FRAG_WRITTEN] * frag->block_size;

		table_number(table, item->fact[FRAG_EXTENTS]);
		table_number(table, item->fact[FRAG_IDEAL]);
		table_bytes(table, item->fact[FRAG_SIZE]);
		table_number(table, item->fact[FRAG_JUMPS]);
		seconds_cell(table, frag_seconds(frag->medium, item->fact[FRAG_JUMPS], bytes));
		seconds_cell(table, frag_seconds(frag->medium, bytes > 0, bytes));
		table_text(table, "%" PRIu64, item->id);
		ranked_path_cell(table, paths, item->id);
	}
	if (worst->count)
		answer_space(to);
	return table_end(table, to);
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

int frag_text(const struct frag *frag, struct paths *paths, const struct answer *to)
{
	int ret = print_sums(frag, to);

	if (!ret)
		ret = print_histogram(frag, to);
	if (!ret)
		ret = print_worst(frag, &frag->worst_files,
				  "extents|ideal|size|seeks|to read|in one piece|inode|<Worst files", paths, to);
	if (!ret)
		ret = print_worst(frag, &frag->worst_directories,
				  "extents|ideal|size|seeks|to read|in one piece|inode|<Worst directories", paths, to);
	if (!ret && (frag->worst_files.count || frag->worst_directories.count))
		print_estimate(frag, to);
	if (!ret)
		print_unknown(frag, to);
	return ret;
}
