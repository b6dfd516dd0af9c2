/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that every directory is below the root of its tree, by its `..` (ondisk 06, invariant 7).  The ledger checks
 * that `..` and entries agree, but can't find cycles; these are found in the table of all directories.
 */
#include <errno.h>
#include <stdlib.h>

#include "books.h"
#include "names/dir_runs.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "check/walk/walker.h"

enum reach {
	REACH_UNKNOWN,
	REACH_ON_PATH,
	REACH_ROOT,
	REACH_CIRCLE,  /* part of a cycle */
	REACH_MISSING, /* its `..` points to an inode that is not in the table */
	REACH_BELOW,   /* below a directory of the last two kinds */
};

struct reaching {
	const struct geometry *geo;
	const struct dir_table *table;
	uint8_t *states; /* enum reach of each directory, two in a byte */
	struct {
		xino_t ino;
		size_t at;
	} last; /* the last lookup: directories that were created together often have the same parent */
};

static enum reach state_of(const struct reaching *r, size_t i)
{
	return r->states[i / 2] >> 4 * (i % 2) & 0xf;
}

static void set_state(struct reaching *r, size_t i, enum reach reach)
{
	const unsigned shift = 4 * (i % 2);

	r->states[i / 2] = (uint8_t)((r->states[i / 2] & ~(0xfu << shift)) | (unsigned)reach << shift);
}

static size_t find(struct reaching *r, xino_t ino)
{
	if (ino.v != r->last.ino.v) {
		r->last.at = dir_table_find(r->table, ino);
		r->last.ino = ino;
	}
	return r->last.at;
}

static size_t parent_of(struct reaching *r, size_t i)
{
	return find(r, dir_table_at(r->table, i).parent);
}

/* Returns the state of a directory whose parent has this state. */
static enum reach below(enum reach reach)
{
	return reach == REACH_ROOT ? REACH_ROOT : REACH_BELOW;
}

/* Climbs from a directory to one whose state is known, a root, or a dead end, and sets the states on the way. */
static void climb(struct reaching *r, size_t start, const struct dir_parent *dir)
{
	const size_t count = r->table->count;
	struct dir_parent at = *dir;
	size_t i = start, last = start;
	enum reach rest;

	while (i < count && state_of(r, i) == REACH_UNKNOWN && !dir_is_root(r->geo, at.dir)) {
		set_state(r, i, REACH_ON_PATH);
		last = i;
		i = find(r, at.parent);
		if (i < count && state_of(r, i) == REACH_UNKNOWN)
			at = dir_table_at(r->table, i);
	}
	rest = i == count || state_of(r, i) == REACH_ON_PATH ? REACH_BELOW : REACH_ROOT;
	if (i < count && state_of(r, i) == REACH_UNKNOWN)
		set_state(r, i, REACH_ROOT); /* it is a root itself */
	else if (i == count)
		set_state(r, last, REACH_MISSING);
	else if (state_of(r, i) != REACH_ON_PATH)
		rest = below(state_of(r, i));
	while (i < count && state_of(r, i) == REACH_ON_PATH) {
		set_state(r, i, REACH_CIRCLE);
		i = parent_of(r, i);
	}
	for (i = start; state_of(r, i) == REACH_ON_PATH; i = parent_of(r, i)) {
		set_state(r, i, rest);
		if (i == last) /* mostly that is the first one; looking up its parent would be most of the work */
			break;
	}
}

/* True if a directory of unknown state is a root, or its parent reaches the root. */
static bool hangs(struct reaching *r, const struct dir_parent *dir)
{
	size_t parent;

	if (dir_is_root(r->geo, dir->dir))
		return true;
	parent = find(r, dir->parent);
	return parent < r->table->count && state_of(r, parent) == REACH_ROOT;
}

/* Sets the states of directories whose parents reach the root, and returns their number.  up: from the end. */
static size_t pass(struct reaching *r, bool up)
{
	struct dir_parent dirs[DIR_BLOCK];
	size_t found = 0;

	for (size_t b = 0; b < r->table->nblocks; b++) {
		const size_t block = up ? r->table->nblocks - 1 - b : b;
		const unsigned count = dir_table_block(r->table, block, dirs);

		for (unsigned k = 0; k < count; k++) {
			const unsigned at = up ? count - 1 - k : k;
			const size_t i = block * DIR_BLOCK + at;

			if (state_of(r, i) != REACH_UNKNOWN || !hangs(r, &dirs[at]))
				continue;
			set_state(r, i, REACH_ROOT);
			found++;
		}
	}
	return found;
}

/*
 * Reads the table in order, forwards and backwards, as long as that settles a good part of the rest.  If the table is
 * in a file, climbing would read it in random order.
 */
static void pass_in_order(struct reaching *r)
{
	size_t left = r->table->count, found;
	bool up = false;

	do {
		found = pass(r, up);
		left -= found;
		up = !up;
	} while (found > left / 8);
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
	xino_t parent;

	at_directory(rc, w, root);
	if (i == table->count) {
		if (!rc->traverse->incomplete)
			walk_problem(w, F_TREE_ROOT, NO_INDEX, root.v, 0);
		return;
	}
	parent = dir_table_at(table, i).parent;
	if (parent.v != root.v)
		walk_problem(w, F_TREE_ROOT_PARENT, NO_INDEX, parent.v, root.v);
}

