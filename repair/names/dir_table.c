/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of directories, joined from what the walkers saw, and an index over it. */
#include "dir_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sets/sort.h"
#include "sets/ordered.h"
#include "walk/walker.h"

_Static_assert(sizeof(struct dir_parent) == 2 * sizeof(uint64_t), "sorted as two numbers");

#define EACH 8u /* directories for each element of the index, if their numbers are spread evenly */

/* Make the index of the sorted table; none if there are few directories, or too many for 32 bits. 0 or -ENOMEM. */
static int find_starts(struct dir_table *table)
{
	uint64_t first, span;
	size_t at = 0, nstarts;

	if (table->count < EACH || table->count > UINT32_MAX)
		return 0;
	first = table->dirs[0].dir.v;
	span = table->dirs[table->count - 1].dir.v - first;
	while (span >> table->shift > table->count / EACH)
		table->shift++;
	nstarts = (size_t)(span >> table->shift) + 2;
	table->starts = calloc(nstarts, sizeof(*table->starts));
	if (!table->starts)
		return -ENOMEM;
	for (size_t i = 0; i < nstarts; i++) {
		while (at < table->count && (table->dirs[at].dir.v - first) >> table->shift < i)
			at++;
		table->starts[i] = (uint32_t)at;
	}
	return 0;
}

int dir_table_collect(struct traverse *t, struct dir_table *table)
{
	size_t total = 0, at = 0;

	for (unsigned i = 0; i < t->nwalkers; i++)
		total += t->walkers[i]->ndirs;
	table->dirs = calloc(total + 1, sizeof(*table->dirs));
	if (!table->dirs)
		return -ENOMEM;
	for (unsigned i = 0; i < t->nwalkers; i++) {
		struct walker *w = t->walkers[i];

		if (w->ndirs)
			memcpy(table->dirs + at, w->dirs, w->ndirs * sizeof(*w->dirs));
		at += w->ndirs;
		free(w->dirs);
		w->dirs = NULL;
		w->ndirs = w->dirs_room = 0;
	}
	table->count = total;
	sort_words((uint64_t *)table->dirs, total, 2);
	return find_starts(table);
}

void dir_table_free(struct dir_table *table)
{
	free(table->dirs);
	free(table->starts);
	*table = (struct dir_table){ 0 };
}

size_t dir_table_find(const struct dir_table *table, xino_t ino)
{
	size_t at = 0, end = table->count;

	if (table->starts) {
		uint64_t first = table->dirs[0].dir.v, i = (ino.v - first) >> table->shift;

		if (ino.v < first || ino.v > table->dirs[end - 1].dir.v)
			return table->count;
		at = table->starts[i];
		end = table->starts[i + 1];
	}
	at += ordered_from(table->dirs + at, end - at, MEMBER(table->dirs, dir), ino.v);
	return at < table->count && table->dirs[at].dir.v == ino.v ? at : table->count;
}

bool dir_table_below(const struct dir_table *table, xino_t dir, xino_t other)
{
	size_t i = dir_table_find(table, dir), steps = 0, turn = 1, mark = table->count;

	/* a circle is found when the last mark is met again; marks are set after 1, 2, 4, ... steps */
	while (i < table->count && i != mark) {
		if (table->dirs[i].dir.v == other.v)
			return true;
		if (++steps == turn) {
			turn *= 2;
			mark = i;
		}
		i = dir_table_find(table, table->dirs[i].parent);
	}
	return false;
}

bool dir_is_root(const struct geometry *geo, xino_t ino)
{
	return ino.v == geo->rootino.v || (geo->metadir && ino.v == geo->metadirino.v);
}
