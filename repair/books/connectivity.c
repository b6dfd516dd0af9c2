/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that every directory hangs, by its `..`, below the root of its tree (ondisk 06, invariant 7).  The ledger
 * checks that `..` and entries agree; what it can't find are circles, which the table of all directories shows.
 */
#include <errno.h>
#include <stdlib.h>

#include "books.h"
#include "repair.h"
#include "report.h"
#include "walk/walker.h"

enum reach {
	REACH_UNKNOWN,
	REACH_ON_PATH,
	REACH_ROOT,
	REACH_CIRCLE,  /* part of one */
	REACH_MISSING, /* its `..` leads to an inode that is not in the table */
	REACH_BELOW,   /* it is below a directory of the last two kinds */
};

/* What a directory is whose `..` leads to one that is known to be `reach`. */
static enum reach below(enum reach reach)
{
	return reach == REACH_ROOT ? REACH_ROOT : REACH_BELOW;
}

/* Go up from a directory until it is clear where that leads, and set the state of each directory on the way. */
static void climb(const struct geometry *geo, const struct dir_table *table, uint8_t *state, size_t start)
{
	size_t i = start, last = start;
	enum reach rest;

	for (; i < table->count && state[i] == REACH_UNKNOWN && !dir_is_root(geo, table->dirs[i].dir);
	     i = dir_table_find(table, table->dirs[i].parent)) {
		state[i] = REACH_ON_PATH;
		last = i;
	}
	rest = i == table->count || state[i] == REACH_ON_PATH ? REACH_BELOW : REACH_ROOT;
	if (i < table->count && state[i] == REACH_UNKNOWN)
		state[i] = REACH_ROOT; /* it is a root itself */
	else if (i == table->count)
		state[last] = REACH_MISSING;
	else if (state[i] != REACH_ON_PATH)
		rest = below(state[i]);
	while (i < table->count && state[i] == REACH_ON_PATH) {
		state[i] = REACH_CIRCLE;
		i = dir_table_find(table, table->dirs[i].parent);
	}
	for (i = start; state[i] == REACH_ON_PATH; i = dir_table_find(table, table->dirs[i].parent)) {
		state[i] = (uint8_t)rest;
		if (i == last) /* mostly that is the first one, and looking up its parent is most of the work */
			break;
	}
}

static void at_directory(struct repair *rc, struct walker *w, xino_t ino)
{
	w->place = place_of(OBJ_DIRECTORY);
	w->place.ino = ino;
	w->place.agno = agno_of_ino(&rc->geo, ino);
}

static void check_root(struct repair *rc, struct walker *w, xino_t root)
{
	const struct dir_table *table = &rc->dirs;
	size_t i = dir_table_find(table, root);

	at_directory(rc, w, root);
	if (i == table->count && !rc->traverse->incomplete)
		walk_problem(w, F_TREE_ROOT, NO_INDEX, root.v, 0);
	else if (i < table->count && table->dirs[i].parent.v != root.v)
		walk_problem(w, F_TREE_ROOT_PARENT, NO_INDEX, table->dirs[i].parent.v, root.v);
}

static void check_directory(struct repair *rc, struct walker *w, uint8_t *state, size_t i)
{
	const struct dir_table *table = &rc->dirs;

	at_directory(rc, w, table->dirs[i].dir);
	if (i && table->dirs[i].dir.v == table->dirs[i - 1].dir.v) {
		walk_problem(w, F_TREE_TWO_PARENTS, NO_INDEX, 0, 0);
		return;
	}
	climb(&rc->geo, table, state, i);
	/* if something could not be read, directories may be missing from the table */
	if (state[i] == REACH_CIRCLE || (state[i] == REACH_MISSING && !rc->traverse->incomplete))
		walk_problem(w, F_TREE_UNREACHABLE, NO_INDEX, table->dirs[i].parent.v, 0);
}

void connectivity_check(struct repair *rc, struct walker *w)
{
	uint8_t *state = NULL; /* enum reach of each directory */
	uint64_t done = 0;

	if (!dir_table_collect(rc->traverse, &rc->dirs))
		state = calloc(rc->dirs.count + 1, 1);
	if (!state) {
		rc->traverse->error = -ENOMEM;
		return;
	}
	check_root(rc, w, rc->geo.rootino);
	if (rc->geo.metadir)
		check_root(rc, w, rc->geo.metadirino);
	report_progress(rc->report, &(struct report_work){ .look = report_look_count,
							   .ctx = &done,
							   .total = rc->dirs.count,
							   .unit = "directories" });
	for (size_t i = 0; i < rc->dirs.count; i++) {
		check_directory(rc, w, state, i);
		__atomic_store_n(&done, i + 1, __ATOMIC_RELAXED);
	}
	report_progress_end(rc->report);
	free(state);
}
