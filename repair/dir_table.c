/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of directories, put together from what the walkers saw. */
#include "dir_table.h"
#include "sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct dir_parent) == 2 * sizeof(uint64_t), "sorted as two numbers");

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
	return 0;
}

void dir_table_free(struct dir_table *table)
{
	free(table->dirs);
	*table = (struct dir_table){ 0 };
}

size_t dir_table_find(const struct dir_table *table, xino_t ino)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->dirs[middle].dir.v < ino.v)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->count && table->dirs[low].dir.v == ino.v ? low : table->count;
}

bool dir_table_below(const struct dir_table *table, xino_t dir, xino_t other)
{
	size_t i = dir_table_find(table, dir), steps = 0, turn = 1, mark = table->count;

	/* a circle is one when the way comes by the last mark again; marks lie ever farther apart */
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