/* again: the directory precedes itself in the table */
static void check_directory(struct repair *rc, struct walker *w, struct reaching *r, size_t i,
			    const struct dir_parent *dir, bool again)
{
	enum reach reach;

	if (!again && state_of(r, i) == REACH_UNKNOWN)
		climb(r, i, dir);
	reach = state_of(r, i);
	if (!again && (reach == REACH_ROOT || reach == REACH_BELOW))
		return;
	at_directory(rc, w, dir->dir);
	if (again)
		walk_problem(w, F_TREE_TWO_PARENTS, NO_INDEX, 0, 0);
	else if (reach == REACH_CIRCLE || !rc->traverse->incomplete)
		/* if some metadata is unreadable, directories may be missing from the table */
		walk_problem(w, F_TREE_UNREACHABLE, NO_INDEX, dir->parent.v, 0);
}

static void check_directories(struct repair *rc, struct walker *w, struct reaching *r)
{
	struct dir_parent dirs[DIR_BLOCK];
	uint64_t done = 0, before = NULL_INO;

	report_progress(rc->report, &(struct report_work){ .look = report_look_count,
							   .ctx = &done,
							   .total = rc->dirs.count,
							   .unit = "directories" });
	if (dir_table_spilled(&rc->dirs))
		pass_in_order(r);
	for (size_t block = 0; block < rc->dirs.nblocks; block++) {
		const unsigned count = dir_table_block(&rc->dirs, block, dirs);

		for (unsigned i = 0; i < count; i++) {
			check_directory(rc, w, r, block * DIR_BLOCK + i, &dirs[i], dirs[i].dir.v == before);
			before = dirs[i].dir.v;
		}
		__atomic_store_n(&done, block * DIR_BLOCK + count, __ATOMIC_RELAXED);
	}
	report_progress_end(rc->report);
}

/* Makes the table of directories from what the walkers have found.  Returns 0 or a negative errno. */
static int make_table(struct repair *rc)
{
	struct dir_runs *runs = rc->traverse->dirs;
	const int ret = dir_runs_settle(runs);

	rc->traverse->dirs = NULL;
	if (ret) {
		dir_runs_free(runs);
		return ret;
	}
	return dir_table_make(&rc->dirs, runs, rc->run->memory.directories);
}

/* True if this root is in the table and is its own parent. */
static bool root_is_sound(const struct repair *rc, xino_t root)
{
	const size_t i = dir_table_find(&rc->dirs, root);

	return i < rc->dirs.count && dir_table_at(&rc->dirs, i).parent.v == root.v;
}

static bool all_reached(const struct repair *rc, struct reaching *r)
{
	struct dir_parent dirs[DIR_BLOCK];
	uint64_t before = NULL_INO;
	bool all = true;

	if (dir_table_spilled(&rc->dirs))
		pass_in_order(r);
	for (size_t block = 0; block < rc->dirs.nblocks && all; block++) {
		const unsigned count = dir_table_block(&rc->dirs, block, dirs);

		for (unsigned i = 0; i < count && all; i++) {
			const size_t at = block * DIR_BLOCK + i;

			if (state_of(r, at) == REACH_UNKNOWN)
				climb(r, at, &dirs[i]);
			all = state_of(r, at) == REACH_ROOT && dirs[i].dir.v != before;
			before = dirs[i].dir.v;
		}
	}
	return all;
}

int connectivity_all_reached(const struct repair *rc, bool *ret_all)
{
	struct reaching reaching = { .geo = &rc->geo, .table = &rc->dirs };

	reaching.states = calloc(rc->dirs.count / 2 + 1, 1);
	if (!reaching.states)
		return -ENOMEM;
	reaching.last.ino.v = NULL_INO;
	reaching.last.at = rc->dirs.count;
	*ret_all = root_is_sound(rc, rc->geo.rootino) && (!rc->geo.metadir || root_is_sound(rc, rc->geo.metadirino)) &&
		   all_reached(rc, &reaching);
	free(reaching.states);
	return dir_table_error(&rc->dirs);
}

int connectivity_check(struct repair *rc, struct walker *w)
{
	struct reaching reaching = { .geo = &rc->geo, .table = &rc->dirs };
	int ret = make_table(rc);

	if (ret)
		return ret;
	reaching.states = calloc(rc->dirs.count / 2 + 1, 1);
	if (!reaching.states)
		return -ENOMEM;
	reaching.last.ino.v = NULL_INO;
	reaching.last.at = rc->dirs.count;
	check_root(rc, w, rc->geo.rootino);
	if (rc->geo.metadir)
		check_root(rc, w, rc->geo.metadirino);
	check_directories(rc, w, &reaching);
	free(reaching.states);
	return dir_table_error(&rc->dirs);
}
