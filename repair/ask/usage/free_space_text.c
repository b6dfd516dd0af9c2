/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how free space is divided. */
#include <inttypes.h>

#include "free_space.h"
#include "ask/histogram_table.h"
#include "report/words.h"
#include "ask/table.h"

static int print_histogram(const struct free_sums *sums, const char *headings, const struct answer *to)
{
	struct table *table = table_new(headings);

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++) {
		const struct histogram_class *class = &sums->sizes.of[i];

		if (!class->count)
			continue;
		histogram_cells(table, &sums->sizes, i);
		table_text(table, "%.2f%%", (double)class->sum * 100.0 / (double)sums->blocks);
	}
	return table_end(table, to);
}

static void print_sum(const struct free_space *space, const struct free_sums *sums, const char *what,
		      const struct answer *to)
{
	struct words words = { 0 };

	words_add(&words, "%s: ", what);
	words_add_count(&words, sums->blocks, "block", "blocks");
	words_add(&words, " (");
	words_add_bytes(&words, sums->blocks << space->geo->block_log);
	words_add(&words, ") in ");
	words_add_count(&words, sums->extents, "extent", "extents");
	if (sums->extents)
		words_add(&words, ", on average %g blocks", (double)sums->blocks / (double)sums->extents);
	answer_say(to, "%s", words.text);
}

static int print_largest(const struct free_space *space, bool realtime, const struct answer *to)
{
	const struct ranking *largest = &space->largest[realtime];
	struct table *table = table_new("Largest, in blocks|size|group|from block");

	for (size_t i = 0; i < largest->count; i++) {
		const struct ranked *item = &largest->v[i];

		table_number(table, item->rank);
		table_bytes(table, item->rank << space->geo->block_log);
		table_text(table, "%" PRIu64, item->fact[FREE_GROUP] - (realtime ? space->geo->agcount : 0));
		table_text(table, "%" PRIu64, item->fact[FREE_START]);
	}
	if (largest->count)
		answer_space(to);
	return table_end(table, to);
}

static void print_at_once(const struct free_space *space, const struct free_sums *sums, const struct answer *to)
{
	struct words words = { 0 };

	words_add(&words, "An allocation gets up to ");
	words_add_count(&words, sums->usable, "block", "blocks");
	words_add(&words, " (");
	words_add_bytes(&words, sums->usable << space->geo->block_log);
	words_add(&words, ") in one piece");
	answer_space(to);
	answer_say(to, "%s.", words.text);
}

static int print_groups(const struct free_space *space, bool realtime, const struct answer *to)
{
	const struct geometry *geo = space->geo;
	const uint32_t from = realtime ? geo->agcount : 0, end = realtime ? group_count(geo) : geo->agcount;
	struct table *table = table_new("Group|+free blocks|of it|extents|average|largest|in one piece");

	for (uint32_t i = from; i < end; i++) {
		const struct free_sums *sums = &space->groups[i];

		table_text(table, "%" PRIu32, i - from);
		table_number(table, sums->blocks);
		table_text(table, "%.1f%%", (double)sums->blocks * 100.0 / (double)group_length(geo, (group_t){ i }));
		table_number(table, sums->extents);
		table_text(table, "%.1f", sums->extents ? (double)sums->blocks / (double)sums->extents : 0.0);
		table_number(table, sums->largest);
		table_number(table, sums->usable);
	}
	answer_space(to);
	return table_end(table, to);
}

static int print_section(const struct free_space *space, bool realtime, const struct answer *to)
{
	const struct free_sums sums = free_space_all(space, realtime);
	int ret;

	print_sum(space, &sums, realtime ? "Free space of the realtime section" : "Free space", to);
	ret = print_histogram(&sums, "Blocks of an extent|<|+extents|+blocks|share", to);
	if (!ret)
		ret = print_largest(space, realtime, to);
	if (!ret)
		print_at_once(space, &sums, to);
	return ret ? ret : print_groups(space, realtime, to);
}

int free_space_text(const struct free_space *space, const struct answer *to)
{
	int ret = print_section(space, false, to);

	if (ret || !free_space_has_rt(space))
		return ret;
	answer_space(to);
	return print_section(space, true, to);
}
