/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every directory hangs, by its `..`, below the root of its tree (ondisk 06,
 * invariant 7).  That `..` and the entries agree is the ledger's business; here
 * the one table of all directories shows what it can't: circles.
 */
#include <errno.h>
#include <stdlib.h>

#include "repair.h"

struct dir_table {
	struct dir_parent *dirs; /* by inode number */
	uint8_t *state;		 /* enum reach of each */
	size_t count;
};

enum reach {
	REACH_UNKNOWN,
	REACH_ON_PATH,
	REACH_ROOT,
	REACH_CIRCLE,
	REACH_MISSING, /* something that is no directory, as far as was seen */
};

static int by_dir(const void *a, const void *b)
{
	const struct dir_parent *x = a, *y = b;

	return (x->dir.v > y->dir.v) - (x->dir.v < y->dir.v);
}

/* All workers' tables as one; they are given up. */
static int collect(struct traverse *t, struct dir_table *table)
{
	size_t total = 0, at = 0;

	for (unsigned i = 0; i < t->nwalkers; i++)
		total += t->walkers[i]->ndirs;
	table->dirs = calloc(total + 1, sizeof(*table->dirs));
	table->state = calloc(total + 1, 1);
	if (!table->dirs || !table->state)
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
	qsort(table->dirs, total, sizeof(*table->dirs), by_dir);
	return 0;
}

/* Index of a directory, or the count if it is none. */
static size_t find(const struct dir_table *table, xino_t ino)
{
	const struct dir_parent key = { .dir = ino };
	const struct dir_parent *found = bsearch(&key, table->dirs, table->count, sizeof(key), by_dir);

	return found ? (size_t)(found - table->dirs) : table->count;
}

static bool is_root(const struct geometry *geo, xino_t ino)
{
	return ino.v == geo->rootino.v || (geo->metadir && ino.v == geo->metadirino.v);
}

/* Go up from a directory until the answer is known, and note it on the way. */
static enum reach climb(const struct geometry *geo, const struct dir_table *table, size_t start)
{
	enum reach answer = REACH_UNKNOWN;
	size_t i;

	for (i = start; answer == REACH_UNKNOWN; i = find(table, table->dirs[i].parent)) {
		if (i == table->count)
			answer = REACH_MISSING;
		else if (table->state[i] == REACH_ON_PATH)
			answer = REACH_CIRCLE;
		else if (table->state[i] != REACH_UNKNOWN)
			answer = table->state[i];
		else if (is_root(geo, table->dirs[i].dir))
			answer = REACH_ROOT;
		if (answer != REACH_UNKNOWN)
			break;
		table->state[i] = REACH_ON_PATH;
	}
	for (i = start; i < table->count && table->state[i] == REACH_ON_PATH; i = find(table, table->dirs[i].parent))
		table->state[i] = (uint8_t)answer;
	return answer;
}

static void at_directory(struct repair *rc, struct walker *w, xino_t ino)
{
	w->place = place_of(OBJ_DIRECTORY);
	w->place.ino = ino;
	w->place.agno = agno_of_ino(&rc->geo, ino);
}

static void check_root(struct repair *rc, struct walker *w, const struct dir_table *table, xino_t root)
{
	size_t i = find(table, root);

	at_directory(rc, w, root);
	if (i == table->count && !rc->traverse->incomplete)
		walk_problem(w, F_TREE_ROOT, NO_INDEX, root.v, 0);
	else if (i < table->count && table->dirs[i].parent.v != root.v)
		walk_problem(w, F_TREE_ROOT_PARENT, NO_INDEX, table->dirs[i].parent.v, root.v);
}

static void check_directory(struct repair *rc, struct walker *w, const struct dir_table *table, size_t i)
{
	enum reach reach;

	at_directory(rc, w, table->dirs[i].dir);
	if (i && table->dirs[i].dir.v == table->dirs[i - 1].dir.v) {
		walk_problem(w, F_TREE_TWO_PARENTS, NO_INDEX, 0, 0);
		return;
	}
	reach = climb(&rc->geo, table, i);
	/* where something could not be read, what is missing from the table proves nothing */
	if (reach == REACH_CIRCLE || (reach == REACH_MISSING && !rc->traverse->incomplete))
		walk_problem(w, F_TREE_UNREACHABLE, NO_INDEX, table->dirs[i].parent.v, 0);
}

void connectivity_check(struct repair *rc, struct walker *w)
{
	struct dir_table table = { 0 };

	if (collect(rc->traverse, &table)) {
		rc->traverse->error = -ENOMEM;
		goto out;
	}
	check_root(rc, w, &table, rc->geo.rootino);
	if (rc->geo.metadir)
		check_root(rc, w, &table, rc->geo.metadirino);
	for (size_t i = 0; i < table.count; i++)
		check_directory(rc, w, &table, i);
out:
	free(table.dirs);
	free(table.state);
}
